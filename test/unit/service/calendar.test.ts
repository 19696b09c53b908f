import { DateTime, Settings } from 'luxon';

import {
	Calendar,
	divide,
	formatTime,
	type Micros,
	parseTime,
	type RelativeRange,
	computeRelativeWindow,
} from '../../../nodes/Wherobots/service/time';

const at = (time: string) => parseTime(time) as Micros;
const date = (text: string) => {
	return DateTime.fromISO(text, { zone: 'utc' });
};

it.each([
	['Europe/Berlin', '2026-01-31T23:30:00Z', '2026-02-01'],
	['Europe/Berlin', '2026-01-31T22:59:59.999999Z', '2026-01-31'],
	['Africa/Monrovia', '1971-01-02T00:44:29Z', '1971-01-01'],
	['Africa/Monrovia', '1971-01-02T00:44:30Z', '1971-01-02'],
])('in %s the date at %s is %s', (zone, time, expected) => {
	expect(new Calendar(zone).at(at(time)).toISODate()).toBe(expected);
});

it.each([
	['like any other', 'Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00Z'],
	['after the hour that is skipped', 'America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00Z'],
	[
		'after the hour before it came twice',
		'America/Sao_Paulo',
		'2019-02-17',
		'2019-02-17T03:00:00Z',
	],
	['with the first of two midnights', 'America/Havana', '2025-11-02', '2025-11-02T04:00:00Z'],
	['when its date shows first', 'America/St_Johns', '2010-11-07', '2010-11-07T02:30:00Z'],
	['with the next where it is skipped', 'Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00Z'],
	['as the one after it is skipped', 'Pacific/Apia', '2011-12-29', '2011-12-29T10:00:00Z'],
	['as the one before it was skipped', 'Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00Z'],
])('a day begins %s (%s, %s)', (_, zone, day, start) => {
	expect(formatTime(new Calendar(zone).startOfDay(date(day)))).toBe(start);
});

it('an hour in which clocks went back over midnight belongs to the later day', () => {
	const calendar = new Calendar('America/St_Johns');
	const again = at('2010-11-07T03:00:00Z');
	expect(calendar.at(again).toISODate()).toBe('2010-11-06');
	expect(calendar.dayOf(again).toISODate()).toBe('2010-11-07');
	expect(calendar.dayOf(at('2010-11-07T02:29:59.999999Z')).toISODate()).toBe('2010-11-06');
	expect(calendar.dayOf(at('2010-11-07T02:30:00Z')).toISODate()).toBe('2010-11-07');
});

it.each([
	['ordinary', 'UTC', '2026-01-05', '09:59:59.999999', '09:00'],
	['ordinary, at its beginning', 'UTC', '2026-01-05', '09:00', '09:00'],
	['ordinary, three quarters off', 'Asia/Kathmandu', '2026-01-05', '10:05', '09:15'],
	['Berlin, after it', 'Europe/Berlin', '2026-03-29', '01:20', '01:00'],
	['Berlin, the hour again', 'Europe/Berlin', '2026-10-25', '01:30', '01:00'],
	['Eucla, a quarter off, forward', 'Australia/Eucla', '2008-10-25', '16:50', '16:15'],
	['St Johns, back at 00:01', 'America/St_Johns', '2010-11-07', '02:30', '02:30'],
	['St Johns, after it', 'America/St_Johns', '2010-11-07', '02:40', '02:30'],
])('an hour begins when the clock last showed a full one: %s', (_, zone, day, time, start) => {
	const on = (clock: string) => at(`${day}T${clock.padEnd(8, ':00')}Z`);
	expect(new Calendar(zone).startOfHour(on(time))).toBe(on(start));
});

it.each([
	['an hour like any other', 'Europe/Berlin', '2026-01-31T08:30:00Z', '09'],
	['the hour after it', 'Europe/Berlin', '2026-03-29T01:00:00Z', '03'],
	['the first of two', 'Europe/Berlin', '2026-10-25T00:00:00Z', '02+0200'],
	['the second', 'Europe/Berlin', '2026-10-25T01:00:00Z', '02+0100'],
	['the first of two halves', 'Australia/Lord_Howe', '2026-04-04T14:30:00Z', '01+1100'],
	['the second half', 'Australia/Lord_Howe', '2026-04-04T15:00:00Z', '01+1030'],
	['the first of two at Greenwich', 'Europe/London', '2026-10-25T00:00:00Z', '01+0100'],
	['the second at Greenwich', 'Europe/London', '2026-10-25T01:00:00Z', '01+0000'],
])('%s (%s, %s) is called %s', (_, zone, time, label) => {
	expect(new Calendar(zone).hourLabel(at(time))).toBe(label);
});

it('an hour is called the same on a machine with other digits', () => {
	jest.spyOn(Settings, 'defaultLocale', 'get').mockReturnValue('ar-EG');
	expect(DateTime.utc(2026, 1, 1, 9).toFormat('HH')).toBe('٠٩');
	expect(new Calendar('UTC').hourLabel(at('2026-10-25T09:00:00Z'))).toBe('09');
});

it.each<[RelativeRange['kind'], string, string, string, string]>([
	['previousDay', 'Europe/Berlin', '2026-03-30T10:00', '2026-03-28T23:00', '2026-03-29T22:00'],
	['previousDay', 'America/Havana', '2025-11-03T12:00', '2025-11-02T04:00', '2025-11-03T05:00'],
	['previousHour', 'Asia/Kolkata', '2026-01-05T10:05', '2026-01-05T08:30', '2026-01-05T09:30'],
	['previousMonth', 'America/New_York', '2026-04-10T00:00', '2026-03-01T05:00', '2026-04-01T04:00'],
	['lastDays', 'Europe/Berlin', '2026-03-30T10:00', '2026-03-22T23:00', '2026-03-29T22:00'],
])('%s in %s at %s is from %s to %s', (kind, zone, now, start, end) => {
	const range = (kind === 'lastDays' ? { kind, days: 7 } : { kind }) as RelativeRange;
	const window = computeRelativeWindow(range, at(`${now}:00Z`), new Calendar(zone));
	expect([window.start, window.end]).toEqual([at(`${start}:00Z`), at(`${end}:00Z`)]);
});

it('an empty range has no parts', () => {
	const start = at('2026-01-31T00:00:00Z');
	expect([...divide({ start, end: start }, 'none', new Calendar('UTC'))]).toEqual([]);
});
