import { ok } from '../../harness';
import { STATEMENT_LIMITS } from '../../../../nodes/Wherobots/useCases/sql/statement';
import { until } from '../../../support/until';
import { callsOf } from '../../harness/tools';
import { INSERT, SELECT, suiteWithSql } from './query';

const { suite, run } = suiteWithSql();

describe('a lost outcome', () => {
	beforeEach(() => {
		jest.replaceProperty(STATEMENT_LIMITS, 'silenceMs', 50);
		suite.sql.answer(SELECT, { rows: [{ a: 1 }] });
		suite.sql.answer(INSERT, {});
	});

	it('of a session that is too old for that is asked for there', async () => {
		suite.variants.sqlAttach = 'ignored';
		suite.sql.answer(SELECT, { rows: [{ a: 1 }], seconds: 2 });
		const cut = { kind: 'cut', taken: true } as const;
		suite.sql.addFault({ at: 'statement', times: 1, fault: cut });
		const running = run(SELECT);
		await until(() => (suite.sql.taken()[0]?.retrievals ?? 0) >= 2);
		suite.clock.advance(2_000);
		expect((await running).json).toEqual([{ a: 1 }]);
	});

	it("of a statement is left open for an agent, too, however often n8n tries the agent's tool", async () => {
		const { sql } = suite;
		sql.addFault({ at: 'statement', times: 1, fault: { kind: 'cut', taken: false, code: 1011 } });
		const node = { resource: 'sql', operation: 'executeQuery', query: INSERT, readOnly: false };
		const call = callsOf(suite.sandbox, node, { maxTries: 3 });
		await expect(call()).rejects.toThrow('Retry On Fail did not send it again');
		expect(sql.taken()).toEqual([]);
	});

	it('of one item does not repeat what another one has done', async () => {
		let tries = 0;
		suite.sql.answer('INSERT 2', () => (++tries === 1 ? { error: 'conflict' } : {}));
		suite.sql.answer('INSERT 1', {});
		const input = [{ n: 1 }, { n: 2 }];
		const { error, json } = await run('=INSERT {{ $json.n }}', {}, { input, maxTries: 2 });
		expect(error).toBeUndefined();
		expect(json).toHaveLength(2);
		expect(suite.sql.taken().map(({ text }) => text)).toEqual([
			...['INSERT 1', 'INSERT 2', 'INSERT 2'],
		]);
	});
});

it.each([SELECT, 'CALL system.compact()'])(
	'a statement that succeeded is not sent again for a column named error: %s',
	async (query) => {
		// n8n takes a first item with such a column for a failure, and tries the node again.
		const rows = ['timeout', null].map((error, count) => ({ error, count }));
		suite.sql.answer(query, { rows });
		const { json } = ok(await run(query, {}, { maxTries: 3 }));
		expect(json).toEqual(rows);
		expect(suite.sql.taken()).toHaveLength(1);
	},
);
