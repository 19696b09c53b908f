import { JobRun } from '../../../../nodes/Wherobots/service/records/jobRun';
import { sortByTime } from '../../../../nodes/Wherobots/trigger/runs/runEvents';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 12, minute)).toISOString();

const [CREATED, STARTED, COMPLETED, UPDATED] = [1, 2, 3, 4].map(at);

const timedRun = (status: string, more: object = {}) =>
	new JobRun({
		id: 'r1',
		name: 'nightly',
		status,
		createTime: CREATED,
		startTime: STARTED,
		completeTime: COMPLETED,
		updateTime: UPDATED,
		...more,
	});

describe('the time of a change', () => {
	it.each([
		['PENDING', 'creation', CREATED],
		['RUNNING', 'start', STARTED],
		['COMPLETED', 'end', COMPLETED],
		['FAILED', 'end', COMPLETED],
		['CANCELLED', 'end', COMPLETED],
		['TIMED_OUT', 'end', COMPLETED],
		['HIBERNATING', 'last update, as that status is unknown', UPDATED],
	])('to %s is the time of its %s', (status, _, expected) => {
		expect(timedRun(status).changeTime).toBe(expected);
	});

	const neither = { startTime: null, updateTime: undefined };
	it.each([
		['that of the last update when its own is missing', { startTime: null }, UPDATED],
		['that of the creation when both are missing', neither, CREATED],
		['unknown when all are missing', { ...neither, createTime: undefined }, undefined],
	])('is %s', (_, more, expected) => {
		expect(timedRun('RUNNING', more).changeTime).toBe(expected);
	});
});

describe('changes', () => {
	const orderOf = (runs: JobRun[]) =>
		sortByTime(runs.map((run) => ({ run, previousStatus: null }))).map(({ run }) => run.id);
	const startedAt = (id: string, minute: number) =>
		timedRun('RUNNING', { id, startTime: at(minute) });
	const [first, second] = [startedAt('a', 10), startedAt('b', 20), startedAt('c', 30)];

	it('within one millisecond come in the order in which they happened', () => {
		const [a, b] = ['000002', '000001'].map((micros) =>
			timedRun('RUNNING', { id: micros, startTime: `2026-01-01T10:00:00.${micros}Z` }),
		);
		expect(orderOf([a, b])).toEqual(['000001', '000002']);
	});

	it('without a valid time come first, in the order found', () => {
		const unread = ['y', 'x'].map((id) => timedRun('RUNNING', { id, startTime: 'soon' }));
		expect(orderOf([unread[0], first, unread[1]])).toEqual(['y', 'x', 'a']);
		expect(orderOf([second, first, ...unread])).toEqual(['y', 'x', 'a', 'b']);
	});
});
