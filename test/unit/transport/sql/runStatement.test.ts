import { CancelledError } from '../../../../nodes/Wherobots/transport/clock';
import { runStatement } from '../../../../nodes/Wherobots/transport/sql/runStatement';
import type { Channel, Received } from '../../../../nodes/Wherobots/transport/sql/socket';
import {
	after,
	closed,
	error,
	ID,
	rows,
	run,
	running,
	says,
	silence,
	state,
	statement,
} from '../../../support/scriptedSession';

it.each([
	[undefined, {}],
	['geojson', { store: { format: 'geojson', single: 'true', generate_presigned_url: 'true' } }],
	[
		'csv',
		{
			store: {
				...{ format: 'csv', single: 'true', generate_presigned_url: 'true' },
				options: { header: 'true', escape: '"' },
			},
		},
	],
] as const)('a statement is sent with where its result is to go: %s', async (file, more) => {
	const { requests } = await run([closed], { file });
	expect(requests[0]).toStrictEqual({
		...{ kind: 'execute_sql', execution_id: ID, statement: 'SELECT 1' },
		...more,
	});
});

const file = 'csv';

describe('success', () => {
	it('is followed by one request for the rows, however often it is reported', async () => {
		const script = [
			state('pending'),
			state('running'),
			state('succeeded'),
			state('succeeded'),
			rows,
		];
		const { result, sent } = await run(script);
		expect(result).toMatchObject({ kind: 'rows', rows: { bytes: '[]', geoColumns: ['g'] } });
		expect(sent).toEqual(['execute_sql', 'retrieve_results']);
	});

	it('is the whole result of a statement without rows', async () => {
		const { result, sent } = await run([state('succeeded')], { mayReturnRows: false });
		expect(result).toEqual({ kind: 'done' });
		expect(sent).toEqual(['execute_sql']);
	});

	it.each([
		[
			{ result_uri: 'https://x', size: 5 },
			{ kind: 'stored', uri: 'https://x' },
		],
		[
			{ result_uri: null, size: null },
			{ kind: 'stored', uri: null },
		],
		[
			{ result_uri: null, size: 0 },
			{ kind: 'stored', uri: null },
		],
		[{}, { kind: 'stored', uri: null }],
	])('brings the address of a file: %j', async (more, result) => {
		const ran = await run([state('succeeded', more)], { file });
		expect(ran.result).toEqual(result);
		expect(ran.sent).toEqual(['execute_sql']);
	});

	it.each([{ size: 5 }, { result_uri: null, size: 5 }, { result_uri: '', size: 5 }])(
		'with a file that has a size but no address is not an empty result: %j',
		async (more) => {
			const { error } = await run([state('succeeded', more)], { file });
			expect(error).toMatchObject({ problem: 'resultLost' });
			expect(error?.message).toContain('did not provide a URL');
		},
	);

	it('without rows may be reported as a result of null', async () => {
		const nothing = says('execution_result', { state: 'succeeded', results: null });
		expect((await run([state('succeeded'), nothing])).result).toEqual({ kind: 'done' });
	});
});

describe('a message that is lost', () => {
	it('is requested again after each silence', async () => {
		const script = [silence, silence, silence, silence, silence, running, silence, rows];
		const { result, sent, waits } = await run(script, { timeoutMs: 3_600_000 });
		expect(result).toMatchObject({ kind: 'rows' });
		expect(sent.filter((kind) => kind === 'execute_sql')).toHaveLength(1);
		expect(waits.map((ms) => ms / 1000)).toEqual([20, 20, 20, 20, 20, 20, 20, 20]);
	});

	it.each([
		['for others', says('state_updated', { state: 'running', execution_id: 'e-2' })],
		['of an unknown kind', says('heartbeat')],
	])('is requested again even when there are messages %s', async (_, noise) => {
		const { result, sent, waits } = await run([noise, after(15_000, noise), noise, silence, rows]);
		expect(result).toMatchObject({ kind: 'rows' });
		expect(sent).toEqual(['execute_sql', 'retrieve_results']);
		expect(waits.map((ms) => ms / 1000)).toEqual([20, 20, 5, 5, 20]);
	});

	it('may be the one with the address of the file', async () => {
		const found = says('execution_result', { state: 'succeeded', result_uri: 'https://x' });
		expect((await run([silence, found], { file })).result).toMatchObject({ uri: 'https://x' });
		const silent = says('execution_result', { state: 'succeeded', results: null });
		expect((await run([silence, silent], { file })).error?.problem).toBe('resultLost');
	});
});

describe('no result', () => {
	const notFound = says('error', { message: 'Execution not found' });
	const namedNotFound = says('error', { message: 'Execution e-1 was not found' });

	it.each<[string, Array<Received>, string, string]>([
		['failed, then why', [state('failed'), error], 'failed', 'No such table'],
		['why, then failed', [error, state('failed')], 'failed', 'No such table'],
		[
			'a failure in a result',
			[silence, says('execution_result', { state: 'failed', exception_on_failure: 'No' })],
			'failed',
			'No',
		],
		['failed, then cut', [state('failed'), closed], 'failed', ''],
		['cancelled by someone else', [state('cancelled')], 'cancelled', ''],
		['cut', [state('running'), closed], 'lost', 'Close code 1011: restart'],
		['cut after success', [state('succeeded'), closed], 'resultLost', 'Close code 1011: restart'],
		['refused rows', [state('succeeded'), error], 'resultLost', 'No such table'],
		['forgotten', [notFound], 'unclear', 'Execution not found'],
		['forgotten, by its ID', [namedNotFound], 'unclear', 'Execution e-1 was not found'],
		[
			'forgotten after success',
			[state('succeeded'), notFound],
			'resultLost',
			'Execution not found',
		],
		['a refused inquiry', [silence, error], 'unclear', 'No such table'],
		// An error after the answer cannot be a refusal of the inquiry.
		['why, after an answer', [silence, running, error], 'failed', 'No such table'],
		['garbage', [{ kind: 'unreadable', problem: 'x' }], 'unreadable', 'x'],
	])('%s', async (_, script, problem, message) => {
		const { error: failed, sent } = await run(script);
		expect(failed).toMatchObject({ name: 'StatementError', problem, message });
		expect(sent).not.toContain('cancel');
	});

	const result = (more: object) => says('execution_result', { results: null, ...more });
	it.each<[string, Received]>([
		['failed', state('failed')],
		['cancelled', state('cancelled')],
		['a result that failed', result({ state: 'failed', exception_on_failure: 'No' })],
		['a result that failed, without a message', result({ state: 'failed' })],
		['a result that was cancelled', result({ state: 'cancelled' })],
		[
			'a result of an unknown state with a failure',
			result({ state: 'x', exceptionOnFailure: 'No' }),
		],
		['an error', error],
	])('after success means that the result is lost: %s', async (_, next) => {
		const { error: lost, sent } = await run([state('succeeded'), next]);
		expect(lost).toMatchObject({ problem: 'resultLost' });
		expect(sent).toEqual(['execute_sql', 'retrieve_results']);
	});

	it('does not follow from a state after success that says nothing', async () => {
		const script = [state('succeeded'), running, state('expired'), silence, rows];
		expect((await run(script)).result).toMatchObject({ kind: 'rows' });
	});

	it('does not follow from messages for others or of unknown kinds', async () => {
		const script = [
			{ ...says('error', { message: 'no', execution_id: 'e-2' }) },
			says('something_new', { state: 'failed' }),
			{ kind: 'message' as const, message: 'text' },
			state('thinking'),
			state('succeeded'),
			rows,
		];
		expect((await run(script)).result).toBeDefined();
	});

	// The statement may still be running, so it must not be taken for failed and sent again.
	it.each([
		['leaves its outcome unclear', [], 'unclear'],
		['says why the statement failed', [state('failed')], 'failed'],
	])('an error of the session itself %s', async (_, before, problem) => {
		const own = says('error', { message: 'Out of memory', execution_id: undefined });
		const { error } = await run([...before, own]);
		expect(error).toMatchObject({ problem, message: 'Out of memory' });
	});
});

it('is cancelled when the execution is', async () => {
	const { error, sent } = await run([state('running'), new CancelledError()]);
	expect(error).toBeInstanceOf(CancelledError);
	expect(sent).toEqual(['execute_sql', 'cancel']);
});

it('is not sent over a connection that is over', async () => {
	const over: Channel = { send: () => false, receive: async () => closed };
	await expect(runStatement(over, statement)).rejects.toMatchObject({ problem: 'notSent' });
});
