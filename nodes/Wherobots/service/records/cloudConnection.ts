import type { IDataObject } from 'n8n-workflow';

import type { EndpointId } from '../endpoints';
import { pick } from './index';

/** The stacks of a connection, in the order in which they are set up. */
export type Stack = 'connection' | 'storage' | 'glue' | 's3tables';

export const STACK_ENDPOINTS: Record<Stack, { link: EndpointId; template: EndpointId }> = {
	connection: { link: 'getConnectionCreateLink', template: 'getConnectionTemplate' },
	storage: { link: 'getStorageCreateLink', template: 'getStorageTemplate' },
	glue: { link: 'getGlueCreateLink', template: 'getGlueTemplate' },
	s3tables: { link: 'getS3TablesCreateLink', template: 'getS3TablesTemplate' },
};

/** Access levels of a binding's stack. Verification spells them differently. */
export type StackAccess = 'read-only' | 'read-write';

/** Access types of a storage binding in a verification. */
export type BindingAccess = 'READ' | 'READ_WRITE';

/** Longest name of a connection (public description of the service). */
export const MAX_CONNECTION_NAME = 100;

/** Maximum number of trusted accounts of a connection (public description of the service). */
export const MAX_TRUSTED_ACCOUNTS = 20;

const CONNECTION_FIELDS = [
	...['id', 'name', 'cloudProvider', 'awsAccountId', 'roleArn'],
	...['managedBy', 'stackName', 'allowSaas', 'createdAt'],
];

/** The fields of a connection that people need, with bindings as `kind: name`. */
export function simplifyConnection(connection: IDataObject): IDataObject {
	const bindings = Array.isArray(connection.bindings) ? (connection.bindings as IDataObject[]) : [];
	return {
		...pick(connection, CONNECTION_FIELDS),
		bindings: bindings.map((binding) => `${String(binding?.kind)}: ${String(binding?.name)}`),
	};
}

/** The response to a verification. A failed one has a successful status, too. */
export interface Verification extends IDataObject {
	roleAssumption?: { status?: string; reason?: string | null };
	bindingAccess?: (IDataObject & { status?: string; reason?: string | null }) | null;
}

/**
 * Why a verification did not pass, in the service's words if it has any; undefined when all requested
 * checks passed.
 */
export function findVerificationProblem(
	{ roleAssumption, bindingAccess }: Verification,
	binding: boolean,
): string | undefined {
	if (roleAssumption?.status !== 'OK') {
		return roleAssumption?.reason || 'The role cannot be assumed.';
	}
	if (bindingAccess && bindingAccess.status !== 'OK') {
		return bindingAccess.reason || `Access to the storage is ${String(bindingAccess.status)}.`;
	}
	return binding && !bindingAccess ? 'The storage was not checked.' : undefined;
}
