import { timeBefore, withoutKnown } from '../../../../nodes/Wherobots/transport/jobRuns/runLog';

const line = (timestamp: number | string, raw = 'x') => ({ timestamp, raw });

describe('lines that are new', () => {
	it('are all of them when none is known', () => {
		const lines = [line(1), line(1)];
		expect(withoutKnown(lines, [])).toBe(lines);
	});

	it('include as many equal ones as were not there before', () => {
		const lines = [...Array(4).fill(line(1, 'a')), line(2, 'a'), line(1, 'b')];
		expect(withoutKnown(lines, [line(1, 'a'), line('1', 'a'), line(3, 'b')])).toEqual([
			line(1, 'a'),
			line(1, 'a'),
			line(2, 'a'),
			line(1, 'b'),
		]);
	});
});

describe('the latest time of a line', () => {
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
	])('before %s and after %s is %s', (time, after, expected) => {
		expect(timeBefore(lines, time, after)).toBe(expected);
	});

	it('is exact to the nanosecond', () => {
		const long = ['1790000000000000001', '1790000000000000002'].map((time) => line(time));
		expect(timeBefore(long, '1790000000000000002', '0')).toBe('1790000000000000001');
	});
});
