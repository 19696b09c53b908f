import {
	clockCorrection,
	isTimeSure,
	timeSince,
} from '../../../../nodes/Wherobots/trigger/core/presentTime';
import type { Source } from '../../../../nodes/Wherobots/trigger/core/source';
import { DAY, HOUR } from '../../../../nodes/Wherobots/trigger/core/watermark';
import { START as EARLIER } from './slowService';

const LATER = EARLIER + 10 * DAY;

function clocks(service: number, n8n: number): Source {
	return {
		now: () => service,
		knowsTime: () => true,
		localNow: () => n8n,
		broken: (what) => new Error(what),
		maySuspectCursor: () => true,
	};
}

/** The service's time after it has been corrected by a list with records of these times. */
async function corrected(source: Source, times: Array<number | undefined>): Promise<number> {
	const isListed = (time: number | undefined, start: number) => time === undefined || time >= start;
	const timesFrom = async (start: number) =>
		await Promise.resolve(times.filter((time) => isListed(time, start)));
	return source.now() + (await clockCorrection(source, timesFrom));
}

describe.each([
	['the service', clocks(EARLIER + DAY, EARLIER), clocks(EARLIER + DAY + 1, EARLIER)],
	['n8n', clocks(EARLIER, EARLIER + DAY), clocks(EARLIER, EARLIER + DAY + 1)],
])('where the clock of %s is ahead by a day', (_, agreeing, doubtful) => {
	test('the time of the service is sure, and no longer beyond that', () => {
		expect(isTimeSure(agreeing)).toBe(true);
		expect(isTimeSure(doubtful)).toBe(false);
	});

	test('only beyond that it has to be near a time that is known', () => {
		expect(timeSince(agreeing.localNow(), agreeing)).toBe(agreeing.now());
		expect(timeSince(doubtful.localNow(), doubtful)).toBe(doubtful.localNow());
	});
});

describe.each([
	['the service', clocks(LATER, EARLIER)],
	['n8n', clocks(EARLIER, LATER)],
])('where the clock of %s is ten days ahead', (_, source) => {
	test.each<[string, Array<number | undefined>, number]>([
		['it counts when there are records of the day before it', [EARLIER, LATER - HOUR], LATER],
		['it counts when records are days after the other one', [LATER - 3 * DAY], LATER],
		['more than one day after it is enough', [EARLIER + DAY + 1], LATER],
		['one day after it is not', [EARLIER + DAY], EARLIER],
		['the other one counts when the records end there', [EARLIER - HOUR, EARLIER], EARLIER],
		['the other one counts when no record has a readable time', [undefined], EARLIER],
		['the other one counts when there are no records', [], EARLIER],
	])('%s', async (__, times, expected) => {
		expect(await corrected(source, times)).toBe(expected);
	});

	test('the other one counts when the records cannot be read', async () => {
		const failing = async () => await Promise.reject(new Error('The service failed'));
		expect(source.now() + (await clockCorrection(source, failing))).toBe(EARLIER);
	});
});
