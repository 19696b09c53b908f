import { by } from '../../../support/files';
import { pick } from '../../harness/pickers';
import { runNode } from '../../harness';
import { suiteWithSandbox } from '../../harness/suite';
import { aSession } from '../cases.sql';

const suite = suiteWithSandbox();
const node = (operation: string, more = {}) => ({ resource: 'sqlSession', operation, ...more });

it('are listed, simplified or raw, for one region or all', async () => {
	const id = aSession(suite.sandbox);
	suite.sandbox.clock.advance(60_000);
	const { json, error, hints } = await runNode(suite.sandbox, node('getAll'));
	expect(error).toBeUndefined();
	expect(json).toMatchObject([
		{ id, status: 'READY', sessionType: 'multi', region: 'aws-us-west-2' },
	]);
	expect(hints).toEqual([]);
	const raw = await runNode(suite.sandbox, node('getAll', { simplify: false }));
	expect(raw.json[0]).toMatchObject({
		appType: 'SQL_SESSION',
		apiPayload: { sessionType: 'multi' },
	});
	const filters = { region: 'aws-eu-west-1' };
	const none = await runNode(suite.sandbox, node('getAll', { filters }));
	expect(none.json).toEqual([]);
	expect(none.hints).toEqual([expect.stringContaining("'Region' aws-eu-west-1")]);
});

it('are listed up to the limit', async () => {
	for (let count = 0; count < 3; count++) aSession(suite.sandbox);
	const all = await runNode(suite.sandbox, node('getAll', { returnAll: true }));
	const first = await runNode(suite.sandbox, node('getAll', { limit: 2 }));
	expect(all.json).toHaveLength(3);
	expect(first.json.map(({ id }) => id)).toEqual(all.json.slice(0, 2).map(({ id }) => id));
});

it('are deleted, even when the first response was lost', async () => {
	const id = aSession(suite.sandbox);
	const fault = { kind: 'reset', when: 'after' } as const;
	suite.sandbox.faults.add({ endpoint: 'deleteSqlSession', times: 1, fault });
	const { json, error } = await runNode(suite.sandbox, node('delete', { sessionId: by('id', id) }));
	expect(error).toBeUndefined();
	expect(json).toEqual([{ deleted: true, id }]);
	const session = suite.sandbox.sql.sessions.get(id);
	expect(session && suite.sandbox.sql.sessions.statusOf(session)).toMatch(/^DESTROY/);
});

it('can be chosen from a list', async () => {
	const id = aSession(suite.sandbox);
	const { results } = await pick(suite.sandbox, 'searchSqlSessions');
	expect(results).toEqual([expect.objectContaining({ value: id, description: 'PENDING' })]);
});
