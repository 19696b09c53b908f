/** What the tests of a misbehaving SQL session share. */
import type { INodeParameters } from 'n8n-workflow';

import { STATEMENT_LIMITS } from '../../../../nodes/Wherobots/useCases/sql/statement';
import { type NodeOptions, type NodeResult } from '../../../engine/harness';
import { everythingIn } from '../../../engine/harness/probe';
import type { Suite } from '../../../engine/harness/suite';
import type { SqlFaultRule, Sandbox } from '../../../sandbox';
import { suiteWithPrinted } from '../../printed';

export const READ = 'SELECT * FROM cities';
export const WRITE = "INSERT INTO cities VALUES (3, 'Kaş')";
export const CITIES = [
	{ id: 1, name: 'Bonn' },
	{ id: 2, name: 'Seattle' },
];

export const queryNode = (query: string, more: INodeParameters = {}): INodeParameters => ({
	resource: 'sql',
	operation: 'executeQuery',
	query,
	...more,
});

/** Selects the messages that a fault hits. */
export const frame = (kind?: 'state_updated' | 'execution_result' | 'error', state?: string) =>
	({ at: 'frame', frame: kind, state }) as const;

/** Limits that are reached, and how long they take: long for a busy machine, and short for a test to wait. */
const SHORT = ['silenceMs', 'resultMs', 'explanationMs', 'cancelMs'] as const;
const SHORT_MS = 150;

/** Runs statements against a session that misbehaves, and checks that nothing secret is left behind. */
export function againstSession(suite: Suite) {
	const printed = suiteWithPrinted();
	/** How many times the statement that changes something was carried out. */
	const done = { writes: 0 };
	beforeEach(() => {
		for (const limit of SHORT) jest.replaceProperty(STATEMENT_LIMITS, limit, SHORT_MS);
		done.writes = 0;
		suite.sql.answer(READ, { rows: CITIES });
		suite.sql.answer(WRITE, { changes: () => (done.writes += 1) });
	});

	const run = async (node: INodeParameters, options?: NodeOptions): Promise<NodeResult> => {
		const result = await suite.run(node, options);
		const left = everythingIn(result.run) + printed.join('');
		for (const secret of [...suite.presigned.secrets, suite.credentials.admin.apiKey]) {
			expect(left).not.toContain(secret);
		}
		expect(left).not.toMatch(/X-Amz-|internal-key-name|internal-host/);
		expect(suite.sql.violations).toEqual([]);
		return result;
	};

	return {
		done,
		run,
		query: async (statement: string, more?: INodeParameters, options?: NodeOptions) =>
			await run(queryNode(statement, more), options),
		/** Runs a statement with a fault. */
		against: async (rule: SqlFaultRule, statement: string, more?: INodeParameters) => {
			suite.sql.addFault(rule);
			return await run(queryNode(statement, more));
		},
	};
}

/** How often each statement was sent. */
export function sent({ sql }: Sandbox): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { text } of sql.taken()) counts[text] = (counts[text] ?? 0) + 1;
	return counts;
}
