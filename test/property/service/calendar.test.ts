import fc from 'fast-check';

import { Calendar, divide } from '../../../nodes/Wherobots/service/time';
import { anyTime, HOUR, zone } from './arbitraries';

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
