import { withoutKnown } from '../../../../nodes/Wherobots/procedures/runs/logs';

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
