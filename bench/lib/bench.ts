/** Everything that the parts of the benchmarks measure with, started once. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { packedPackage, type PackedPackage } from '../../scripts/lib/packedPackage';
import { ensureN8n, type N8nInstall } from '../../test/e2e/n8n/install';
import type { FloorFunctions, Target } from '../floor/functions';
import { BenchN8n, type Measured, type Step } from '../n8n/n8n';
import { MEASURED } from '../n8n/steps';
import { type RemoteProcess, startRemote } from '../processes/remote';
import type { ServiceFunctions } from '../service/functions';
import type { Sample } from './samples';

/** How much work and how often. */
export interface Scale {
	rounds: number;
	/** Rounds of what takes long and differs little. */
	longRounds: number;
	runs: number;
	readById: number;
	/** Reads against the rate limit. */
	readAtRate: number;
	exportBytes: number;
	parseBytes: number;
	activeRuns: number;
	changes: number;
}

export const FULL: Scale = {
	rounds: 7,
	longRounds: 3,
	runs: 20_000,
	readById: 100,
	readAtRate: 1_000,
	exportBytes: 2 ** 30,
	parseBytes: 200 * 2 ** 20,
	activeRuns: 5_000,
	changes: 500,
};

/** To see that everything works; its figures mean nothing. */
export const QUICK: Scale = {
	rounds: 2,
	longRounds: 1,
	runs: 1_000,
	readById: 20,
	readAtRate: 110,
	exportBytes: 10 * 2 ** 20,
	parseBytes: 2 * 2 ** 20,
	activeRuns: 300,
	changes: 30,
};

export interface Bench {
	scale: Scale;
	install: N8nInstall;
	packed: PackedPackage;
	service: RemoteProcess<ServiceFunctions>['call'];
	floor: RemoteProcess<FloorFunctions>['call'];
	n8n: BenchN8n;
	target: Target;
	/** An empty folder for files. */
	scratch: string;
	stop(): Promise<void>;
}

export async function startBench(scale: Scale): Promise<Bench> {
	const install = await ensureN8n();
	const packed = await packedPackage();
	const stops: Array<() => Promise<unknown>> = [];
	const stop = async () => {
		for (const each of stops.reverse()) await each();
	};
	try {
		const scratch = await mkdtemp(path.join(tmpdir(), 'bench-files-'));
		stops.push(async () => await rm(scratch, { recursive: true, force: true }));
		const node = install.node.bin;
		const service = await startRemote<ServiceFunctions>(script('service'), node);
		stops.push(service.stop);
		const floor = await startRemote<FloorFunctions>(script('floor'), node);
		stops.push(floor.stop);
		const target = await service.call.address();
		const n8n = await BenchN8n.start(install, packed, target);
		stops.push(async () => await n8n.stop());
		return {
			...{ scale, install, packed, n8n, target, scratch, stop },
			service: service.call,
			floor: floor.call,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

function script(name: 'service' | 'floor'): string {
	return path.join(__dirname, '..', name, 'process.ts');
}

/** Limits of the service: so many requests, then the window has to pass. */
export const PUBLISHED = { requests: 100, windowMs: 5_000 };

/** The least time in which the published limit lets so many requests through. */
export function leastMs(requests: number): number {
	return Math.floor((requests - 1) / PUBLISHED.requests) * PUBLISHED.windowMs;
}

/** A saved workflow as a side: the time of its nodes, without those that only give out its input. */
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
		const { peak, cpuMs, v8Ms, collections } = run;
		return { ms, peak, cpuMs, v8Ms, collections, run };
	};
}

/** Refuses a run that did not give out what it should have: a fast wrong result is no result. */
export function expectItems(count: number, step = MEASURED): (run: Measured) => void {
	return ({ nodes }) => {
		if (nodes[step]?.items !== count) {
			throw new Error(`"${step}" gave out ${nodes[step]?.items} items instead of ${count}`);
		}
	};
}
