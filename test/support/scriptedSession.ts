/** A SQL session that says what a script has, for the states of a statement. */
import { advice } from '../../nodes/Wherobots/actions/sql/query';
import type { Statement, StatementError } from '../../nodes/Wherobots/useCases/sql/problems';
import { runStatement, STATEMENT_LIMITS } from '../../nodes/Wherobots/useCases/sql/statement';
import type { Channel, Received } from '../../nodes/Wherobots/transport/socket';

const ID = 'e-1';
export const statement: Statement = {
	executionId: ID,
	text: 'SELECT 1',
	geometry: 'wkt',
	onlyReads: true,
	mayReturnRows: true,
	timeoutMs: 60_000,
	advice,
};
/** A message of the session. */
export const says = (kind: string, more: object = {}): Received => ({
	kind: 'message',
	message: { kind, execution_id: ID, ...more },
});
export const state = (name: string, more: object = {}) =>
	says('state_updated', { state: name, ...more });
export const error = says('error', { message: 'No such table' });
export const rows = says('execution_result', {
	state: 'succeeded',
	results: { result_bytes: Buffer.of(1), format: 'arrow', geo_columns: ['g'] },
});
export const running = says('execution_result', { state: 'running', results: null });
export const silence: Received = { kind: 'silence' };
/** What comes after so many milliseconds. */
export const after = (ms: number, received: Received) => ({ ...received, ms });
export const closed: Received = { kind: 'lost', problem: 'Close code 1011: restart' };

const before = { ...STATEMENT_LIMITS };
afterEach(() => Object.assign(STATEMENT_LIMITS, before));

/**
 * Lets a session say these things, one after the other. No time passes but that of its silences.
 *
 * @param reconnects whether each lost connection can be made again
 */
export async function run(
	script: Array<Received | Error>,
	change: Partial<Statement> = {},
	reconnects: boolean[] = [],
) {
	const sent: string[] = [];
	const requests: unknown[] = [];
	const waits: number[] = [];
	let now = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => now);
	const channel: Channel = {
		send(request) {
			sent.push(request.kind);
			return requests.push(request) > 0;
		},
		async receive(withinMs) {
			waits.push(withinMs);
			const next = script.shift();
			if (next instanceof Error) throw next;
			if (!next) throw new Error('The script is over');
			if (next.kind === 'silence') now += withinMs;
			if ('ms' in next) now += Number(next.ms);
			return next;
		},
	};
	const reconnect = async () => await Promise.resolve(reconnects.shift() ? channel : undefined);
	const ran = await runStatement(channel, { ...statement, ...change }, reconnect).then(
		(result) => ({ result }),
		(error: unknown) => ({ error }),
	);
	return { ...ran, sent, requests, waits, left: script.length } as {
		result?: unknown;
		error?: StatementError;
		sent: string[];
		requests: unknown[];
		waits: number[];
		left: number;
	};
}
