import * as fc from 'fast-check';

import { ActiveTrigger } from '../../engine/harness/polling';
import { liveInSandboxTime } from '../../engine/harness/time';
import { ManualClock, startSandbox, type Fault, type Sandbox } from '../../sandbox';
import type { TableRecord } from '../../sandbox/model/catalogs';
import { runs } from '../../support/runs';

/** The model's histories leave out HTTP; these few use everything from n8n's context to the service. */
const HISTORIES = runs(5, 30);

type Step =
	| { kind: 'create'; lateMs: number }
	| { kind: 'move'; pick: number; to: string }
	| { kind: 'record'; count: number; lateMs: number }
	| { kind: 'commit'; table: number }
	| { kind: 'wait'; ms: number }
	| { kind: 'poll'; fault?: Fault; skip: number }
	| { kind: 'restart' };

const faults: Fault[] = [
	{ kind: 'status', status: 500 },
	{ kind: 'status', status: 429, retryAfter: 600 },
	{ kind: 'status', status: 400 },
	{ kind: 'html' },
	{ kind: 'reset' },
	{ kind: 'truncate' },
	{ kind: 'cursor', how: 'repeat' },
	{ kind: 'cursor', how: 'emptyWithNext' },
];

const late = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 250_000 }));

const step: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 3, arbitrary: fc.record({ kind: fc.constant('create' as const), lateMs: late }) },
	{
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constant('move' as const),
			pick: fc.nat(30),
			to: fc.constantFrom('RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'),
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constant('record' as const),
			count: fc.constantFrom(1, 3, 130),
			lateMs: late,
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({ kind: fc.constant('commit' as const), table: fc.nat(1) }),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constant('wait' as const),
			ms: fc.integer({ min: 1, max: 900_000 }),
		}),
	},
	{
		weight: 4,
		arbitrary: fc.record({
			kind: fc.constant('poll' as const),
			fault: fc.option(fc.constantFrom(...faults), { nil: undefined }),
			skip: fc.nat(2),
		}),
	},
	{ weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
);

interface History {
	engine: 'classic' | 'durable';
	cursors: 'keyset' | 'offset';
	order: 'newestFirst' | 'oldestFirst' | 'shuffled';
	steps: Step[];
}

const history: fc.Arbitrary<History> = fc.record({
	engine: fc.constantFrom('classic', 'durable'),
	cursors: fc.constantFrom('keyset', 'offset'),
	order: fc.constantFrom('newestFirst', 'oldestFirst', 'shuffled'),
	steps: fc.array(step, { minLength: 30, maxLength: 30 }),
});

const TABLES = {
	event: 'tableChanged',
	watch: 'namespace',
	catalogId: { __rl: true, mode: 'id', value: 'cat-org' },
	namespace: { __rl: true, mode: 'name', value: 'noaa' },
};

const ENDED = new Set(['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT']);

class Rehearsal {
	private readonly triggers: ActiveTrigger[];

	private readonly events: string[] = [];

	private readonly statuses = new Map<string, string>();

	private readonly tables: TableRecord[];

	constructor(
		private readonly sandbox: Sandbox,
		engine: 'classic' | 'durable',
	) {
		this.triggers = [
			new ActiveTrigger(sandbox, { event: 'runStatusChanged', statuses: [] }, { engine }),
			new ActiveTrigger(sandbox, { event: 'auditEvent', searchTerm: '' }, { engine }),
			new ActiveTrigger(sandbox, TABLES, { engine }),
		];
		const { catalogs } = sandbox.store;
		const catalog = catalogs.create({ id: 'cat-org', name: 'org_catalog' });
		this.tables = ['hail', 'wind'].map((name) => catalogs.addTable(catalog, 'noaa', { name }));
		for (const table of this.tables) catalogs.commit(table);
	}

	async live(steps: Step[]): Promise<void> {
		for (const trigger of this.triggers) await trigger.activate();
		// The durable scheduler stores nothing before its first poll; see docs/trigger.md.
		await this.poll();
		for (const each of steps) await this.step(each);
		for (let quiet = 0; quiet < 3; quiet++) {
			this.sandbox.clock.advance(700_000);
			await this.poll();
		}
		const expected = [...this.statuses].map(([id, status]) => `run/${id}/${status}`);
		const given = this.triggers.flatMap((trigger) => trigger.take().map((item) => item.eventId));
		expect(given.filter((id, at) => given.indexOf(id) !== at)).toEqual([]);
		expect(given).toEqual(expect.arrayContaining([...expected, ...this.events]));
	}

	private async step(each: Step): Promise<void> {
		const { store, clock } = this.sandbox;
		const now = clock.now();
		if (each.kind === 'create') {
			const visibleAt = now + each.lateMs;
			this.statuses.set(store.createRun({ status: 'PENDING', visibleAt }).id, 'PENDING');
		} else if (each.kind === 'move') {
			const open = [...this.statuses].filter(([, status]) => !ENDED.has(status));
			const [id, from] = open[each.pick % Math.max(1, open.length)] ?? [];
			if (id === undefined || from === each.to) return;
			store.moveRun(id, each.to);
			this.statuses.set(id, each.to);
		} else if (each.kind === 'record') {
			for (let made = 0; made < each.count; made++) {
				const { event_id } = store.recordEvent({ event_time: now - each.lateMs });
				this.events.push(`audit/${event_id}`);
			}
		} else if (each.kind === 'commit') {
			const table = this.tables[each.table];
			this.events.push(`table/cat-org/noaa/${table.name}/${store.catalogs.commit(table)}`);
		} else if (each.kind === 'wait') clock.advance(each.ms);
		else if (each.kind === 'restart') for (const trigger of this.triggers) await trigger.restart();
		else await this.pollWith(each.fault, each.skip);
	}

	private async pollWith(fault: Fault | undefined, skip: number): Promise<void> {
		const rule = fault && this.sandbox.faults.add({ fault, skip });
		await this.poll();
		rule?.remove();
	}

	private async poll(): Promise<void> {
		for (const trigger of this.triggers) await trigger.poll();
	}
}

it(`yields everything once in ${HISTORIES} histories over HTTP`, async () => {
	await fc.assert(
		fc.asyncProperty(history, async ({ engine, cursors, order, steps }) => {
			const sandbox = await startSandbox({
				clock: new ManualClock('2026-03-01T12:00:00Z'),
				variants: { pageCursors: cursors, runOrder: order, auditOrder: order },
			});
			const time = liveInSandboxTime(sandbox);
			try {
				await new Rehearsal(sandbox, engine).live(steps);
			} finally {
				time.restore();
				await sandbox.stop();
			}
		}),
		{ numRuns: HISTORIES },
	);
}, 600_000);
