/** Histories that once lost something or repeated it, found at random and reduced to what matters. */
import * as auditCore from '../../../nodes/Wherobots/trigger/core/newRecords';
import * as runCore from '../../../nodes/Wherobots/trigger/core/runPoll';
import * as tableCore from '../../../nodes/Wherobots/trigger/core/tables';
import { AuditTrial } from './model/auditHistory';
import { RunTrial } from './model/runHistory';
import { TableTrial } from './model/tableHistory';

/** A service that behaves well. */
const CALM = {
	...{ tellsTime: true, dateSkewSeconds: 0, behindSeconds: 0 },
	...{ datesAhead: false, replicaLagSeconds: 0 },
};

const create = (count = 1) => ({ kind: 'create' as const, count, lateness: 0, future: 0 });
const move = (pick = 0) => ({ kind: 'move' as const, pick, unusual: false });
const record = ({ lateness = 0, future = 0 } = {}) => ({
	kind: 'record' as const,
	count: 1,
	lateness,
	future,
	withoutId: false,
});

test('a first poll that does not finish, after an event that is dated two seconds ahead', async () => {
	const trial = new AuditTrial(auditCore, {
		style: { order: 'newestFirst', cursors: 'keyset', pageSize: 2 },
		engine: 'classic',
		habits: {
			...{ ...CALM, behindSeconds: 1, datesAhead: true, replicaLagSeconds: 1 },
			...{ wholeRanges: true, storedMicros: 1_000_000, showsExactTime: true },
			byAppearance: false,
		},
		overlapSeconds: 101,
		settleSeconds: 0,
		steps: [
			{ kind: 'poll' },
			{ kind: 'poll' },
			{ kind: 'rescope' },
			record({ future: 2 }),
			record(),
			record(),
			{ kind: 'poll', calls: 1 },
			record({ lateness: 1 }),
		],
	});
	await trial.run();
});

test("runs that were created while n8n's clock was an hour behind, once it is right again", async () => {
	const trial = new RunTrial(runCore, {
		style: { order: 'shuffled', cursors: 'keyset', pageSize: 2 },
		engine: 'classic',
		habits: { ...CALM, tellsTime: false, ignoresCreatedAfter: false, byUpdate: false },
		steps: [
			{ kind: 'busy', changes: Array.from({ length: 10 }, () => [create(), 86_400]) },
			{ kind: 'wait', seconds: 3466 },
			{ kind: 'wait', seconds: 78 },
			{ kind: 'wait', seconds: 4 },
			{ kind: 'wait', seconds: 54 },
			{ kind: 'poll', calls: 2 },
			{
				kind: 'busy',
				changes: [
					[{ kind: 'create', count: 1, lateness: 1, future: 0 }, 0],
					[move(), 20],
				],
			},
			{ kind: 'poll', between: [[1, { kind: 'create', count: 9, lateness: 1, future: 0 }]] },
			{ kind: 'busy', changes: [[move(12), 20]] },
			{ kind: 'skew', seconds: -3702 },
			{ kind: 'poll' },
		],
	});
	await trial.run();
});

test('a table that the first poll had no time for, changed before a restart', async () => {
	const trial = new TableTrial(tableCore, {
		only: false,
		engine: 'classic',
		habits: { ...CALM, refs: true, updateTimes: 'both', order: 'oldestFirst', ids: 'text' },
		steps: [
			{ kind: 'poll', calls: 2 },
			{ kind: 'poll' },
			{ kind: 'commit', table: 1, pick: 0 },
			{ kind: 'restart' },
		],
	});
	await trial.run();
});
