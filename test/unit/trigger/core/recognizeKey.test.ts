import { recognize } from '../../../../nodes/Wherobots/trigger/core/recognizeKey';
import type { Source } from '../../../../nodes/Wherobots/trigger/core/source';
import type { Doubt } from '../../../../nodes/Wherobots/trigger/core/state';
import { MINUTE } from '../../../../nodes/Wherobots/trigger/core/watermark';

/** What polls one minute apart find out, each with one of these answers. */
async function afterAnswers(answers: boolean[]) {
	let doubt: Doubt | undefined = { credential: 'new', asked: 0 };
	for (const [minute, answer] of answers.entries()) {
		const now = () => minute * MINUTE;
		const source = { now, localNow: now, knowsTime: () => true } as unknown as Source;
		const found = await recognize(doubt, source, () => Promise.resolve(answer));
		if (found.kind === 'other') return 'other';
		doubt = found.doubt;
		if (!doubt) return 'known';
	}
	return 'open';
}

describe('a new key', () => {
	it.each<[string, boolean[]]>([
		['open', [false, false]],
		['other', [false, false, false]],
		['known', [false, false, true]],
	])('is %s after %j', async (expected, answers) => {
		await expect(afterAnswers(answers)).resolves.toBe(expected);
	});
});
