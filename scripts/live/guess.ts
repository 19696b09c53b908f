/** What is not known for certain about the live service, and how one finds out. */
import type { Live } from './context';

export const AREAS = [
	'Every request',
	'Job runs',
	'Logs of job runs',
	'Metrics and cost',
	'Files',
	'Catalogs',
	'Audit log',
	'Tasks',
	'SQL',
] as const;

/** One open question. Everything but `check` is printed, in docs/live-checks.md and in reports. */
export interface Guess {
	/** Stays the same, so that reports of different years can be compared. */
	name: string;
	area: (typeof AREAS)[number];
	/** What the package and its tests take for granted: a whole sentence. */
	assumed: string;
	/** Operations and fields of the nodes that depend on it. */
	matters: string;
	/** The first file to look at if it is otherwise. */
	code: string;
	/** Needs a job run, a SQL session or a file: checked only with `--spend`. */
	spends?: true;
	/**
	 * Finds out.
	 *
	 * @returns what was seen, if that is as assumed
	 * @throws Otherwise, NotChecked; any other error counts as not checked
	 */
	check(live: Live): Promise<string> | string;
}

/** Something that contradicts the assumption; the message says what was seen. */
export class Otherwise extends Error {}

/** Nothing was found out; the message says why. */
export class NotChecked extends Error {}

/** @throws Otherwise when the condition does not hold */
export function verify(holds: boolean, seen: string): asserts holds {
	if (!holds) throw new Otherwise(seen);
}

/** @throws NotChecked when there is nothing to look at */
export function found<T>(value: T | null | undefined, missing: string): T {
	if (value === undefined || value === null) throw new NotChecked(missing);
	return value;
}
