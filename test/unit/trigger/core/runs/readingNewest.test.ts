/** Up to where a reading of the list counts as complete, by the newest run that had been shown before. */
import { pollRuns } from '../../../../../nodes/Wherobots/trigger/core/runs/runPoll';
import { newRunState, type RunState } from '../../../../../nodes/Wherobots/trigger/core/state';
import type { Run } from '../../../../../nodes/Wherobots/service/types';
import { HOUR, MINUTE } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { AskedRuns, NOW, paged, run, unlimited } from './askedRuns';

const OLDER = NOW - 40 * MINUTE;
const NEWER = NOW - 10 * MINUTE;
const older = run('older', OLDER, 'COMPLETED');
const newer = run('newer', NEWER, 'COMPLETED');

function serviceOf(...pages: Run[][]): AskedRuns {
	return new AskedRuns((list, cursor) => paged(list === 'active' ? [] : pages, cursor));
}

/** Both runs are known. */
function before(more: Partial<RunState> = {}): RunState {
	const known = [older, newer].map(
		({ id }, index) => [id, [OLDER, NEWER][index], ['COMPLETED']] as RunState['runs'][number],
	);
	return { ...newRunState('scope', NOW - HOUR, known), ...more };
}

test.each([
	['one page that shows it', [[older, newer]], NEWER - 5 * MINUTE],
	['one page that does not', [[older]], NEWER - 5 * MINUTE],
	['several pages, of which the last shows it', [[older], [newer]], NEWER - 5 * MINUTE],
])('the watermark follows the newest run: %s', async (_, pages, watermark) => {
	const { state } = await pollRuns(before(), 'scope', serviceOf(...pages), unlimited);
	expect(state.watermark).toBe(watermark);
});

test('a reading of several polls keeps the newest run that was known when it began', async () => {
	const service = serviceOf([older], [newer]);
	const { state } = await pollRuns(before(), 'scope', service, service.timeFor(1));
	expect(state.resume).toMatchObject({ cursor: '1', final: NEWER - 5 * MINUTE });
});

test('a reading of several polls does not count runs that came after it began', async () => {
	const resume = { cursor: '1', count: 1, final: OLDER - 5 * MINUTE };
	const service = serviceOf([older], [newer]);
	const { state } = await pollRuns(before({ resume }), 'scope', service, unlimited);
	expect(state.watermark).toBe(OLDER - 5 * MINUTE);
});
