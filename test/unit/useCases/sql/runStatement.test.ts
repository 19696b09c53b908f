import { runStatement } from '../../../../nodes/Wherobots/useCases/sql/statement';
import type { Channel, Received } from '../../../../nodes/Wherobots/transport/socket';
import {
	after,
	closed,
	error,
	rows,
	run,
	running,
	says,
	silence,
	state,
	statement,
} from '../../../support/scriptedSession';

const HOUR = { timeoutMs: 3_600_000 };
const seconds = (waits: number[]) => waits.map((ms) => ms / 1000);

describe('a message that is lost', () => {
	it('is requested again after each silence', async () => {
		const script = [silence, silence, running, silence, silence, silence, rows];
		const { result, sent, waits } = await run(script, HOUR);
		expect(result).toMatchObject({ kind: 'rows' });
		expect(sent.filter((kind) => kind === 'execute_sql')).toHaveLength(1);
		// An answer is not news of the statement itself.
		expect(seconds(waits)).toEqual([30, 60, 120, 120, 240, 240, 240]);
	});

	it('is requested early again once the session has reported something', async () => {
		const progress = says('execution_progress', { tasks_total: 4, tasks_completed: 1 });
		const script = [silence, silence, progress, silence, state('running'), silence, rows];
		const { result, waits } = await run(script, HOUR);
		expect(result).toMatchObject({ kind: 'rows' });
		expect(seconds(waits)).toEqual([30, 60, 120, 30, 60, 30, 60]);
	});

	it('is requested only once more when it is the result, which each request has sent', async () => {
		// However often its success is reported.
		const script = [state('succeeded'), state('succeeded'), silence, silence];
		const { error, sent, waits } = await run(script, HOUR);
		expect(error).toMatchObject({ problem: 'resultLost' });
		expect(sent).toEqual(['execute_sql', 'retrieve_results', 'retrieve_results']);
		expect(seconds(waits)).toEqual([30, 120, 120, 3_480]);
	});

	it('is waited for when the session has forgotten the statement: it reports the end', async () => {
		const notFound = says('error', { message: 'Execution not found' });
		const script = [silence, notFound, silence, state('succeeded'), rows];
		const { result, sent } = await run([silence, notFound, state('succeeded'), rows]);
		expect(result).toMatchObject({ kind: 'rows' });
		expect(sent).toEqual(['execute_sql', 'retrieve_results', 'retrieve_results']);
		const late = await run(script, HOUR);
		// Nothing more is asked until the time limit, which cancels it.
		expect(late.sent.slice(0, 3)).toEqual(['execute_sql', 'retrieve_results', 'cancel']);
	});

	it.each([
		['for others', says('state_updated', { state: 'running', execution_id: 'e-2' })],
		['of an unknown kind', says('heartbeat')],
	])('is requested again even when there are messages %s', async (_, noise) => {
		const { result, sent, waits } = await run([noise, after(25_000, noise), noise, silence, rows]);
		expect(result).toMatchObject({ kind: 'rows' });
		expect(sent).toEqual(['execute_sql', 'retrieve_results']);
		expect(seconds(waits)).toEqual([30, 30, 5, 5, 30]);
	});
});

describe('no result', () => {
	const result = (more: object) => says('execution_result', { results: null, ...more });
	const failedResult = result({ state: 'failed', exception_on_failure: 'No' });

	it.each<[string, Array<Received>, string, string]>([
		['a failure in a result', [silence, failedResult], 'failed', 'No'],
		['failed, then cut', [state('failed'), closed], 'failed', ''],
		['cancelled by someone else', [state('cancelled')], 'cancelled', ''],
		['a refused inquiry', [silence, error], 'unclear', 'No such table'],
		// An error after the answer cannot be a refusal of the inquiry.
		['why, after an answer', [silence, running, error], 'failed', 'No such table'],
	])('%s', async (_, script, problem, message) => {
		const { error: failed, sent } = await run(script);
		expect(failed).toMatchObject({ name: 'StatementError', problem, message });
		expect(sent).not.toContain('cancel');
	});

	it.each<[string, Received]>([
		['cancelled', state('cancelled')],
		['a result of an unknown state', result({ state: 'x', exceptionOnFailure: 'No' })],
		['an error', error],
	])('after success means that the result is lost: %s', async (_, next) => {
		const { error: lost, sent } = await run([state('succeeded'), next]);
		expect(lost).toMatchObject({ problem: 'resultLost' });
		expect(sent).toEqual(['execute_sql', 'retrieve_results']);
	});

	it('does not follow from a state after success that says nothing', async () => {
		const script = [state('succeeded'), running, state('expired'), silence, rows];
		const { result } = await run(script, HOUR);
		expect(result).toMatchObject({ kind: 'rows' });
	});

	it('does not follow from an error that names no statement: it belongs to nobody', async () => {
		const own = says('error', { message: 'Out of memory', execution_id: undefined });
		expect((await run([own, state('succeeded'), own, rows])).result).toMatchObject({
			kind: 'rows',
		});
	});
});

it('is not sent over a connection that is over', async () => {
	const over: Channel = { send: () => false, receive: async () => closed };
	const none = async () => await Promise.resolve(undefined);
	await expect(runStatement(over, statement, none)).rejects.toMatchObject({ problem: 'notSent' });
});

describe('a lost connection', () => {
	const attached = { attached: true };
	const running = says('execution_result', { state: 'running', results: null, ...attached });

	it('is made again as often as it is lost while the statement runs', async () => {
		const script = [closed, running, closed, closed, running, state('succeeded'), rows];
		const { result } = await run(script, {}, [true, true, true]);
		expect(result).toMatchObject({ kind: 'rows' });
	});

	const notFound = says('error', { message: 'Execution not found' });
	const cancelled = state('cancelled');
	const old = says('execution_result', { state: 'running', results: null });
	it.each<[string, Received[], boolean[], string]>([
		['whose session is too old and has forgotten it', [closed, old, notFound], [true], 'lost'],
		['whose session has cancelled it', [closed, running, cancelled], [true], 'lost'],
		['while the reason for a failure is awaited', [state('failed'), closed], [], 'failed'],
	])('%s is an error that says what is known', async (_, script, reconnects, problem) => {
		const { error, left } = await run(script, {}, reconnects);
		expect([error?.problem, left]).toEqual([problem, 0]);
	});

	it('has the session cancel again what is being cancelled', async () => {
		const script = [silence, closed, running, cancelled];
		const { error, sent } = await run(script, { timeoutMs: 15_000 }, [true]);
		expect(error).toMatchObject({ problem: 'timedOut' });
		expect(sent).toEqual(['execute_sql', 'cancel', 'retrieve_results', 'cancel']);
	});
});
