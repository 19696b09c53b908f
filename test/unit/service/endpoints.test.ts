import {
	type EndpointId,
	endpoints,
	findMissingRecord,
	listPathNames,
} from '../../../nodes/Wherobots/service/endpoints';
import * as sandbox from '../../sandbox';

/** What only other clients of the service ask for. */
const OTHERS = ['getMe', 'getStorageCredentials'];

it.each(Object.entries(endpoints))(
	'%s calls an endpoint of the service',
	(id, { method, path }) => {
		const served = sandbox.endpoints[id.replace('ByGuidePath', '') as sandbox.EndpointId];
		expect(served).toMatchObject({ method, paths: expect.arrayContaining([path]) });
	},
);

it('the sandbox serves each of them once, and what only other clients ask for', () => {
	const served = sandbox.routes.map(({ endpoint }) => endpoint);
	const called = Object.keys(endpoints).filter((id) => id !== 'exportAuditLogByGuidePath');
	expect(served.sort()).toEqual([...called, ...OTHERS].sort());
});

it('an error can say which record is missing, whatever a path names', () => {
	const names = Object.keys(endpoints).flatMap((id) => listPathNames(id as EndpointId));
	const wordless = names.filter((name) => findMissingRecord(`/{${name}}`, '') === undefined);
	expect(wordless).toEqual([]);
});

describe('endpoints', () => {
	it('that read, replace or remove may be sent again, and some others', () => {
		const again = ['cancelRun', 'updateApiKey', 'getTableCredentials', 'verifyCloudConnection'];
		for (const [id, { method, retry }] of Object.entries(endpoints)) {
			if (method !== 'POST' || again.includes(id)) expect([id, retry]).toEqual([id, 'repeatable']);
		}
	});

	const EDITION = /an organization on the Professional, Innovation or Enterprise Edition$/;
	const ADMIN = /^Needs the key of an organization admin/;

	it.each<[EndpointId, RegExp]>([
		['createRun', EDITION],
		['deleteTable', ADMIN],
		['exportAuditLog', EDITION],
		['exportAuditLog', ADMIN],
		['exportAuditLogByGuidePath', EDITION],
		['exportAuditLogByGuidePath', ADMIN],
		['queryAuditLog', ADMIN],
		['revokeApiKey', /someone else's key/],
	])('say who may use them, where the interface says it: %s, %s', (id, who) => {
		expect(endpoints[id].permission).toMatch(who);
	});
});
