import { recognize } from '../../../../nodes/Wherobots/trigger/core/recognizeKey';
import type { Source } from '../../../../nodes/Wherobots/trigger/core/source';
import {
	newRunState,
	type Doubt,
	type RunState,
} from '../../../../nodes/Wherobots/trigger/core/state';
import { MINUTE } from '../../../../nodes/Wherobots/trigger/core/watermark';

/** What polls so many minutes apart conclude from these answers, one each. */
async function afterAnswers(answers: boolean[], minutes: number) {
	let state = {
		...newRunState('scope', 0, []),
		doubt: { credential: 'new', asked: 0 },
	} as RunState;
	for (const [index, answer] of answers.entries()) {
		const now = () => (10 + index * minutes) * MINUTE;
		const source = { now, localNow: now, knowsTime: () => true } as unknown as Source;
		const ask = () => Promise.resolve(answer);
		const begin = (since: number) => newRunState('other', since, []);
		const found = await recognize(state, state.doubt as Doubt, source, ask, begin);
		({ state } = found);
		if (state.scope === 'other') {
			expect(found.notes).toEqual([expect.stringContaining('belongs to another organization')]);
			return `other since minute ${state.watermark / MINUTE}`;
		}
		expect(found.notes).toEqual([]);
		if (!state.doubt) return 'known';
	}
	return 'open';
}

describe('a new key', () => {
	it.each<[string, boolean[], number]>([
		['open', [false, false], 1],
		['open', [false, false], 10],
		['open', [false, false, false], 0.9],
		['other since minute 10', [false, false, false], 1],
		['known', [false, false, true], 1],
	])('is %s after %j, each %d minutes after the one before', async (expected, answers, minutes) => {
		await expect(afterAnswers(answers, minutes)).resolves.toBe(expected);
	});
});
