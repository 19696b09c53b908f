import type { MicroTime } from './source';

/** Between a record's own time and its appearance in a list of runs. The service names no bound; its documented lag of statuses is two minutes. */
export const RUN_OVERLAP: MicroTime = 300_000_000;

export interface Reading {
	/** The service's time when the reading began. */
	startedAt: MicroTime;
	/** The latest time among the records that were read. */
	newest?: MicroTime;
}

/**
 * From where the next reading has to begin after one that reached the end of the list: everything
 * before is known for good.
 *
 * Never past the newest record that was seen, whatever any clock says, so that a service which
 * stalls and catches up loses nothing; and never into the last `overlap` before the reading, since
 * records with earlier times may still appear. It does not go back.
 */
export function nextWatermark(
	watermark: MicroTime,
	reading: Reading,
	overlap: MicroTime,
): MicroTime {
	if (reading.newest === undefined) return watermark;
	return Math.max(watermark, Math.min(reading.newest, reading.startedAt - overlap));
}
