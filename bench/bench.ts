/** Everything that the chapters measure with, started once. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { packedPackage, type PackedPackage } from '../scripts/lib/packedPackage';
import { ensureN8n, type N8nInstall } from '../test/e2e/n8n/install';
import type { Sample } from './measure';
import { BenchN8n, type Measured } from './n8n/n8n';
import { MEASURED, type Step } from './n8n/steps';
import { PUBLISHED } from './pace';
import { type Remote, startRemote } from './processes/remote';
import type { ServiceFunctions, Target } from './processes/service';

/** How much work is done, and how often. */
export const FULL = {
	rounds: 5,
	/** The rounds of what takes long. */
	longRounds: 3,
	runs: 20_000,
	readById: 100,
	/** How many runs are read against the rate limit. */
	readAtRate: 1_000,
	/** The size of an export that becomes a file. */
	fileBytes: 2 ** 30,
	/** The size of an export that becomes items. */
	itemBytes: 200 * 2 ** 20,
	/** How many runs are created and waited for, and how long each takes. */
	waits: [10, 100, 400, 1_000],
	waitedMs: 90_000,
	workers: 10,
	activeRuns: 5_000,
	changes: 500,
	/** The rows of a SQL result, and as many as n8n's own Databricks node returns. */
	sqlRows: 1_000_000,
	sqlRowsBeside: 100_000,
	/** The rows that are inserted by one statement, and by statements of 500 rows. */
	insertedRows: 100_000,
	batchedRows: 10_000,
	/** How many triggers poll, and how many after an hour without polls. */
	triggers: [100, 300, 600, 1_000],
	pausedTriggers: [400, 600, 1_000],
};

export type Scale = typeof FULL;

/** Just to see that everything works; its figures mean nothing. */
export const QUICK: Scale = {
	rounds: 2,
	longRounds: 1,
	runs: 1_000,
	readById: 20,
	readAtRate: 110,
	fileBytes: 10 * 2 ** 20,
	itemBytes: 2 * 2 ** 20,
	waits: [5, 30],
	waitedMs: 20_000,
	workers: 2,
	activeRuns: 300,
	changes: 30,
	sqlRows: 20_000,
	sqlRowsBeside: 10_000,
	insertedRows: 20_000,
	batchedRows: 2_000,
	triggers: [60],
	pausedTriggers: [60],
};

export interface Bench {
	scale: Scale;
	install: N8nInstall;
	packed: PackedPackage;
	service: Remote<ServiceFunctions>;
	n8n: BenchN8n;
	target: Target;
	stop(): Promise<void>;
}

export async function startBench(scale: Scale): Promise<Bench> {
	const install = await ensureN8n();
	const packed = await packedPackage();
	const folder = await mkdtemp(path.join(tmpdir(), 'bench-'));
	const service = await startRemote<ServiceFunctions>('service', install.node.bin);
	const stops = [service.stop, async () => await rm(folder, { recursive: true, force: true })];
	const stop = async () => {
		for (const each of stops) await each();
	};
	try {
		const target = await service.call.address();
		const n8n = await BenchN8n.start({ install, packed, target, folder });
		stops.unshift(async () => await n8n.stop());
		return { scale, install, packed, service: service.call, n8n, target, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** Waits until no request counts toward the published limit. */
export async function freshWindow({ service }: Pick<Bench, 'service'>): Promise<void> {
	await sleep(PUBLISHED.windowMs + 200);
	await service.takeCounts();
}

/**
 * A saved workflow as one side: the time of its nodes, except those that only output its input.
 *
 * @param check throws for a wrong result, which must not count however fast it is
 */
export async function workflowSide(
	{ n8n }: Bench,
	name: string,
	steps: Step[],
	check: (run: Measured) => void = () => undefined,
): Promise<() => Promise<Sample & { run: Measured }>> {
	const id = await n8n.save(name, steps);
	const counted = steps.map((step) => step.name).filter((step) => step !== 'Items');
	return async () => {
		const run = await n8n.run(id);
		check(run);
		const ms = counted.reduce((sum, step) => sum + run.nodes[step].ms, 0);
		return { ms, cpuMs: run.cpuMs, peak: run.peak, run };
	};
}

export function expectItems(count: number, step = MEASURED): (run: Measured) => void {
	return ({ nodes }) => {
		const items = nodes[step]?.items;
		if (items !== count) throw new Error(`"${step}" gave out ${items} items instead of ${count}`);
	};
}
