/** Which runs have been pending or running for too long. */
import { type JobRun, jobRuns } from '../../../../nodes/Wherobots/service/records/jobRun';
import { MINUTE, type TrackedRun } from '../../../../nodes/Wherobots/trigger/core/cursor';
import { findExceeding } from '../../../../nodes/Wherobots/trigger/runs/durationEvent';
import { iso, NOW, run } from '../service';

/** Nothing is known of earlier runs. */
const findUsual = () => ({ runs: 0, limit: Infinity });

const LIMITS = { PENDING: 5 * MINUTE, RUNNING: 10 * MINUTE };

/** A run: minutes ago it was created, started and ended. */
function aged(status: string, created: number, started?: number, ended?: number): JobRun {
	const at = (ago?: number) => (ago === undefined ? undefined : iso(NOW - ago * MINUTE));
	return run('a', NOW - created * MINUTE, status, {
		startTime: at(started),
		completeTime: at(ended),
	});
}

interface Case {
	/** Undefined: it has not changed since the last poll. */
	previous?: string | null;
	statuses?: string[];
	reported?: string[];
}

function find(shown: JobRun, { previous, statuses = [shown.status], reported }: Case = {}) {
	const tracked: TrackedRun[] = [['a', NOW, statuses]];
	const changes = previous === undefined ? [] : [{ run: shown, previousStatus: previous }];
	const polled = {
		changes,
		shown: [{ run: shown, at: NOW }],
		state: { scope: 'scope', watermark: NOW, runs: tracked },
	};
	const { exceeding, exceeded } = findExceeding(
		polled,
		reported && { a: reported },
		LIMITS,
		jobRuns,
		findUsual,
	);
	return {
		found: exceeding.map(({ status, duration }) => `${status} ${duration / MINUTE}`),
		exceeded,
	};
}

test.each<[string, JobRun, Case, string[]]>([
	['is certainly pending for longer', aged('PENDING', 10.1), {}, ['PENDING 10.1']],
	['not before: a list may be five minutes behind', aged('PENDING', 10), {}, []],
	['is running', aged('RUNNING', 60, 15.1), {}, ['RUNNING 15.1']],
	['is running without a start, from its creation', aged('RUNNING', 15.1), {}, ['RUNNING 15.1']],
	['was pending when last seen', aged('RUNNING', 7, 1), { previous: 'PENDING' }, ['PENDING 6']],
	['not if it left that in time', aged('RUNNING', 6, 1), { previous: 'PENDING' }, []],
	['not if it was already running then', aged('RUNNING', 60, 1), {}, []],
	['was running when seen', aged('FAILED', 60, 12, 1), { previous: 'RUNNING' }, ['RUNNING 11']],
	['has passed both', aged('FAILED', 30, 12, 1), { previous: null }, ['PENDING 18', 'RUNNING 11']],
	['never started', aged('CANCELLED', 30, undefined, 1), { previous: null }, ['PENDING 29']],
	['not twice', aged('RUNNING', 60, 20), { reported: ['RUNNING'] }, []],
	['for each limit', aged('RUNNING', 60, 20), { reported: ['PENDING'] }, ['RUNNING 20']],
	['not when a list is behind', aged('PENDING', 60), { statuses: ['PENDING', 'RUNNING'] }, []],
	['not without times', run('a', NOW, 'RUNNING', { createTime: 'soon' }), { previous: null }, []],
])('a run is reported that %s', (_, shown, known, expected) => {
	expect(find(shown, known).found).toEqual(expected);
});

test('what was reported is remembered as long as the run is followed', () => {
	expect(find(aged('RUNNING', 60, 20), { reported: ['PENDING'] }).exceeded).toEqual({
		a: ['PENDING', 'RUNNING'],
	});
	const nothing = { changes: [], shown: [], state: { scope: 'scope', watermark: NOW, runs: [] } };
	const { exceeded } = findExceeding(nothing, { a: ['PENDING'] }, LIMITS, jobRuns, findUsual);
	expect(exceeded).toBeUndefined();
});
