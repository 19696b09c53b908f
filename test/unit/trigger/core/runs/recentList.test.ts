/** Lists as a poll meets them: what it reads of them, and what it takes. */
import { pollRuns } from '../../../../../nodes/Wherobots/trigger/core/runs/runPoll';
import { newRunState, type TrackedRun } from '../../../../../nodes/Wherobots/trigger/core/state';
import { DAY, HOUR, MINUTE, SECOND } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { AskedRuns, NOW, run, unlimited } from './askedRuns';

const WATERMARK = NOW - HOUR;
const LIST = WATERMARK - SECOND;

const running = (id: string, created: number) => run(id, created, 'RUNNING');
const known = (id: string, created: number): TrackedRun => [id, created, ['RUNNING']];

/** A list of two pages with one run each, of which the first is known. */
const twoPages = (meant: 'active' | number) =>
	new AskedRuns((list, cursor) => {
		if (list !== meant) return { items: [] };
		return cursor === undefined
			? { items: [running('known', LIST)], next: 'p2', total: 2 }
			: { items: [running('new', NOW)] };
	});

const two = [known('known', LIST), known('ended', NOW)];

test.each([
	['is not read on', {}, [[LIST]]],
	['is read on when something is final', { newest: NOW }, [[LIST], [LIST, 'p2']]],
])('a list whose first page has as many runs as are known %s', async (_, more, asked) => {
	const runs = [...two, known('older', NOW - DAY)];
	const service = twoPages(LIST);
	await pollRuns(
		{ ...newRunState('scope', WATERMARK, runs), ...more },
		'scope',
		service,
		unlimited,
	);
	expect(service.asked.filter(([list]) => list !== 'active')).toEqual(asked);
});

test('in a first poll the list of active runs is read on: others may have ended', async () => {
	const begun = { ...newRunState('scope', WATERMARK, two), began: NOW - MINUTE, baseline: 0 };
	const service = twoPages('active');
	service.time = NOW - MINUTE;
	await pollRuns(begun, 'scope', service, unlimited);
	expect(service.asked.slice(0, 2)).toEqual([['active'], ['active', 'p2']]);
});

test('a run that is older than the list that was asked for is left out, whatever the service shows', async () => {
	const items = [running('older', LIST - 1_000), running('oldest', LIST)];
	const service = new AskedRuns((list) => ({ items: list === 'active' ? [] : items }));
	const state = newRunState('scope', WATERMARK, []);
	const { changes } = await pollRuns(state, 'scope', service, unlimited);
	expect(changes.map((change) => change.run.id)).toEqual(['oldest']);
});
