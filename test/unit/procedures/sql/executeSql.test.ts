import { isAmbiguous, isTemporary } from '../../../../nodes/Wherobots/transport/failure';
import { StatementError, type Problem } from '../../../../nodes/Wherobots/procedures/sql/problems';
import { ready } from '../../../support/sqlClient';
import { READ, WRITE, connection, suiteOfExecutions } from '../../../support/sqlExecution';

const executing = suiteOfExecutions();

describe('no result', () => {
	const ADVICE = {
		again: /It only reads, so it can be run again/,
		costly: /It only reads, so it can be run again, but that costs as much again/,
		done: /Its changes have been made: do not run it again/,
		check: /Before you run it again, check whether they were made/,
		nothing: /The statement was not sent: run the node again/,
		longer: /It exceeded 60 seconds. Raise 'Query Timeout \(Seconds\)'/,
		unconfirmed: /did not confirm that it was cancelled/,
	};

	it.each<[Problem, string, string, Array<keyof typeof ADVICE>]>([
		['failed', READ, 'failed', []],
		['failed', WRITE, 'failed', []],
		['cancelled', READ, 'cancelled', []],
		['cancelled', WRITE, 'cancelled', []],
		['timedOut', READ, 'cancelled', ['longer']],
		['timedOut', WRITE, 'cancelled', ['longer']],
		['timedOutOpen', READ, 'unknown', ['again', 'longer', 'unconfirmed']],
		['timedOutOpen', WRITE, 'unknown', ['check', 'longer', 'unconfirmed']],
		['lost', READ, 'unknown', ['again']],
		['lost', WRITE, 'unknown', ['check']],
		['unclear', WRITE, 'unknown', ['check']],
		['unreadable', WRITE, 'unknown', ['check']],
		['resultLost', READ, 'succeeded', ['again', 'costly']],
		['resultLost', WRITE, 'succeeded', ['done']],
		['notSent', READ, 'notSent', ['nothing']],
	])('%s: says what is known and what to do (%s)', async (problem, text, state, advice) => {
		const socket = connection(new StatementError(problem, 'Why'));
		const { error } = await executing([socket], { change: { text, onlyReads: text === READ } });
		const explanation = error.description;
		expect(Object.entries(ADVICE).filter(([, each]) => each.test(explanation))).toEqual(
			Object.entries(ADVICE).filter(([name]) => advice.some((each) => each === name)),
		);
		expect(explanation).toMatch(/Session ID: s-1\nExecution ID: e-1$/);
		expect(error.facts).toEqual({
			...{ sessionId: 's-1', executionId: 'e-1', state },
			...(problem === 'failed' && { cause: 'Why' }),
			...(advice.includes('check') && { ambiguous: true }),
		});
		// An error says that the statement can be run again, or that it must not be, never both.
		expect(isAmbiguous(error)).toBe(advice.includes('check'));
		expect(isTemporary(error)).toBe(advice.includes('again') || advice.includes('nothing'));
		// What may have been carried out is never sent a second time.
		if (problem !== 'notSent') expect(socket.send).toHaveBeenCalledTimes(1);
	});

	it('says what to do, and names the statement, however long the reason is', async () => {
		const trace = `Job aborted\n${'\tat org.apache.spark.Task.run(Task.scala:1)\n'.repeat(500)}`;
		const failure = { ...ready, firstFailure: { message: trace.replace('Job', 'Driver') } };
		const unclear = connection(new StatementError('unclear', trace));
		const { error } = await executing([unclear], {
			sessions: [failure],
			change: { text: WRITE, onlyReads: false },
		});
		expect(error.description).toContain('The session reported: Driver aborted');
		expect(error.description).toMatch(ADVICE.check);
		expect(error.description).toMatch(/Session ID: s-1\nExecution ID: e-1$/);
	});

	it.each<[Problem, string, string, string]>([
		['failed', 'No such table', ': No such table', ''],
		['failed', 'No such table\nat line 1', ': No such table', 'at line 1'],
		[
			'failed',
			'[NONE] No table. SQLSTATE: 42P01',
			': No table',
			'Correct the statement: as it is, it fails each time.',
		],
		[
			'failed',
			'[NONE] No table; line 1 pos 14',
			': No table; line 1 pos 14',
			'Correct the statement: as it is, it fails each time.',
		],
		['failed', '', '', ''],
		['cancelled', 'By hand', '', 'By hand'],
	])('%s: gives the whole reason, and only once (%j)', async (problem, message, more, below) => {
		const { error } = await executing([connection(new StatementError(problem, message))]);
		expect(error.message).toMatch(new RegExp(`^The statement (failed|was cancelled.*)${more}$`));
		expect(error.description).toBe(`${below}${below && '\n'}Session ID: s-1\nExecution ID: e-1`);
	});
});

describe('what went wrong first in the session', () => {
	const failure = { ...ready, firstFailure: { message: 'Driver ran out of memory' } };

	it.each<[Problem, boolean]>([
		['lost', true],
		['failed', true],
		['resultLost', true],
		['cancelled', false],
	])('is part of the error: %s (%j)', async (problem, isSaid) => {
		const lost = connection(new StatementError(problem, 'Close code 1006'));
		const { error } = await executing([lost], { sessions: [failure] });
		const words = 'The session reported: Driver ran out of memory';
		expect(error.description.includes(words)).toBe(isSaid);
	});
});

it('a connection that is lost again at once each time is given up after a minute', async () => {
	const lost = { kind: 'lost', problem: 'Close code 1006' } as const;
	const ending = { ...connection(), receive: async () => await Promise.resolve(lost) };
	const { error, tookMs } = await executing([ending]);
	expect(error.message).toMatch(/connection.*lost/);
	expect(tookMs).toBeLessThanOrEqual(65_000);
});
