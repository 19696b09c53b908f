/** The names that the runs of one piece of work get, one after the other. */

/** A name with a number from 2, but for months and days: `etl-2026-11`. */
const NUMBERED = /^(.*)-([2-9]|(?<!\d{4}-|\d{4}-\d\d-)[1-9]\d)$/;

/** A name with a date, perhaps with a time, or the seconds or milliseconds of one: `etl-2026-11-28`, `etl_20261128T0300`, `etl-1764300000`. */
const DATED = /^(.*)[-_.](?:(?:19|20)\d\d(?:[-_.T]?\d\d){0,5}Z?|\d{10}|\d{13})$/;

export const MAX_NAME_LENGTH = 255;

/** The name of the next run of the same work: `etl-2` after `etl`, `etl-3` after `etl-2`. */
export function toNextName(name: string): string {
	const [, base = name, number = '1'] = NUMBERED.exec(name) ?? [];
	const end = `-${Number(number) + 1}`;
	return base.slice(0, MAX_NAME_LENGTH - end.length) + end;
}

/** What the names of all runs of the same work have in common: `etl` of `etl`, `etl-2026-11-28` and `etl-2026-11-28-2`. */
export function toStem(name: string): string {
	const [, unnumbered = name] = NUMBERED.exec(name) ?? [];
	const [, undated = unnumbered] = DATED.exec(unnumbered) ?? [];
	return undated === '' ? name : undated;
}
