/** The people of the sandbox's organization. Shapes: OrganizationCustomer, Role and Policy. */
import { idOf } from '../ids';
import type { CallerRole } from '../server/auth';
import { recordTime } from '../time';

export interface Customer {
	id: string;
	createTime: string;
	updateTime: string;
	email: string | null;
	name: string | null;
	roles: Array<ReturnType<typeof role>>;
}

/** As long as those in addresses of managed storage; so are the IDs of people. */
export const ORGANIZATION_ID = idOf('organization', 10);

const times = (text: string) => {
	const time = recordTime(Date.parse(text));
	return { createTime: time, updateTime: time };
};

function role(name: string, actions: string[]) {
	const joined = times('2025-03-01T09:00:00Z');
	return {
		id: idOf(`role:${name}`),
		...joined,
		name,
		organizationId: ORGANIZATION_ID,
		policies: actions.map((action) => ({
			id: idOf(`policy:${name}:${action}`),
			...joined,
			provider: 'WHEROBOTS',
			locator: `organization/${ORGANIZATION_ID}/*`,
			action,
			effect: 'ALLOW',
		})),
	};
}

const adminRole = role('Admin', ['*']);
const userRole = role('User', ['runs:*', 'catalogs:Read']);

function person(
	key: string,
	email: string | null,
	name: string,
	roles: Customer['roles'],
): Customer {
	return { id: idOf(`customer:${key}`, 14), ...times('2025-03-02T10:30:00Z'), email, name, roles };
}

export const people: Record<CallerRole | 'service', Customer> = {
	admin: person('admin', 'ada@example.com', 'Ada Admin', [adminRole]),
	user: person('user', 'uma@example.com', 'Uma User', [userRole]),
	community: person('community', 'cleo@example.org', 'Cleo Community', [adminRole]),
	service: person('service', null, 'nightly-pipeline', [userRole]),
};

export function customerById(id: string): Customer | undefined {
	return Object.values(people).find((customer) => customer.id === id);
}
