import fc from 'fast-check';
import { DateTime } from 'luxon';

import { toText } from '../../../nodes/Wherobots/form/values';
import {
	FIRST_YEAR,
	formatTime,
	LAST_YEAR,
	parseTime,
} from '../../../nodes/Wherobots/service/time';
import { forAll, USUALLY } from '../../support/forAll';

/** Every microsecond of the years that can be read. */
const LAST = Date.UTC(LAST_YEAR + 1, 0) * 1000 - 1;
const micros = fc.integer({ min: 0, max: LAST });
const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata');

describe('times', () => {
	it('come back to the microsecond, whatever the time zone of the workflow', async () =>
		await forAll([micros, zones], 1_000, (time, zone) => {
			const text = formatTime(time);
			expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z$/);
			expect(parseTime(text, zone)).toBe(time);
			expect(parseTime(text.replace('T', ' '), zone)).toBe(time);
			expect(parseTime(text.replace('Z', '+00:00'), zone)).toBe(time);
			expect(parseTime(` ${text}`)).toBe(time);
		}));

	it('with an offset are the same moment', async () =>
		await forAll([micros, fc.integer({ min: -13, max: 13 })], USUALLY, (time, hours) => {
			const hour = 3_600_000_000;
			const shifted = formatTime(time + hours * hour);
			const offset = `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:00`;
			expect(parseTime(shifted.replace('Z', offset))).toBe(time);
		}));

	it('of JavaScript, of luxon and in milliseconds are the same moment', async () => {
		const ms = fc.integer({ min: 0, max: Math.floor(LAST / 1000) });
		await forAll([ms, zones], USUALLY, (at, zone) => {
			const expected = at * 1000;
			expect(parseTime(at)).toBe(expected);
			expect(parseTime(toText(new Date(at)), zone)).toBe(expected);
			const dateTime = DateTime.fromMillis(at, { zone: 'Asia/Kolkata' });
			expect(parseTime(toText(dateTime), zone)).toBe(expected);
		});
	});

	it('may have blanks around them and any number of digits after the second', () => {
		const second = parseTime('2026-01-31T09:00:00Z') as number;
		expect(parseTime(' 2026-01-31T09:00:00Z ')).toBe(second);
		for (const blank of ['', ' ']) {
			expect(parseTime(`${blank}2026-01-31T09:00:00.5Z`)).toBe(second + 500_000);
			expect(parseTime(`${blank}2026-01-31T09:00:00.000001Z`)).toBe(second + 1);
		}
	});

	it('of the service are read as any other', async () => {
		const year = fc.constantFrom(2024, 2026);
		const days = fc.oneof(fc.integer({ min: 0, max: 33 }), fc.integer({ min: 28, max: 31 }));
		const month = fc.integer({ min: 0, max: 13 });
		const two = (n: number) => String(n).padStart(2, '0');
		const text = fc
			.tuple(year, month, days, fc.constantFrom('Z', '+02:00', '', ' CET'))
			.map(([y, m, d, zone]) => `${y}-${two(m)}-${two(d)}T09:00:00${zone}`);
		await forAll([text], 1_000, (value) => {
			expect(parseTime(value)).toBe(parseTime(` ${value}`));
		});
	});

	it('cut digits past the sixth', () => {
		const time = parseTime('2026-01-31T09:00:00.123456789Z');
		expect(formatTime(time as number)).toBe('2026-01-31T09:00:00.123456Z');
	});

	it('are formatted as the service takes them, or not read at all', async () => {
		const anything = fc.oneof(fc.anything(), fc.string(), fc.double(), fc.date());
		await forAll([anything], 1_000, (value) => {
			const time = parseTime(value);
			if (time === undefined) return;
			expect(formatTime(time)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z$/);
		});
	});

	it.each([
		[`${FIRST_YEAR}-01-01T00:00:00Z`, `${FIRST_YEAR - 1}-12-31T23:59:59.999999Z`],
		[`${LAST_YEAR}-12-31T23:59:59.999999Z`, `${LAST_YEAR + 1}-01-01T00:00:00Z`],
	])('include %s, and not %s beside it', (inside, outside) => {
		for (const blank of ['', ' ']) {
			expect(formatTime(parseTime(blank + inside) as number)).toBe(inside);
			expect(parseTime(blank + outside)).toBeUndefined();
		}
		expect(parseTime(toText(new Date(inside)))).toBe(Date.parse(inside) * 1000);
		expect(parseTime(toText(new Date(outside)))).toBeUndefined();
		expect(parseTime(Date.parse(outside))).toBeUndefined();
	});

	it.each([
		'',
		'soon',
		'2026-13-01',
		'2026-02-30T00:00:00Z',
		'NaN',
		'1e3',
		'{}',
		NaN,
		Infinity,
		{ toMillis: 1 },
	])('do not include %j', (value) => {
		expect(parseTime(value)).toBeUndefined();
	});
});
