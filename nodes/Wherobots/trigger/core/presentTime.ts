import type { Micros } from '../../service/time/time';
import { toResult } from '../../transport/toResult';
import type { Source } from './source';
import { DAY, listedFrom } from './watermark';

/** Whether a response has told the service's time, and n8n's clock does not contradict it. */
export function isTimeSure(source: Source): boolean {
	return source.knowsTime() && clocksAgree(source);
}

/** The service's time where it is sure, else that of n8n's clock. */
export function bestTime(source: Source): Micros {
	return isTimeSure(source) ? source.now() : source.localNow();
}

function clocksAgree(source: Source): boolean {
	return Math.abs(source.now() - source.localNow()) <= DAY;
}

/**
 * What has to be added to the service's time when it is more than a day off n8n's: the records tell
 * which of the clocks is right. The later one is when there are records of the day before it, or
 * records that are newer than the earlier one by more than a day. Where that cannot be found out, the earlier one holds back.
 *
 * @param timesFrom the times on the first page of the list from a time on
 */
export async function clockCorrection(
	source: Source,
	timesFrom: (start: Micros) => Promise<Array<Micros | undefined>>,
): Promise<Micros> {
	if (clocksAgree(source)) return 0;
	const told = source.now();
	const [earlier, later] = [told, source.localNow()].sort((a, b) => a - b);
	// A list may have older ones, too: some services ignore from when on they are asked for records.
	const hasAnyFrom = async (from: Micros) =>
		(await timesFrom(listedFrom(from))).some((time) => time !== undefined && time > from);
	const isLater = async () => (await hasAnyFrom(later - DAY)) || (await hasAnyFrom(earlier + DAY));
	const found = await toResult(isLater());
	return (found.ok && found.value ? later : earlier) - told;
}

/**
 * The service's time. Where the clocks differ by more than a day, it is the one that is nearer to a
 * time not long ago: to the beginning of a first poll, which has found out by the records.
 */
export function timeSince(known: Micros, source: Source): Micros {
	if (clocksAgree(source)) return source.now();
	const distance = (time: Micros) => Math.abs(time - known);
	const [nearer] = [source.now(), source.localNow()].sort((a, b) => distance(a) - distance(b));
	return nearer;
}
