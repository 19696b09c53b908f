import {
	isLine,
	linesFrom,
	sameLine,
	timeBefore,
	withoutKnown,
} from '../../../../nodes/Wherobots/transport/jobRuns/runLog';

const line = (timestamp: number | string, raw = 'x') => ({ timestamp, raw });

it.each([
	[line(1), true],
	[{ raw: null }, true],
	[{ timestamp: 1 }, false],
	['raw', false],
	[null, false],
	[undefined, false],
])('%j is a line: %s', (value, expected) => {
	expect(isLine(value)).toBe(expected);
});

it.each([
	[line(1), line('1'), true],
	[line(1), line(2), false],
	[line(1, 'a'), line(1, 'b'), false],
])('%j and %j are the same line: %s', (a, b, expected) => {
	expect(sameLine(a, b)).toBe(expected);
});

describe('lines that are not known', () => {
	it('are all of them when none is', () => {
		const lines = [line(1), line(1)];
		expect(withoutKnown(lines, [])).toBe(lines);
	});

	it('are as many of equal ones as were not there before', () => {
		const lines = [...Array(4).fill(line(1, 'a')), line(2, 'a'), line(1, 'b')];
		expect(withoutKnown(lines, [line(1, 'a'), line('1', 'a'), line(3, 'b')])).toEqual([
			line(1, 'a'),
			line(1, 'a'),
			line(2, 'a'),
			line(1, 'b'),
		]);
	});
});

describe('the time before another', () => {
	const lines = [line(5), line('7'), line(9), line(8), line('later')];

	it.each([
		['9', '0', '8'],
		['8', '0', '7'],
		['100', '0', '9'],
		['8', '7', undefined],
		['5', '0', undefined],
		['9', '8', undefined],
		['now', '0', undefined],
		['9', 'a3', undefined],
		['9', '3a', undefined],
	])('%s and after %s is %s', (time, after, expected) => {
		expect(timeBefore(lines, time, after)).toBe(expected);
	});

	it('is exact in nanoseconds', () => {
		const long = ['1790000000000000001', '1790000000000000002'].map((time) => line(time));
		expect(timeBefore(long, '1790000000000000002', '0')).toBe('1790000000000000001');
	});
});

it.each([
	['7', ['7', 9, 'later']],
	['8', [9, 'later']],
	['now', [5, '7', 9, 'later']],
])('the lines from %s on, and those whose time is no number', (time, expected) => {
	const lines = [line(5), line('7'), line(9), line('later')];
	expect(linesFrom(lines, time).map(({ timestamp }) => timestamp)).toEqual(expected);
});
