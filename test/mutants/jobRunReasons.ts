/** The reasons of `reasons.ts` for the sources below transport/jobRuns/. */
import { NOT_A_NUMBER, type Reason } from './reason';

export const JOB_RUN_REASONS: Record<string, Reason[]> = {
	'transport/jobRuns/findByName.ts': [
		['two of the same ID are the same run, and either may come first', 'a.id <= b.id'],
		[
			'whether failed runs count is read only for those of a period',
			"reuse.which === 'any' → true",
		],
	],
	'transport/jobRuns/logReading.ts': [
		['the same lines are kept in the end, only cut more or less often', '2 * count', '+count'],
		[
			'no more of the first lines are kept than are wanted, and all for all',
			"which === 'last' → true",
		],
		[
			'all have no count, and neither condition is true of them',
			"which === 'all' → false",
			"'all' → ",
		],
	],
	'transport/jobRuns/runLog.ts': [
		[NOT_A_NUMBER, 'begin === undefined', 'end === undefined'],
		["equals only a line without a time that reads 'undefined'", '["Stryker was here"]'],
	],
	'transport/jobRuns/runCosts.ts': [['no cost has either name', '\'\' → "Stryker was here!"']],
};
