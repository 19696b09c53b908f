import { recognize, type Answer } from '../../../../nodes/Wherobots/trigger/core/recognizeKey';
import type { Source } from '../../../../nodes/Wherobots/trigger/core/source';
import type { Doubt } from '../../../../nodes/Wherobots/trigger/core/state';
import { MINUTE } from '../../../../nodes/Wherobots/trigger/core/watermark';

/** What polls one minute apart find out, each with one of these answers. */
async function afterAnswers(answers: Answer[]) {
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
	it.each<[string, Answer[]]>([
		['open', ['unknown', 'unknown']],
		['other', ['unknown', 'unknown', 'unknown']],
		// Seconds with more records than half a poll can read: hardly those of another organization.
		['known', ['unclear', 'unclear', 'unclear']],
		// An answer that was left unclear says nothing against those that were not.
		['open', ['unknown', 'unknown', 'unclear']],
		['other', ['unknown', 'unknown', 'unclear', 'unknown']],
		['known', ['unknown', 'unclear', 'known']],
	])('is %s after %j', async (expected, answers) => {
		await expect(afterAnswers(answers)).resolves.toBe(expected);
	});
});
