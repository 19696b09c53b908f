/** The reasons of `reasons.ts` for the sources below trigger/. */
import { NOT_A_NUMBER, type Reason } from './reason';

const TRACKED = 'only for the compiler: the run is tracked';

export const TRIGGER_REASONS: Record<string, Reason[]> = {
	'trigger/core/audit/auditPoll.ts': [
		[
			'only for the compiler: a range that has an end has a length',
			'this.span !== undefined → true',
		],
	],
	'trigger/core/audit/observedEvents.ts': [
		[
			'no range is asked for with an end unless something before that end is final',
			'range.end === undefined → true',
		],
		[NOT_A_NUMBER, 'time !== undefined → true', 'time === undefined → false'],
	],
	'trigger/core/readList.ts': [
		['only whether it is the first page counts', 'pages++ → pages--'],
		[
			'only for the compiler: after the first page there is a cursor',
			'cursor !== undefined → true',
		],
		[
			'a reading of no other kind counts as one that was not finished',
			"{ kind: 'truncated' } → {}",
			'\'truncated\' → ""',
		],
	],
	'trigger/core/runs/followedRuns.ts': [[TRACKED, 'tracked.get(id)?.created']],
	'trigger/core/runs/runDurations.ts': [
		['only for the compiler: null is no end', '\'\' → "Stryker was here!"'],
	],
	'trigger/events/auditEvent.ts': [
		['no two events have the same ID', 'a.id < b.id → a.id <= b.id'],
	],
};
