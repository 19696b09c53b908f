import { DAY, HOUR, MINUTE, SECOND } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { AskedLog, event } from './askedLog';
import { begun, finished, firstPoll, MOST, NOW } from './firstPolls';

const HOUR_LIST = NOW - HOUR - SECOND;
const DAY_LIST = NOW - DAY - SECOND;

const half = event('half', NOW - 30 * MINUTE);

/** A log whose first response tells that it is `NOW`, so much later than n8n's clock has it. */
function correcting(behind: number, items = [half]): AskedLog {
	const log = new AskedLog(({ start }) => {
		log.time = NOW;
		return { items: start < HOUR_LIST - MINUTE ? [event('older', start + MINUTE)] : items };
	});
	log.time = NOW - behind;
	return log;
}

describe("a first poll by n8n's clock", () => {
	test.each([
		['a minute behind', MINUTE],
		['a minute ahead', -MINUTE],
	])('takes the last hour as it is by a clock that is %s', async (_, behind) => {
		const log = correcting(behind);
		const state = await firstPoll(log);
		expect(log.asked).toEqual([[HOUR_LIST - behind, undefined, undefined, MOST]]);
		expect(state).toEqual(finished(NOW - 40 * MINUTE, half));
	});

	test.each([
		['more than a minute behind', MINUTE + SECOND],
		['more than a minute ahead', -MINUTE - SECOND],
	])('reads the last hour anew when the response shows that it is %s', async (_, behind) => {
		const log = correcting(behind);
		const state = await firstPoll(log);
		expect(log.asked).toEqual([
			[HOUR_LIST - behind, undefined, undefined, MOST],
			[HOUR_LIST, undefined, undefined, MOST],
		]);
		expect(state).toEqual(finished(NOW - 40 * MINUTE, half));
	});

	test('looks a day back when there was no event in the last hour, but one in the hour before', async () => {
		const log = correcting(2 * HOUR, []);
		await firstPoll(log);
		expect(log.asked).toEqual([
			[HOUR_LIST - 2 * HOUR, undefined, undefined, MOST],
			[HOUR_LIST, undefined, undefined, MOST],
			[DAY_LIST, undefined, undefined, MOST],
		]);
	});
});

test.each([
	['comes with the next poll when no response tells the time', false, NOW],
	['counts as old when the response tells the time', true, NOW + 10 * SECOND],
])('what happens while the first response is on its way %s', async (_, isTimeKnown, began) => {
	const meanwhile = event('meanwhile', NOW + 3 * SECOND);
	const log = new AskedLog(({ start }) => {
		log.time = NOW + 10 * SECOND;
		return { items: start < HOUR_LIST ? [half, meanwhile] : [] };
	});
	log.isTimeKnown = isTimeKnown;
	const state = await firstPoll(log);
	expect(log.asked).toEqual([
		[HOUR_LIST, undefined, undefined, MOST],
		isTimeKnown
			? [began - DAY - SECOND, undefined, undefined, MOST]
			: [DAY_LIST, NOW, undefined, MOST],
	]);
	expect(state).toEqual(
		isTimeKnown
			? finished(NOW + 3 * SECOND - 10 * MINUTE, meanwhile)
			: finished(NOW - 40 * MINUTE, half),
	);
});

test.each([
	['at its beginning', undefined],
	['in a later poll', begun()],
])(
	"where the service's clock is months behind, events are no events of the future for a first poll %s",
	async (_, previous) => {
		const log = new AskedLog(() => ({ items: [half] }));
		log.time = NOW - 150 * DAY;
		log.localTime = NOW;
		const state = await firstPoll(log, previous);
		// Which clock is right is found out once, by the events of the last day.
		const comparison = [
			[NOW - 150 * DAY - HOUR - SECOND, undefined, undefined, MOST],
			[DAY_LIST, undefined, undefined, MOST],
		];
		expect(log.asked).toEqual([
			...(previous ? [] : comparison),
			[HOUR_LIST, previous && NOW, undefined, MOST],
		]);
		expect(state).toEqual(finished(NOW - 40 * MINUTE, half));
	},
);
