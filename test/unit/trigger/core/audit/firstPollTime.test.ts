import { DAY, HOUR, MINUTE, SECOND } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { paged } from '../askedSource';
import { AskedLog, event } from './askedLog';
import { begun, finished, firstPoll, MOST, NOW, seen, unlimited } from './firstPolls';

const HOUR_LIST = NOW - HOUR - SECOND;
const DAY_LIST = NOW - DAY - SECOND;

const young = event('young', NOW - 5 * MINUTE + 500_000);
const old = event('old', NOW - 50 * MINUTE);

describe('a first poll whose time is over', () => {
	test('asks for one list nevertheless', async () => {
		const log = new AskedLog(() => ({ items: [young] }));
		const state = await firstPoll(log, undefined, { spent: () => true });
		expect(log.asked).toEqual([[HOUR_LIST, undefined, undefined, MOST]]);
		expect(state).toEqual(finished(NOW - 15 * MINUTE, young));
	});

	test('leaves the look a day back to the next poll', async () => {
		const log = new AskedLog(() => ({ items: [] }));
		const state = await firstPoll(log, undefined, log.timeFor(1));
		expect(log.asked).toEqual([[HOUR_LIST, undefined, undefined, MOST]]);
		expect(state).toEqual(begun({ watermark: NOW - DAY }));
	});

	test('goes on in the next poll after the newest event, as what was there before is no news', async () => {
		const log = new AskedLog((_, cursor) => paged([[young], [old]], cursor));
		const state = await firstPoll(log, undefined, log.timeFor(1));
		expect(log.asked).toEqual([[HOUR_LIST, undefined, undefined, MOST]]);
		expect(state).toEqual(begun({ watermark: NOW - 5 * MINUTE, seen: seen(young) }));
	});
});

describe('a request of a first poll that fails', () => {
	const failure = new Error('The service failed');
	const failing = () => new AskedLog(({ start }) => (start < HOUR_LIST ? failure : { items: [] }));

	test.each([
		['with time left', unlimited],
		['when the time is over', { spent: () => true }],
	])('fails the poll if nothing has been read, %s', async (_, budget) => {
		const log = new AskedLog(() => failure);
		await expect(firstPoll(log, undefined, budget)).rejects.toBe(failure);
	});

	test('fails the poll while there is time left', async () => {
		await expect(firstPoll(failing())).rejects.toBe(failure);
	});

	test('does not fail the poll when it was the time that was too short, and what has been read is kept', async () => {
		const log = failing();
		const state = await firstPoll(log, undefined, log.timeFor(2));
		expect(log.asked).toEqual([
			[HOUR_LIST, undefined, undefined, MOST],
			[DAY_LIST, undefined, undefined, MOST],
		]);
		expect(state).toEqual(begun({ watermark: NOW - DAY }));
	});
});
