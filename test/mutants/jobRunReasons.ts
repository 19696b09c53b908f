/** The reasons of `reasons.ts` for the sources below transport/jobRuns/. */
import { NOT_A_NUMBER, NOTICED_NOW, SIMPLER_NOW, type Reason } from './reason';

/** Whatever else there is in a file: each was planted again, one by one. To be dropped when the part is run again. */
const ALL_OTHERS: Reason = [NOTICED_NOW, ' → '];

export const JOB_RUN_REASONS: Record<string, Reason[]> = {
	'transport/jobRuns/findByName.ts': [
		['two of the same ID are the same run, and either may come first', 'a.id <= b.id'],
		[SIMPLER_NOW, "reuse.which === 'active' → true"],
		ALL_OTHERS,
	],
	'transport/jobRuns/logLines.ts': [
		[
			NOT_A_NUMBER,
			'end !== undefined',
			'begin !== undefined',
			'begin === undefined',
			'end === undefined',
			'at !== undefined → true',
		],
		['of two equal times, either is the latest', 'at >= latest'],
		ALL_OTHERS,
	],
	'transport/jobRuns/logReading.ts': [
		['is no date either way', '"Stryker was here!"'],
		['the same lines are kept in the end, only cut more often', '2 * count'],
		[SIMPLER_NOW, 'followMs > 0'],
		ALL_OTHERS,
	],
	'transport/jobRuns/runLog.ts': [
		['only for the compiler: where there are lines, there is a page', 'page.next_page'],
		["equals only a line without a time that reads 'undefined'", '["Stryker was here"]'],
		[SIMPLER_NOW, 'Math.min(PAGE_SIZE, this.largest)'],
		ALL_OTHERS,
	],
	'transport/jobRuns/runCosts.ts': [
		['no cost has either name', '\'\' → "Stryker was here!"'],
		['what the same look says of a known app takes its place', 'this.appId === undefined → true'],
		ALL_OTHERS,
	],
	'transport/jobRuns/sameMoment.ts': [
		[
			'whether failed runs count is read only for those of a period',
			"reuse.which === 'any' → true",
		],
		ALL_OTHERS,
	],
	'transport/jobRuns/submit.ts': [
		['only for the compiler: no open submission has lost nothing', 'state.lost → true'],
		ALL_OTHERS,
	],
	'transport/jobRuns/waitForEnd.ts': [
		['only for the compiler: a run has neither a status code nor facts', 'NodeApiError) → false'],
		ALL_OTHERS,
	],
	'transport/jobRuns/openSubmissions.ts': [ALL_OTHERS],
	'transport/jobRuns/readRun.ts': [ALL_OTHERS],
};
