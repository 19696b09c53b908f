import { pollRuns } from '../../../../../nodes/Wherobots/trigger/core/runs/runPoll';
import { newRunState, type TrackedRun } from '../../../../../nodes/Wherobots/trigger/core/state';
import { HOUR, MINUTE, SECOND } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { AskedRuns, NOW, paged, run, unlimited } from './askedRuns';

const WATERMARK = NOW - HOUR;
const LIST = WATERMARK - SECOND;
const NEWEST = WATERMARK + 5 * MINUTE;

const ended = (id: string) => run(id, NEWEST, 'COMPLETED');
const known = (id: string): TrackedRun => [id, NEWEST, ['COMPLETED']];

/** Polls once when everything before the newest run is final and passed, and two runs are known. */
async function pollAtRest(total: number | undefined, [first = 'one', second = 'two'] = []) {
	const service = new AskedRuns((_, cursor) => ({
		...paged([[ended(first)], [ended(second)]], cursor),
		total,
	}));
	const state = { ...newRunState('scope', WATERMARK, ['one', 'two'].map(known)), newest: NEWEST };
	const { changes } = await pollRuns(state, 'scope', service, unlimited);
	return { asked: service.asked, changes: changes.map((change) => change.run.id) };
}

const ALL = [[LIST], [LIST, '1']];

test.each([
	['of as many runs as are known is enough', 2, [[LIST]]],
	['of more runs than are known is followed by the others', 3, ALL],
	['without a total is followed by the others', undefined, ALL],
])('a first page that shows nothing new %s', async (_, total, asked) => {
	expect(await pollAtRest(total)).toEqual({ asked, changes: [] });
});

test('a first page with a new run is followed by the others', async () => {
	expect(await pollAtRest(2, ['new'] as never)).toEqual({ asked: ALL, changes: ['new'] });
});
