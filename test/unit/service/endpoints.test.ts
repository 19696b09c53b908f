import {
	type EndpointId,
	endpoints,
	findMissingRecord,
	listPathNames,
} from '../../../nodes/Wherobots/service/endpoints';
import * as sandbox from '../../sandbox';

/** What only other clients of the service ask for. */
const OTHERS = ['getMe', 'getStorageCredentials'];

/** Each has a path of its own, but those of API: Request, which are those of any other. */
const withPath = Object.entries(endpoints).filter(([, { path }]) => path !== '/');

it.each(withPath)('%s calls an endpoint of the service', (id, { method, path }) => {
	const served = sandbox.endpoints[id.replace('ByGuidePath', '') as sandbox.EndpointId];
	expect(served).toMatchObject({ method, paths: expect.arrayContaining([path]) });
});

it('the sandbox serves each of them once, and what only other clients ask for', () => {
	const served = sandbox.routes.map(({ endpoint }) => endpoint);
	const called = withPath.map(([id]) => id).filter((id) => id !== 'exportAuditLogByGuidePath');
	expect(served.sort()).toEqual([...called, ...OTHERS].sort());
});

it('an error can say which record is missing, whatever a path names', () => {
	const names = Object.keys(endpoints).flatMap((id) => listPathNames(id as EndpointId));
	const wordless = names.filter((name) => findMissingRecord(`/{${name}}`, '') === undefined);
	expect(wordless).toEqual([]);
});

describe('endpoints', () => {
	it('that read, replace or remove may be sent again, and some others', () => {
		// What a change of any record does when it comes twice, nobody knows.
		const { apiPATCH, ...known } = endpoints;
		expect(apiPATCH.retry).toBe('once');
		const again = ['cancelRun', 'updateApiKey', 'getTableCredentials', 'verifyCloudConnection'];
		for (const [id, { method, retry }] of Object.entries(known)) {
			if (method !== 'POST' || again.includes(id)) expect([id, retry]).toEqual([id, 'repeatable']);
		}
	});

	const EDITION = /an organization on the Professional, Innovation or Enterprise Edition$/;
	const ADMIN = /^This needs the key of an organization admin/;

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
