import { STATEMENT_LIMITS } from '../../../../nodes/Wherobots/transport/sql/runStatement';
import type { Received } from '../../../../nodes/Wherobots/transport/sql/socket';
import { after, closed, error, rows, run, silence, state } from '../../../support/scriptedSession';

describe('a statement that takes too long', () => {
	it.each<[string, Received[], string, string]>([
		['which is confirmed', [silence, state('cancelled')], 'timedOut', ''],
		['which is not confirmed', [silence, silence], 'timedOutOpen', ''],
		['and the connection is lost', [silence, closed], 'lost', 'Close code 1011: restart'],
	])('is cancelled, %s', async (_, script, problem, message) => {
		const ran = await run(script, { timeoutMs: 15_000 });
		expect(ran.error).toMatchObject({ problem, message });
		expect(ran.waits).toEqual([15_000, 10_000]);
		expect(ran.sent).toEqual(['execute_sql', 'cancel']);
	});

	// It may be a refusal of that request, because the statement has just finished.
	describe('an error after the request to cancel', () => {
		const timeoutMs = 15_000;

		it.each<[string, Received[], string, string]>([
			['confirms nothing', [error, silence], 'timedOutOpen', ''],
			['may be followed by the confirmation', [error, state('cancelled')], 'timedOut', ''],
			// Spark calls failed what was cancelled.
			['may be followed by a failure', [error, state('failed')], 'timedOut', ''],
			['may be the last message', [error, closed], 'lost', 'Close code 1011: restart'],
			[
				'after success may be about the rows',
				[state('succeeded'), error],
				'resultLost',
				'No such table',
			],
		])('%s', async (_, script, problem, message) => {
			const ran = await run([silence, ...script], { timeoutMs });
			expect(ran.error).toMatchObject({ problem, message });
			expect(ran.left).toBe(0);
		});

		it.each<[string, Received[], boolean, string]>([
			['success', [error, state('succeeded')], false, 'done'],
			['rows', [error, state('succeeded'), rows], true, 'rows'],
		])('may be followed by %s', async (_, script, mayReturnRows, kind) => {
			const { result } = await run([silence, ...script], { timeoutMs, mayReturnRows });
			expect(result).toMatchObject({ kind });
		});
	});

	it('does not wait for the reason for a failure without end', async () => {
		const { error: failed, waits } = await run([state('failed'), silence]);
		expect(failed).toMatchObject({ problem: 'failed', message: '' });
		expect(waits).toEqual([30_000, 5_000]);
	});

	it.each<[string, Received[], string[]]>([
		['has failed', [state('failed'), after(2_000, error)], ['execute_sql']],
		[
			'is being cancelled',
			[silence, after(2_000, state('running')), after(2_000, state('cancelled'))],
			['execute_sql', 'cancel'],
		],
	])('is not asked about its progress when it %s', async (_, script, requests) => {
		STATEMENT_LIMITS.silenceMs = 1_500;
		const { sent, left } = await run(script, { timeoutMs: 1_000 });
		expect([sent, left]).toEqual([requests, 0]);
	});
});
