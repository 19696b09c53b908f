/** What makes each event of the trigger happen. */
import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';

export interface EventCase {
	title: string;
	parameters: INodeParameters;
	/** Sets the service up before the trigger is activated. */
	before?(sandbox: Sandbox): void;
	/** Makes events happen, and returns the IDs of those that the trigger has to give. */
	happen(sandbox: Sandbox): string[];
}

export const MINUTE = 60_000;

/** At least one for each event. */
export const eventCases: EventCase[] = [
	{
		title: 'Job Run Status Changed',
		parameters: { event: 'runStatusChanged', statuses: [] },
		before: ({ store }) => {
			store.createRun({ name: 'tracked-run', status: 'RUNNING' });
		},
		happen({ store }) {
			const tracked = store.runs.all().find(({ payload }) => payload.name === 'tracked-run');
			if (!tracked) throw new Error('The run that is followed is gone');
			store.moveRun(tracked.id, 'COMPLETED');
			const failed = store.createRun({ name: 'failed-run', status: 'FAILED' });
			return [`run/${tracked.id}/COMPLETED`, `run/${failed.id}/FAILED`];
		},
	},
	{
		title: 'Job Run Exceeds Duration',
		parameters: { event: 'runExceededDuration', pendingMinutes: 5, runningMinutes: 600 },
		happen({ store, clock }) {
			const { id } = store.createRun({ name: 'stuck-run', status: 'PENDING' });
			clock.advance(11 * MINUTE);
			return [`run/${id}/exceeded/PENDING`];
		},
	},
	{
		title: 'Task Run Exceeds Duration',
		parameters: {
			...{ event: 'taskRunExceededDuration', pendingMinutes: 0, runningMinutes: 0, factor: 2 },
		},
		before({ store, clock, timings }) {
			Object.assign(timings, { pendingMs: 0, runningMs: MINUTE });
			for (let count = 0; count < 5; count += 1) store.tasks.createRun();
			clock.advance(10 * MINUTE);
		},
		happen({ store, clock, timings }) {
			timings.runningMs = 60 * MINUTE;
			const { taskRunId } = store.tasks.createRun();
			clock.advance(11 * MINUTE);
			return [`taskRun/${taskRunId}/exceeded/RUNNING`];
		},
	},
	{
		title: 'Job Run Exceeds Cost',
		parameters: { event: 'runExceededCost', costLimit: '0.1' },
		happen({ store, clock }) {
			const ended = store.createRun({ plan: { pendingMs: 0, runningMs: 3 * MINUTE } });
			const running = store.createRun({ name: 'costly-run', status: 'RUNNING' });
			clock.advance(2 * MINUTE);
			return [ended, running].map(({ id }) => `run/${id}/cost`);
		},
	},
	{
		title: 'Task Run Exceeds Cost',
		parameters: { event: 'taskRunExceededCost', costLimit: '1' },
		happen({ store, clock, timings }) {
			Object.assign(timings, { pendingMs: 0, runningMs: MINUTE, costSettlingMs: 0 });
			const { taskRunId } = store.tasks.createRun();
			clock.advance(2 * MINUTE);
			return [`taskRun/${taskRunId}/cost`];
		},
	},
	...(['table', 'namespace'] as const).map(
		(watch): EventCase => ({
			title: `Table Changed, ${watch}`,
			parameters: {
				event: 'tableChanged',
				watch,
				catalogId: { __rl: true, mode: 'id', value: 'cat-watched' },
				namespace: { __rl: true, mode: 'name', value: 'watched' },
				table: { __rl: true, mode: 'name', value: 'hail' },
			},
			before({ store: { catalogs } }) {
				const catalog = catalogs.create({ id: 'cat-watched', name: 'watched_catalog' });
				catalogs.commit(catalogs.addTable(catalog, 'watched', { name: 'hail' }));
			},
			happen({ store: { catalogs } }) {
				const table = catalogs.tableNamed('watched_catalog.watched.hail');
				if (!table) throw new Error('The table that is watched is gone');
				return [1, 2].map(() => `table/cat-watched/watched/hail/${catalogs.commit(table)}`);
			},
		}),
	),
	{
		title: 'Task Run State Changed',
		parameters: { event: 'taskRunStateChanged', states: [] },
		before: ({ store }) => {
			store.tasks.createRun({ name: 'tracked-run', state: 'RUNNING' });
		},
		happen({ store: { tasks }, clock }) {
			const tracked = tasks.runs.find(({ name }) => name === 'tracked-run');
			if (!tracked) throw new Error('The run that is followed is gone');
			tasks.move(tracked, 'FAILED');
			const missed = tasks.missRun(clock.now());
			return [`taskRun/${tracked.taskRunId}/FAILED`, `taskRun/${missed.taskRunId}/MISSED`];
		},
	},
	{
		title: 'Audit Event Recorded',
		parameters: { event: 'auditEvent' },
		happen: ({ store }) => [1, 2].map(() => `audit/${store.recordEvent().event_id}`),
	},
	{
		title: 'Audit Event Recorded by export',
		parameters: { event: 'auditEvent' },
		before: ({ variants }) => {
			variants.auditQuery = 'missing';
		},
		happen: ({ store }) => [1, 2].map(() => `audit/${store.recordEvent().event_id}`),
	},
];
