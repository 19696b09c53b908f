import { pollRuns } from '../../../../../nodes/Wherobots/trigger/core/runs/runPoll';
import { newRunState, type TrackedRun } from '../../../../../nodes/Wherobots/trigger/core/state';
import { HOUR, MINUTE, SECOND } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { AskedRuns, NOW, paged, run, unlimited } from './askedRuns';

const WATERMARK = NOW - HOUR;
const LIST = WATERMARK - SECOND;
const NEWEST = WATERMARK + 5 * MINUTE;

const ended = (id: string) => run(id, NEWEST, 'COMPLETED');
const known = (id: string): TrackedRun => [id, NEWEST, ['COMPLETED']];

/** Polls once when everything that is final has been passed, and two runs are known. */
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
	['is enough when there are as many runs as are known', 2, [[LIST]]],
	['is followed by the others when there are more runs than are known', 3, ALL],
	['is followed by the others when there is no total', undefined, ALL],
])('a first page that shows nothing new %s', async (_, total, asked) => {
	expect(await pollAtRest(total)).toEqual({ asked, changes: [] });
});

test('a first page with a new run is followed by the others', async () => {
	expect(await pollAtRest(2, ['new'] as never)).toEqual({ asked: ALL, changes: ['new'] });
});
