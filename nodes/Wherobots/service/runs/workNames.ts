/** The names that the runs of one piece of work get, one after the other. */

const MONTH = '(?:19|20)\\d\\d[-_.]?(?:0[1-9]|1[0-2])';
const DAY = '[-_.]?(?:0[1-9]|[12]\\d|3[01])';
const TIME = '[-_.T]?(?:[01]\\d|2[0-3])(?:[-_.]?[0-5]\\d){0,2}';

/** A name with a number from 2, but for months and days: `etl-2026-11`. */
const NUMBERED = new RegExp(`^(.*)-([2-9]|[1-9]\\d)(?<!(?:^|[-_.])${MONTH}(?:${DAY})?)$`);

/**
 * A name with a date, perhaps with a time, or the seconds or milliseconds of one: `etl-2026-11-28`,
 * `etl_20261128T0300`, `etl-1764300000`, `etl-2026`; not `tiles-2048`, `epsg-2056`.
 */
const DATED = new RegExp(
	`^(.*)[-_.](?:${MONTH}(?:${DAY}(?:${TIME})?)?Z?|20[0-3]\\d|1[4-9]\\d{8}(?:\\d{3})?)$`,
);

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
