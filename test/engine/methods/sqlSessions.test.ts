import { pick } from '../harness/pickers';
import { suiteWithSandbox } from '../harness/suite';
import { aSession } from '../actions/cases.sql';

const suite = suiteWithSandbox();

/** A service that has these sessions. */
function has(...sessions: object[]): void {
	suite.responds('listSqlSessions', sessions);
}

it('offers the sessions of the caller, with what distinguishes them', async () => {
	const id = aSession(suite.sandbox);
	expect((await pick(suite.sandbox, 'searchSqlSessions')).results).toEqual([
		{
			name: 'Default runtime, aws-us-west-2, 2026-11-21 12:00 UTC',
			value: id,
			description: 'PENDING',
		},
	]);
});

it('offers the newest first', async () => {
	const session = (id: string, createTime: unknown) => ({ id, status: 'READY', createTime });
	has(
		session('a', '2026-11-20T09:00:00Z'),
		session('b', null),
		session('c', '2026-11-20T11:00:00Z'),
		session('d', undefined),
		session('e', '2026-11-19T10:00:00Z'),
	);
	const { results } = await pick(suite.sandbox, 'searchSqlSessions');
	expect(results.map(({ value }) => value)).toEqual(['c', 'a', 'e', 'b', 'd']);
});

it('finds sessions by runtime, region, time or ID, in upper or lower case', async () => {
	has(
		{ id: 'ses-1', status: 'READY', regionName: 'aws-1', apiPayload: { runtimeId: 'tiny' } },
		{ id: 'ses-2', status: 'READY', createTime: '2026-11-20T09:00:00Z' },
	);
	const found = async (filter: string) =>
		(await pick(suite.sandbox, 'searchSqlSessions', { filter })).results.map(({ name }) => name);
	expect(await found('  ')).toHaveLength(2);
	expect(await found(' TINY ')).toEqual(['tiny, aws-1, ses-1']);
	expect(await found('AWS-1')).toEqual(['tiny, aws-1, ses-1']);
	expect(await found('ses-2')).toEqual(['Default runtime, 2026-11-20 09:00 UTC']);
	expect(await found('2026-11-21')).toEqual([]);
});
