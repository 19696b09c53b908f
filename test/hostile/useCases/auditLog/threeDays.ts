import { suiteWithSandbox, type Suite } from '../../../engine/harness/suite';

/** A sandbox for each test, with three events on each of the three days before the test's present. */
export function suiteWithThreeDays(): Suite {
	const suite = suiteWithSandbox({ seed: 'empty' });
	beforeEach(() => {
		for (const day of [18, 19, 20]) {
			for (const hour of [0, 12, 23]) {
				const event_time = Date.UTC(2026, 10, day, hour);
				suite.store.recordEvent({ event_id: `${day}-${hour}`, event_time });
			}
		}
	});
	return suite;
}
