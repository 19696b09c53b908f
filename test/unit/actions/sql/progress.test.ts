import { loggedProgress } from '../../../../nodes/Wherobots/actions/sql/progress';

it('the log of n8n has a line on the progress of a statement every ten seconds at most', () => {
	let now = 5_000;
	jest.spyOn(performance, 'now').mockImplementation(() => now);
	const info = jest.fn();
	const ids = { executionId: 'e', sessionId: 's' };
	const log = loggedProgress({ logger: { info } as never }, ids);
	for (const [at, completed] of [
		[5_000, 1],
		[14_999, 2],
		[15_000, 3],
		[24_999, 4],
	]) {
		now = at;
		log({ completed, total: 9, active: 2 });
	}
	expect(info.mock.calls).toEqual([
		['Wherobots SQL: 1 of 9 tasks done, 2 running', ids],
		['Wherobots SQL: 3 of 9 tasks done, 2 running', ids],
	]);
	jest.restoreAllMocks();
});
