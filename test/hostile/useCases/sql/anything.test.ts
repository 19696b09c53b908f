import fc from 'fast-check';

import type { SqlFaultRule, Variants } from '../../../sandbox';
import { suiteWithSandbox } from '../../../engine/harness/suite';
import { forAll } from '../../../support/forAll';
import { runs } from '../../../support/runs';
import { againstSession, CITIES, READ, WRITE } from './againstSession';

const suite = suiteWithSandbox({ seed: 'empty' });
const { done, query } = againstSession(suite);

const code = fc.constantFrom(undefined, 1000, 1001, 1011, 1012);
const times = fc.constantFrom(1, 2, undefined);
const skip = fc.constantFrom(0, 0, 0, 1);

const handshake = fc.oneof(
	fc.constantFrom(401, 403, 503).map((status) => ({ kind: 'refuse', status }) as const),
	fc.constant({ kind: 'reset' } as const),
);
const statement = fc.oneof(
	fc.record({ kind: fc.constant('cut' as const), taken: fc.boolean(), code }),
	fc.constant({ kind: 'silence' } as const),
	fc.constantFrom('DESTROYED', 'INIT_FAILED').map((status) => ({ kind: 'die', status }) as const),
);
const retrieve = fc.oneof(
	fc.constantFrom({ kind: 'forgotten' } as const, { kind: 'running' } as const),
	fc.record({ kind: fc.constant('cut' as const), code }),
);
const frameFault = fc.oneof(
	fc.constant({ kind: 'lose' } as const),
	fc.record({
		kind: fc.constant('cut' as const),
		where: fc.constantFrom('before', 'inside', 'after'),
		code,
	}),
	fc.constantFrom('', '{"kind":', 'null', '{}').map((data) => ({ kind: 'replace', data }) as const),
	fc.nat(40).map((bytes) => ({ kind: 'shorten', bytes }) as const),
	fc.constant({ kind: 'pad', bytes: 70_000 } as const),
);
const rule = fc.oneof(
	fc.record({ at: fc.constant('handshake' as const), fault: handshake, times, skip }),
	fc.record({ at: fc.constant('statement' as const), fault: statement, times, skip }),
	fc.record({ at: fc.constant('retrieve' as const), fault: retrieve, times, skip }),
	fc.record({
		at: fc.constant('frame' as const),
		frame: fc.constantFrom(undefined, 'state_updated', 'execution_result', 'error'),
		state: fc.constantFrom(undefined, undefined, 'running', 'succeeded'),
		fault: frameFault,
		times,
		skip,
	}),
) as fc.Arbitrary<SqlFaultRule>;

const variants: fc.Arbitrary<Partial<Variants>> = fc.record({
	sqlFrames: fc.constantFrom('mixed', 'binary'),
	sqlStates: fc.constantFrom('each', 'twice', 'last'),
	sqlErrorEvent: fc.constantFrom('after', 'before'),
	sqlResultUri: fc.constantFrom('absent', 'null'),
	sqlNoise: fc.boolean(),
	sqlAttach: fc.constantFrom('supported', 'ignored'),
});

const FAILING = 'SELECT broken';
const subject = fc.constantFrom(
	{ statement: READ, output: 'items' },
	{ statement: READ, output: 'csv' },
	{ statement: WRITE, output: 'items' },
	{ statement: WRITE, output: 'items' },
	{ statement: FAILING, output: 'items' },
);

// Always the same cases, so that only a change of the code decides whether they pass.
const SEED = Number(process.env.N8N_NODES_WHEROBOTS_SQL_SEED ?? 17);
const RUNS = Number(process.env.N8N_NODES_WHEROBOTS_SQL_RUNS ?? runs(15, 60));

it('ends every statement with the right result or one error, and sends none twice', async () => {
	suite.sql.answer(FAILING, { error: '[PARSE_SYNTAX_ERROR] Syntax error' });
	const usual = { ...suite.variants };
	await forAll(
		[fc.array(rule, { minLength: 1, maxLength: 3, size: 'max' }), variants, subject],
		{
			seed: SEED,
			numRuns: RUNS,
			endOnFailure: true,
		},
		async (rules, odd, { statement: text, output }) => {
			suite.sql.clear();
			Object.assign(suite.variants, usual, odd);
			for (const each of rules) suite.sql.addFault(each);
			done.writes = 0;
			const options = { queryTimeoutSeconds: 2 };
			const { items, json, error } = await query(text, { output, options });

			expect(suite.sql.taken().length).toBeLessThanOrEqual(1);
			if (error) {
				expect(items).toEqual([]);
				expect(error.message).toMatch(/SQL session|statement/i);
				const { state } = (error.context?.data ?? {}) as { state?: string };
				if (state === 'failed' && text !== FAILING)
					throw new Error('The error claims that a statement failed that did not');
				if (state === 'succeeded') expect(text === WRITE ? done.writes : 1).toBe(1);
				if (state === 'notSent' || state === undefined) expect(done.writes).toBe(0);
				return;
			}
			if (text === FAILING) throw new Error('A statement that should have failed did not');
			if (text === WRITE) expect([json.length, done.writes]).toEqual([1, 1]);
			else if (output === 'items') expect(json).toEqual(CITIES);
			else {
				const file = Buffer.from(items[0].binary?.data.data ?? '', 'base64').toString();
				expect(file).toBe('id,name\n1,Bonn\n2,Seattle\n');
			}
		},
	);
}, 600_000);
