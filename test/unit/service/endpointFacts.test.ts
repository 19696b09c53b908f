import { endpoints } from '../../../nodes/Wherobots/service/endpoints';

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
