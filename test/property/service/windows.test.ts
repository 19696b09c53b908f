import fc from 'fast-check';
import { IANAZone } from 'luxon';

import {
	Calendar,
	divide,
	getLastMoment,
	type Micros,
	type RelativeRange,
	computeRelativeWindow,
	type Split,
} from '../../../nodes/Wherobots/service/time';
import { forAll } from '../../support/forAll';
import { runs } from '../../support/runs';

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
const HOUR = 3_600_000_000;

/** When the clocks of a zone change next, to the minute, or a time more than a year later. */
function nextChange(name: string, time: Micros): Micros {
	const offsetAt = (at: Micros) => IANAZone.create(name).offset(at / 1000);
	const offset = offsetAt(time);
	let at = time;
	for (const hours of [7 * 24, 24, 4, 1, 1 / 6, 1 / 60]) {
		for (let left = 60; left > 0 && offsetAt(at + hours * HOUR) === offset; left--) {
			at += hours * HOUR;
		}
	}
	return Math.round(at);
}

/** Before 2012, Luxon has four days begin an hour late, in zones that have moved since. */
const anyTime = fc.integer({ min: Date.UTC(2012, 0) * 1000, max: Date.UTC(2036, 0) * 1000 });
/** Any time, or one near a change of the clocks, in any zone. */
const timeInZone = fc
	.tuple(anyTime, zone, fc.option(fc.integer({ min: -4 * HOUR, max: 4 * HOUR }), { freq: 3 }))
	.map(([time, name, beside]): [Micros, string] => [
		beside === null ? time : nextChange(name, time) + beside,
		name,
	]);

const split = fc.constantFrom<Split[]>('none', 'hour', 'day', 'month');

describe('dividing a range', () => {
	it('returns windows that cover the range and meet to the microsecond', async () =>
		await forAll(
			[anyTime, fc.integer({ min: 1, max: 24 * 40 * HOUR }), split, zone],
			100,
			(start, length, by, name) => {
				const range = { start, end: start + length };
				const windows = [...divide(range, by, new Calendar(name))];
				expect(windows[0].start).toBe(range.start);
				expect(windows.at(-1)?.end).toBe(range.end);
				const gaps = windows.filter(
					(window, index) =>
						window.end <= window.start ||
						(index > 0 && window.start !== getLastMoment(windows[index - 1]) + 1),
				);
				expect(gaps).toEqual([]);
			},
		));

	it('divides at the same points wherever the range begins', async () =>
		await forAll(
			[anyTime, fc.integer({ min: 1, max: 72 * HOUR }), split, zone],
			60,
			(start, later, by, name) => {
				const calendar = new Calendar(name);
				const end = start + 24 * 35 * HOUR;
				const points = (from: Micros) =>
					[...divide({ start: from, end }, by, calendar)].map((window) => window.end);
				expect(points(start + later)).toEqual(
					points(start).filter((point) => point > start + later),
				);
			},
		));
});

describe('a range that has passed', () => {
	const kinds: RelativeRange[] = [
		{ kind: 'previousHour' },
		{ kind: 'previousDay' },
		{ kind: 'previousMonth' },
		{ kind: 'lastDays', days: 7 },
	];

	it('has passed, and meets the one before, also where clocks change', async () =>
		await forAll(
			[timeInZone, fc.constantFrom(...kinds)],
			runs(400, 20_000),
			([now, name], range) => {
				const calendar = new Calendar(name);
				const window = computeRelativeWindow(range, now, calendar);
				expect(window.start).toBeLessThan(window.end);
				expect(window.end).toBeLessThanOrEqual(now);
				// The same range all through the next one: however late an execution starts.
				expect(computeRelativeWindow(range, window.end, calendar)).toEqual(window);
				if (range.kind !== 'lastDays') {
					const before = computeRelativeWindow(range, window.end - 1, calendar);
					expect(before.end).toBe(window.start);
				}
				// Hourly executions leave no gap.
				if (range.kind !== 'previousHour') return;
				const { start } = computeRelativeWindow(range, now + HOUR, calendar);
				expect([window.start, window.end]).toContain(start);
			},
		));

	it('is the same window that dividing gives', async () =>
		await forAll([anyTime, zone, fc.constantFrom('hour', 'day', 'month')], 100, (now, name, by) => {
			const calendar = new Calendar(name);
			const kind = { hour: 'previousHour', day: 'previousDay', month: 'previousMonth' }[
				by
			] as 'previousDay';
			const window = computeRelativeWindow({ kind }, now, calendar);
			const wide = { start: window.start - 24 * 40 * HOUR, end: now };
			expect([...divide(wide, by as Split, calendar)]).toContainEqual(window);
		}));
});

describe('the label of an hour', () => {
	it('tells any two hours of a few days apart', async () =>
		await forAll([timeInZone], runs(50, 5_000), ([start, name]) => {
			const calendar = new Calendar(name);
			const windows = [...divide({ start, end: start + 72 * HOUR }, 'hour', calendar)].slice(1);
			const labels = windows.map((window) => {
				const { year, month, day } = calendar.at(window.start);
				return `${year}-${month}-${day}T${calendar.hourLabel(window.start)}`;
			});
			expect(new Set(labels).size).toBe(labels.length);
		}));
});
