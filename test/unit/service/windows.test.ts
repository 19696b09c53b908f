import {
	Calendar,
	divide,
	formatTime,
	lastMoment,
	type Micros,
	parseTime,
	type RelativeRange,
	relativeWindow,
	type Split,
} from '../../../nodes/Wherobots/service/time';

const at = (time: string) => parseTime(time) as Micros;

describe('a range that has passed', () => {
	it.each<[RelativeRange, string, string, string, string]>([
		[
			{ kind: 'previousDay' },
			'Europe/Berlin',
			'2026-03-30T10:00:00Z',
			'2026-03-28T23:00:00Z',
			'2026-03-29T22:00:00Z',
		],
		[
			{ kind: 'previousDay' },
			'America/Havana',
			'2025-11-03T12:00:00Z',
			'2025-11-02T04:00:00Z',
			'2025-11-03T05:00:00Z',
		],
		// Samoa had no 30 December 2011.
		[
			{ kind: 'previousDay' },
			'Pacific/Apia',
			'2011-12-30T12:00:00Z',
			'2011-12-29T10:00:00Z',
			'2011-12-30T10:00:00Z',
		],
		[
			{ kind: 'previousHour' },
			'Asia/Kolkata',
			'2026-01-05T10:05:00Z',
			'2026-01-05T08:30:00Z',
			'2026-01-05T09:30:00Z',
		],
		[
			{ kind: 'previousMonth' },
			'America/New_York',
			'2026-04-10T00:00:00Z',
			'2026-03-01T05:00:00Z',
			'2026-04-01T04:00:00Z',
		],
		[
			{ kind: 'lastDays', days: 7 },
			'Europe/Berlin',
			'2026-03-30T10:00:00Z',
			'2026-03-22T23:00:00Z',
			'2026-03-29T22:00:00Z',
		],
	])('%j in %s at %s is from %s to %s', (range, zone, now, start, end) => {
		const window = relativeWindow(range, at(now), new Calendar(zone));
		expect([formatTime(window.start), formatTime(window.end)]).toEqual([start, end]);
	});
});

it.each<[Split, string, string[]]>([
	['none', 'UTC', ['2026-01-30T22:30:00Z', '2026-02-01T01:00:00Z']],
	[
		'hour',
		'UTC',
		[
			'2026-01-30T22:30:00Z',
			'2026-01-30T23:00:00Z',
			'2026-01-31T00:00:00Z',
			'2026-01-31T01:00:00Z',
		],
	],
	[
		'day',
		'UTC',
		[
			'2026-01-30T22:30:00Z',
			'2026-01-31T00:00:00Z',
			'2026-02-01T00:00:00Z',
			'2026-02-01T01:00:00Z',
		],
	],
	[
		'month',
		'UTC',
		[
			'2025-12-31T23:00:00Z',
			'2026-01-01T00:00:00Z',
			'2026-02-01T00:00:00Z',
			'2026-02-01T01:00:00Z',
		],
	],
	['day', 'UTC', ['2026-01-31T00:00:00Z', '2026-02-01T00:00:00Z']],
	['day', 'Pacific/Apia', ['2011-12-29T10:00:00Z', '2011-12-30T10:00:00Z', '2011-12-31T10:00:00Z']],
])('by %s in %s a range is divided at %j', (split, zone, points) => {
	const [start, end] = [at(points[0]), at(points[points.length - 1])];
	const windows = [...divide({ start, end }, split, new Calendar(zone))];
	expect(windows.map((window) => formatTime(window.start))).toEqual(points.slice(0, -1));
	expect(windows.map((window) => formatTime(window.end))).toEqual(points.slice(1));
});

it('an empty range has no parts', () => {
	const start = at('2026-01-31T00:00:00Z');
	expect([...divide({ start, end: start }, 'none', new Calendar('UTC'))]).toEqual([]);
});

it('the last moment of a window is one microsecond before its end', () => {
	const [start, end] = [at('2026-01-31T00:00:00Z'), at('2026-02-01T00:00:00Z')];
	expect(formatTime(lastMoment({ start, end }))).toBe('2026-01-31T23:59:59.999999Z');
});
