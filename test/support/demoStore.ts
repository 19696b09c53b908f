import { ManualClock, type Sandbox } from '../sandbox';
import { Ids } from '../sandbox/ids';
import { RunPlans } from '../sandbox/model/runPlans';
import { Store } from '../sandbox/model/store';
import { seedDemo } from '../sandbox/seed/demo';
import { defaultTimings, defaultVariants } from '../sandbox/variants';

/** The demo data of a sandbox that nobody has started, for lists of tests that depend on them. */
export function demoStore(): Pick<Sandbox, 'store'> {
	const clock = new ManualClock('2026-11-21T12:00:00Z');
	const [variants, timings] = [structuredClone(defaultVariants), { ...defaultTimings }];
	const plans = new RunPlans(timings);
	const store = new Store({ clock, timings, variants, plans, ids: new Ids() });
	seedDemo({ clock, store, variants, timings });
	return { store };
}
