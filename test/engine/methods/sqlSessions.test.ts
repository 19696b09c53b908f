import { pick } from '../harness/pickers';
import { suiteWithSandbox } from '../harness/suite';
import { aSession } from '../actions/cases.sql';

const suite = suiteWithSandbox();

/** A service that has these sessions. */
function has(...sessions: object[]): void {
	const body = JSON.stringify(sessions);
	suite.sandbox.faults.add({ endpoint: 'listSqlSessions', fault: { kind: 'replace', body } });
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

it('reads fields in any form, and leaves out what has no ID', async () => {
	const none = [undefined, null, '', {}].map((id) => ({ id, status: 'READY', regionName: 'r' }));
	const odd = [null, '', 5, {}, ['a']].map((value, index) => ({
		...{ id: `id-${index}`, status: value, regionName: value, createTime: value },
		apiPayload: index === 0 ? null : { runtimeId: value },
		appMeta: value,
	}));
	has(...none, ...odd, { id: 9 });
	const { results } = await pick(suite.sandbox, 'searchSqlSessions');
	const byId = new Map(results.map(({ value, name, description }) => [value, [name, description]]));
	expect(Object.fromEntries(byId)).toEqual({
		'id-0': ['Default runtime, id-0', undefined],
		'id-1': ['Default runtime, id-1', undefined],
		// The number is read as five milliseconds into 1970.
		'id-2': ['5, 5, 1970-01-01 00:00 UTC', '5'],
		'id-3': ['Default runtime, id-3', undefined],
		'id-4': ['Default runtime, id-4', undefined],
		'9': ['Default runtime, 9', undefined],
	});
});
