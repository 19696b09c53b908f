import { formatTime } from '../../../../../nodes/Wherobots/service/time/time';
import {
	MAX_REMEMBERED,
	MINUTE,
	SECOND,
} from '../../../../../nodes/Wherobots/trigger/core/watermark';
import {
	AskedLog,
	before,
	event,
	known,
	NOW,
	poll,
	rules,
	unlimited,
	WATERMARK,
} from './askedPoll';

/** The newest known event; what is older than it by more than the overlap is final. */
const newest = WATERMARK + 15 * MINUTE;
const final = newest - rules.overlap;

/** This many known events from a time on, a hundredth of a second apart. */
const knownFrom = (start: number, count: number) =>
	Array.from({ length: count }, (_, index) =>
		known(`${start}-${index}`, start + index * (SECOND / 100)),
	);

describe('with more events to remember than fit', () => {
	const late = event('late', final + SECOND);
	const log = () => new AskedLog(() => ({ items: [late] }));

	test('one that is late within the overlap is found if those that are not final fit', async () => {
		const seen = [
			...knownFrom(WATERMARK, MAX_REMEMBERED / 2),
			...knownFrom(final, MAX_REMEMBERED / 2 + 100),
		];
		const first = await poll(before(seen, { newest }), new AskedLog(() => ({ items: [] })));
		expect(first.notes).toEqual([]);
		expect(first.state.watermark).toBe(final);
		expect((await poll(first.state, log())).events).toEqual(['late']);
	});

	test.each([
		['fit', MAX_REMEMBERED, final, false],
		['do not fit', MAX_REMEMBERED + 1, final + (MAX_REMEMBERED / 200) * SECOND, true],
	])(
		'the watermark passes what is final, and more only when the others do not fit: they %s',
		async (_, count, to, isNoted) => {
			const seen = [...knownFrom(WATERMARK, 10), ...knownFrom(final, count)];
			const { notes, state } = await poll(
				before(seen, { newest }),
				new AskedLog(() => ({ items: [] })),
			);
			expect(state.watermark).toBe(to);
			const note = `Too many events .*: events before ${formatTime(to)} .* will be missed`;
			expect(notes).toEqual(isNoted ? [expect.stringMatching(note)] : []);
		},
	);

	test('the watermark passes none that have not settled', async () => {
		const seen = knownFrom(final, MAX_REMEMBERED + 1);
		const settled = final + 10 * SECOND;
		const by = { ...rules, settle: NOW - settled };
		const log = new AskedLog(() => ({ items: [] }));
		const { state } = await poll(before(seen, { newest }), log, unlimited, by);
		expect(state.watermark).toBe(settled);
	});
});
