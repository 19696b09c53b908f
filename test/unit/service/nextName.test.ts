import { nextName } from '../../../nodes/Wherobots/service/jobRuns';

it.each([
	['nightly-etl', 'nightly-etl-2'],
	['nightly-etl-2', 'nightly-etl-3'],
	['nightly-etl-9', 'nightly-etl-10'],
	['nightly-etl-1', 'nightly-etl-1-2'],
	['nightly-etl-02', 'nightly-etl-02-2'],
	['nightly-etl-2026', 'nightly-etl-2026-2'],
	['nightly-2026-11', 'nightly-2026-11-2'],
	['nightly-2026-11-25', 'nightly-2026-11-25-2'],
	['nightly-2026-11-25-2', 'nightly-2026-11-25-3'],
	['nightly-2026-11-2', 'nightly-2026-11-3'],
	['nightly-2026-11-25-11', 'nightly-2026-11-25-12'],
	['a'.repeat(255), `${'a'.repeat(253)}-2`],
	[`${'a'.repeat(253)}-9`, `${'a'.repeat(252)}-10`],
])('calls the run after %s %s', (name, next) => {
	expect(nextName(name)).toBe(next);
});
