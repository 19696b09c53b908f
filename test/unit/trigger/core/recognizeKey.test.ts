import { recognize } from '../../../../nodes/Wherobots/trigger/core/recognizeKey';
import type { Source } from '../../../../nodes/Wherobots/trigger/core/source';
import {
	newRunState,
	type Doubt,
	type RunState,
} from '../../../../nodes/Wherobots/trigger/core/state';
import { MINUTE } from '../../../../nodes/Wherobots/trigger/core/watermark';

/** What polls one minute apart conclude from these answers, one each. */
async function afterAnswers(answers: boolean[]) {
	let state = {
		...newRunState('scope', 0, []),
		doubt: { credential: 'new', asked: 0 },
	} as RunState;
	for (const [minute, answer] of answers.entries()) {
		const now = () => minute * MINUTE;
		const source = { now, localNow: now, knowsTime: () => true } as unknown as Source;
		const ask = () => Promise.resolve(answer);
		const begin = (since: number) => newRunState('other', since, []);
		({ state } = await recognize(state, state.doubt as Doubt, source, ask, begin));
		if (state.scope === 'other') return `other since ${state.watermark}`;
		if (!state.doubt) return 'known';
	}
	return 'open';
}

describe('a new key', () => {
	it.each<[string, boolean[]]>([
		['open', [false, false]],
		['other since 0', [false, false, false]],
		['known', [false, false, true]],
	])('is %s after %j', async (expected, answers) => {
		await expect(afterAnswers(answers)).resolves.toBe(expected);
	});
});
