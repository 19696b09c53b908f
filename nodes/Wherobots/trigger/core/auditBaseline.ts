import type { IDataObject } from 'n8n-workflow';

import type { Micros } from '../../service/time/time';
import { eventIdOf, eventTimeOf } from './auditEvents';
import type { AuditPollResult, AuditReader } from './auditReading';
import { later, readPages, type Reading, type Resume } from './readPages';
import { SeenEvents } from './seenEvents';
import type { AuditPage, Budget, Range } from './source';
import { newAuditState, type AuditState } from './state';
import { DAY, HOUR, listedFrom, MINUTE, newSince, nextWatermark, SECOND } from './watermark';

/** A clock that a response corrects by more than this was not good enough to begin with. */
const CLOCK_TOLERANCE = MINUTE;

/** Records of a range that comes in one piece, before it is cut. */
const MAX_RECORDS = 5_000;

/** Remembered events that are looked for to tell whether the log is the same one, and how often. */
const WITNESSES = 3;
const ATTEMPTS = 2;

/**
 * The first poll: what the service shows does not fire, apart from events that are younger than its
 * first response. Those are left to the next poll. It may take several polls; then its state says
 * where it continues.
 *
 * @param previous the state of a first poll that is not finished
 */
export async function auditBaseline(
	previous: AuditState | undefined,
	scope: string,
	overlap: Micros,
	source: AuditReader,
	budget: Budget,
): Promise<AuditPollResult> {
	const seen = new SeenEvents(previous?.seen);
	let began = previous?.began;
	const take = (records: IDataObject[]): Reading => {
		const reading: Reading = {};
		const settled = seen.shownUntil(source.now(), source.knowsTime());
		const since = newSince(began, previous?.began === undefined ? source.now() : undefined);
		for (const event of records) {
			if ((eventTimeOf(event) ?? -Infinity) >= since && !seen.has(event)) continue;
			reading.newest = later(reading.newest, seen.take(event, source.now(), settled).shown);
		}
		began ??= source.now();
		return reading;
	};
	const readPage = async (range: Range, cursor?: string, maxRecords?: number): Promise<AuditPage> =>
		await source.events({ start: listedFrom(range.start) }, cursor, maxRecords);
	const result = (watermark: Micros, resume?: Resume): AuditPollResult => {
		const state = newAuditState(scope, watermark, source.way, seen.entries(listedFrom(watermark)));
		if (resume)
			Object.assign(state, { baseline: true, began, resume, range: { start: watermark } });
		return { state, events: [], notes: [] };
	};

	let watermark = previous?.watermark;
	if (watermark === undefined) {
		const start = await firstStart(source, overlap, async (range) => {
			const page = await readPage(range, undefined, MAX_RECORDS);
			take(page.items);
			return page;
		});
		watermark = nextWatermark(start.from, seen.newest, overlap);
		if (start.isAll) return result(watermark);
	}
	const range = { start: watermark };
	const plan = {
		source,
		budget,
		readPage: async (cursor?: string) => await readPage(range, cursor),
		keyOf: eventIdOf,
		take,
	};
	let read = await readPages<IDataObject>({ ...plan, resume: previous?.resume });
	if (read.kind === 'restart') read = await readPages<IDataObject>(plan);
	return result(watermark, read.kind === 'truncated' ? read.resume : undefined);
}

/**
 * From where on the events are known: the first of some ranges in which there is any. Its length
 * makes up for a clock that nobody corrects; the range of a clock that is corrected is laid out anew.
 */
async function firstStart(
	source: AuditReader,
	overlap: Micros,
	readFirst: (range: Range) => Promise<AuditPage>,
): Promise<{ from: Micros; isAll: boolean }> {
	for (const back of [HOUR, DAY]) {
		for (;;) {
			const now = source.now();
			const from = now - Math.max(back, overlap);
			const { items, next, isCut } = await readFirst({ start: from });
			if (Math.abs(source.now() - now) > CLOCK_TOLERANCE) continue;
			if (items.length === 0 && back !== DAY) break;
			return { from, isAll: next === undefined && !isCut };
		}
	}
	return { from: source.now() - DAY, isAll: true };
}

/** Whether the log still has one of the events that are remembered. Without any there is nothing to go on from. */
export async function isSameLog(
	state: AuditState,
	source: AuditReader,
	budget: Budget,
): Promise<boolean> {
	const seen = new SeenEvents(state.seen);
	const times = new Set(seen.newestTimes(WITNESSES));
	for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
		for (const time of times) {
			let isThere = false;
			const range = { start: listedFrom(time), end: listedFrom(time) + 3 * SECOND };
			await readPages<IDataObject>({
				source,
				budget,
				readPage: async (cursor) => await source.events(range, cursor),
				keyOf: eventIdOf,
				take: (records) => {
					isThere ||= records.some((event) => seen.has(event));
					return {};
				},
				isFull: () => isThere,
			});
			if (isThere) return true;
		}
	}
	return false;
}
