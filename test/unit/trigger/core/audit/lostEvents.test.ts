import { DAY, MINUTE, SECOND } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { AskedLog, before, event, known, NOW, poll, unlimited, WATERMARK } from './askedPoll';

const failure = new Error('The service failed');

describe('a request that fails', () => {
	const end = WATERMARK + 10 * MINUTE;
	const seen = [known('newest', end + 5 * MINUTE)];
	const answer = { items: [event('late', WATERMARK + MINUTE)] };
	const failingThen = () => new AskedLog((range) => (range.end === undefined ? failure : answer));

	test.each([
		['with time left', unlimited],
		['when the time is over', { spent: () => true }],
	])('fails a poll that has read nothing, %s', async (_, budget) => {
		const log = new AskedLog(() => failure);
		await expect(poll(before(seen), log, budget)).rejects.toBe(failure);
	});

	test('fails a poll that has time left', async () => {
		await expect(poll(before(seen), failingThen())).rejects.toBe(failure);
	});

	test('does not fail the poll when it was the time that was too short, and what has been read comes', async () => {
		const log = failingThen();
		expect(await poll(before(seen), log, log.timeFor(2))).toStrictEqual({
			state: before(seen, { watermark: end }),
			events: ['late'],
			notes: [],
		});
	});
});

describe('when the trigger has not polled for longer than the log keeps events', () => {
	const KEPT = NOW - 90 * DAY;
	const items = [event('new', NOW - 2 * MINUTE)];
	const note =
		'The audit log keeps events for 90 days. Events from 2025-12-10T11:59:59.000Z to 2025-12-10T12:00:00.000Z that were not read before are gone.';

	test.each([
		['it says which events are gone', KEPT - SECOND, items, [note]],
		['and no longer, it says nothing', KEPT, items, []],
		['and nothing has happened, it says nothing', KEPT - SECOND, [], []],
	])('%s', async (_, watermark, shown, notes) => {
		const polled = await poll(before([], { watermark }), new AskedLog(() => ({ items: shown })));
		expect(polled.events).toEqual(shown.map(({ event_id }) => event_id));
		expect(polled.notes).toEqual(notes);
	});
});
