import {
	endpoints,
	pathProblem,
	pathValueProblem,
} from '../../../nodes/Wherobots/service/endpoints';

describe('path values', () => {
	it.each([
		['', 'must not be empty'],
		['.', 'must not be "."'],
		['..', 'must not be ".."'],
		['a\uD800', 'contains a broken character'],
		['...', undefined],
	])('%j: %s', (value, problem) => {
		expect(pathValueProblem(value)).toBe(problem);
	});

	it.each([
		['', undefined],
		['a/b/', undefined],
		['/a', 'must not begin with a slash or contain an empty part'],
		['a//b', 'must not begin with a slash or contain an empty part'],
		['a/..', 'must not be ".."'],
	])('of several segments, %j: %s', (value, problem) => {
		expect(pathProblem(value)).toBe(problem);
	});
});

describe('endpoints', () => {
	it.each(['createApiKey', 'createCatalog', 'createCloudConnection', 'createRun'] as const)(
		'that create are sent once: %s',
		(id) => {
			expect(endpoints[id].retry).toBe('once');
		},
	);

	it('that read, replace or remove may be sent again, and some others', () => {
		const again = ['cancelRun', 'updateApiKey', 'getTableCredentials', 'verifyCloudConnection'];
		for (const [id, { method, retry }] of Object.entries(endpoints)) {
			if (method !== 'POST' || again.includes(id)) expect([id, retry]).toEqual([id, 'repeatable']);
		}
	});

	it('that remove are done when nothing is left, a cancel when the run has ended', () => {
		const done = Object.entries(endpoints).filter(([, { doneBefore }]) => doneBefore !== undefined);
		expect(Object.fromEntries(done.map(([id, { doneBefore }]) => [id, doneBefore]))).toMatchObject({
			cancelRun: 409,
			deleteCloudConnection: 404,
			deletePreset: 404,
			deleteTable: 404,
			revokeApiKey: 404,
		});
	});

	it('say who may use them, where the interface says it', () => {
		const hints = Object.entries(endpoints).filter(
			([, { permission }]) => permission !== undefined,
		);
		const edition = /an organization on the Professional, Innovation or Enterprise Edition$/;
		const admin = /^Needs the key of an organization admin/;
		expect(hints.map(([id]) => id)).toEqual(
			expect.arrayContaining([
				...['createRun', 'deleteTable', 'exportAuditLog', 'exportAuditLogByGuidePath'],
				...['queryAuditLog', 'revokeApiKey'],
			]),
		);
		const { createRun, exportAuditLog, exportAuditLogByGuidePath, deleteTable } = endpoints;
		expect(createRun.permission).toMatch(edition);
		expect(deleteTable.permission).toMatch(admin);
		expect(endpoints.queryAuditLog.permission).toMatch(admin);
		expect(endpoints.revokeApiKey.permission).toMatch(/someone else's key/);
		for (const { permission } of [exportAuditLog, exportAuditLogByGuidePath]) {
			expect(permission).toMatch(edition);
			expect(permission).toMatch(admin);
		}
	});
});
