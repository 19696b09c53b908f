/** Polls that ask for single runs first, because the poll before had no time for them. */
import { pollRuns } from '../../../../../nodes/Wherobots/trigger/core/runs/runPoll';
import { newRunState, type TrackedRun } from '../../../../../nodes/Wherobots/trigger/core/state';
import { HOUR, MINUTE } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { AskedRuns, NOW, run, unlimited } from './askedRuns';

const CREATED = NOW - 3 * HOUR;
const followed: TrackedRun = ['followed', CREATED, ['RUNNING']];
/** Ended so long ago that no list has it any more. */
const old: TrackedRun = ['old', CREATED, ['COMPLETED'], { endedAt: NOW - 20 * MINUTE }];
const state = { ...newRunState('scope', NOW - HOUR, [followed, old]), isWaiting: true as const };

/** More than the share of a poll's time after which nothing more is begun, but not all of it. */
const late = { spent: (share = 1) => share < 1 };

function serviceWith(status?: string): AskedRuns {
	const service = new AskedRuns(() => ({ items: [] }));
	service.single = status === undefined ? [] : [run('followed', CREATED, status)];
	return service;
}

test('lists are read in the same poll when there is time', async () => {
	const service = serviceWith('COMPLETED');
	const { changes } = await pollRuns(state, 'scope', service, unlimited);
	expect(changes.map((change) => change.run.id)).toEqual(['followed']);
	expect(service.asked).toHaveLength(1);
});

test('no list is begun when it is late', async () => {
	const service = serviceWith('COMPLETED');
	const { changes } = await pollRuns(state, 'scope', service, late);
	expect(changes.map((change) => change.run.id)).toEqual(['followed']);
	expect(service.asked).toEqual([]);
});

test.each([
	['when a run has been shown', 'RUNNING', ['followed']],
	["not before: only n8n's clock tells that it is so long ago", undefined, ['old', 'followed']],
])('what ended long ago is forgotten %s', async (_, status, left) => {
	const polled = await pollRuns(state, 'scope', serviceWith(status), late);
	expect(polled.state.runs.map(([id]) => id)).toEqual(left);
});
