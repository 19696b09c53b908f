import fc from 'fast-check';
import { IANAZone } from 'luxon';

import {
	Calendar,
	divide,
	formatTime,
	lastMoment,
	type Micros,
	type RelativeRange,
	relativeWindow,
	type Split,
	type Window,
} from '../../../nodes/Wherobots/service/time';

const QUARTER_MS = 91 * 86_400_000;

/** Where clocks have changed by half an hour, hours do not meet. */
function changesByHalfAnHour(name: string): boolean {
	const zone = IANAZone.create(name);
	const minutes = new Set<number>();
	for (let ms = Date.UTC(1995, 0); ms < Date.UTC(2037, 0); ms += QUARTER_MS) {
		minutes.add(((zone.offset(ms) % 60) + 60) % 60);
	}
	return minutes.size > 1;
}

/** Every other zone that the platform knows, some of which change clocks at midnight or skip a day. */
const ZONES = [...Intl.supportedValuesOf('timeZone'), 'UTC'].filter(
	(name) => !changesByHalfAnHour(name),
);
const zone = fc.oneof(
	fc.constantFrom(...ZONES),
	fc.constantFrom(
		'America/Havana',
		'Africa/Cairo',
		'Asia/Beirut',
		'America/St_Johns',
		'Asia/Kathmandu',
		'America/Sao_Paulo',
		'Pacific/Apia',
	),
);
const anyTime = fc.integer({ min: Date.UTC(1995, 0) * 1000, max: Date.UTC(2037, 0) * 1000 });
const HOUR = 3_600_000_000;

const split = fc.constantFrom<Split[]>('none', 'hour', 'day', 'month');

describe('dividing a range', () => {
	it('returns windows that cover the range and meet to the microsecond', () => {
		fc.assert(
			fc.property(
				anyTime,
				fc.integer({ min: 1, max: 24 * 40 * HOUR }),
				split,
				zone,
				(start, length, by, name) => {
					const range = { start, end: start + length };
					const windows = [...divide(range, by, new Calendar(name))];
					expect(windows[0].start).toBe(range.start);
					expect(windows.at(-1)?.end).toBe(range.end);
					const gaps = windows.filter(
						(window, index) =>
							window.end <= window.start ||
							(index > 0 && window.start !== lastMoment(windows[index - 1]) + 1),
					);
					expect(gaps).toEqual([]);
				},
			),
			{ numRuns: 100 },
		);
	});

	it('divides at the same points wherever the range begins', () => {
		fc.assert(
			fc.property(
				anyTime,
				fc.integer({ min: 1, max: 72 * HOUR }),
				split,
				zone,
				(start, later, by, name) => {
					const calendar = new Calendar(name);
					const end = start + 24 * 35 * HOUR;
					const points = (from: Micros) =>
						[...divide({ start: from, end }, by, calendar)].map((window) => window.end);
					expect(points(start + later)).toEqual(
						points(start).filter((point) => point > start + later),
					);
				},
			),
			{ numRuns: 60 },
		);
	});
});

describe('a range that has passed', () => {
	const kinds: RelativeRange[] = [
		{ kind: 'previousHour' },
		{ kind: 'previousDay' },
		{ kind: 'previousMonth' },
		{ kind: 'lastDays', days: 7 },
	];

	it('has passed, and meets the one that an execution right at its end would give', () => {
		fc.assert(
			fc.property(anyTime, fc.constantFrom(...kinds), zone, (now, range, name) => {
				const calendar = new Calendar(name);
				const window = relativeWindow(range, now, calendar);
				expect(window.start).toBeLessThan(window.end);
				expect(window.end).toBeLessThanOrEqual(now);
				// The same range all through the next one: however late an execution starts.
				expect(relativeWindow(range, window.end, calendar)).toEqual(window);
				if (range.kind !== 'lastDays') {
					const before = relativeWindow(range, window.end - 1, calendar);
					expect(before.end).toBe(window.start);
				}
			}),
			{ numRuns: 200 },
		);
	});

	it('is the same window that dividing gives', () => {
		fc.assert(
			fc.property(anyTime, zone, fc.constantFrom('hour', 'day', 'month'), (now, name, by) => {
				const calendar = new Calendar(name);
				const kind = { hour: 'previousHour', day: 'previousDay', month: 'previousMonth' }[
					by
				] as 'previousDay';
				const window = relativeWindow({ kind }, now, calendar);
				const wide = { start: window.start - 24 * 40 * HOUR, end: now };
				expect([...divide(wide, by as Split, calendar)]).toContainEqual(window);
			}),
			{ numRuns: 100 },
		);
	});
});

describe('an hourly schedule', () => {
	const HOUR_MS = 3_600_000;
	const DAY_MS = 24 * HOUR_MS;

	/** When the clocks of a zone change between two times, in milliseconds. */
	function changesIn(name: string, from: number, to: number): number[] {
		const offset = (ms: number) => IANAZone.create(name).offset(ms);
		const changes: number[] = [];
		// Some zones put their clocks back for a month only.
		for (let at = from; at < to; at += 7 * DAY_MS) {
			if (offset(at) === offset(at + 7 * DAY_MS)) continue;
			let [before, after] = [at, at + 7 * DAY_MS];
			while (after - before > 1) {
				const middle = Math.floor((before + after) / 2);
				if (offset(middle) === offset(at)) before = middle;
				else after = middle;
			}
			changes.push(after);
		}
		return changes;
	}

	/** What does not fit in the exports of Previous Hour, made whenever the clock shows a minute. */
	function gapsIn(name: string, minute: number, from: number, to: number): string[] {
		const zone = IANAZone.create(name);
		const calendar = new Calendar(name);
		const gaps: string[] = [];
		let last: Window | undefined;
		for (let at = from; at < to; at += 5 * 60_000) {
			if (new Date(at + zone.offset(at) * 60_000).getUTCMinutes() !== minute) continue;
			const window = relativeWindow({ kind: 'previousHour' }, at * 1000, calendar);
			const meets = !last || last.end === window.start || last.start === window.start;
			if (!meets || window.end <= window.start || window.end > at * 1000) {
				gaps.push(`${name} :${minute} ${formatTime(at * 1000)} from ${formatTime(window.start)}`);
			}
			last = window;
		}
		return gaps;
	}

	it('leaves no gap around any change of the clocks in any zone', () => {
		const [from, to] = [Date.UTC(2019, 0), Date.UTC(2030, 0)];
		// Many zones have the same clocks.
		const alike = new Map<string, { name: string; changes: number[] }>();
		for (const name of ZONES) {
			const changes = changesIn(name, from, to);
			const offsets = [from, ...changes].map((at) => IANAZone.create(name).offset(at));
			alike.set(JSON.stringify([changes, offsets]), { name, changes });
		}
		const gaps = [...alike.values()].flatMap(({ name, changes }) =>
			changes.flatMap((change) => {
				const start = Math.floor((change - 3 * HOUR_MS) / 300_000) * 300_000;
				return [5, 35].flatMap((minute) => gapsIn(name, minute, start, start + 7 * HOUR_MS));
			}),
		);
		expect(alike.size).toBeGreaterThan(50);
		expect(gaps).toEqual([]);
	}, 120_000);

	it('leaves no gap in a year around a change', () => {
		const year = fc.integer({ min: 1995, max: 2036 });
		const minute = fc.constantFrom(0, 5, 15, 35, 55);
		fc.assert(
			fc.property(zone, year, minute, (name, y, atMinute) => {
				const [change = Date.UTC(y, 6)] = changesIn(name, Date.UTC(y, 0), Date.UTC(y + 1, 0));
				const start = Math.floor((change - 182 * DAY_MS) / 300_000) * 300_000;
				expect(gapsIn(name, atMinute, start, start + 365 * DAY_MS)).toEqual([]);
			}),
			{ numRuns: 4 },
		);
	}, 120_000);
});

describe('the label of an hour', () => {
	it('tells any two hours of a few days apart', () => {
		fc.assert(
			fc.property(anyTime, zone, (start, name) => {
				const calendar = new Calendar(name);
				const windows = [...divide({ start, end: start + 72 * HOUR }, 'hour', calendar)].slice(1);
				const labels = windows.map((window) => {
					const { year, month, day } = calendar.at(window.start);
					return `${year}-${month}-${day}T${calendar.hourLabel(window.start)}`;
				});
				expect(new Set(labels).size).toBe(labels.length);
			}),
			{ numRuns: 500 },
		);
	});
});
