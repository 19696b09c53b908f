import { pollRuns } from '../../../../../nodes/Wherobots/trigger/core/runs/runPoll';
import { newRunState } from '../../../../../nodes/Wherobots/trigger/core/state';
import { HOUR, MINUTE, SECOND } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { jobRuns } from '../../../../../nodes/Wherobots/trigger/serviceSource';
import { AskedRuns, NOW, run, unlimited } from './askedRuns';

test('a run without a time hides none of a list that is an hour behind', async () => {
	const runs = [run('old', NOW - HOUR, 'COMPLETED'), run('timeless', undefined, 'COMPLETED')];
	const service = new AskedRuns((list) => ({
		items: runs.filter(
			(each) => list !== 'active' && (jobRuns.times(each).created ?? Infinity) >= list,
		),
	}));
	let state = newRunState('scope', NOW - 2 * HOUR, []);
	const given: string[] = [];
	for (let poll = 0; poll < 4; poll++) {
		const polled = await pollRuns(state, 'scope', service, unlimited);
		state = polled.state;
		given.push(...polled.changes.map((change) => change.run.id));
		service.time += MINUTE;
		runs.push(run(`late-${poll}`, NOW - HOUR + (poll + 1) * MINUTE + SECOND, 'COMPLETED'));
	}
	expect(given).toEqual(['old', 'timeless', 'late-0', 'late-1', 'late-2']);
});
