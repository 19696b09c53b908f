/**
 * An external hook of n8n: notes what became of each execution, as n8n itself measured it, in a
 * file. The items need not be stored or read back for that, so storing them is left out on every
 * side.
 */
import { appendFileSync } from 'node:fs';
import path from 'node:path';

import { GarbageWatch } from '../processes/garbage';
import { PROFILED, Profiler } from './profiler';

/** How long one node took by n8n's own `executionTime`, and what it gave out. */
export interface NodeNote {
	ms: number;
	items: number;
	/** JSON of its first item, when it is short. */
	first?: Record<string, unknown>;
	/** `fileSize` in bytes of its first item's files, by property. */
	files?: Record<string, number>;
	error?: string;
}

export interface ExecutionNote {
	id: string;
	status: string;
	error?: string;
	/** From the start to the end of the whole execution. */
	ms: number;
	/** Processor time of the n8n process meanwhile, all threads; holds steadier than `ms` on a busy machine. */
	cpuMs: number;
	/** Collections of n8n's whole heap meanwhile. */
	collections: number;
	/** File with the CPU profile of its main thread, if it was profiled. */
	profile?: string;
	nodes: Record<string, NodeNote>;
}

interface Item {
	json: Record<string, unknown>;
	binary?: Record<string, { bytes?: number; fileSize?: string }>;
}

interface RunData {
	executionTime: number;
	error?: { message: string };
	data?: { main?: Array<Item[] | null> };
}

interface FullRun {
	status: string;
	startedAt: Date;
	stoppedAt?: Date;
	data?: { resultData: { error?: { message: string }; runData: Record<string, RunData[]> } };
}

const MAX_FIRST_CHARACTERS = 10_000;

function noteOf(runs: RunData[]): NodeNote {
	const outputs = runs.flatMap((run) => run.data?.main ?? []);
	const first = outputs[0]?.[0];
	const short = JSON.stringify(first?.json ?? null).length <= MAX_FIRST_CHARACTERS;
	return {
		ms: runs.reduce((sum, run) => sum + run.executionTime, 0),
		items: outputs.reduce((sum, items) => sum + (items?.length ?? 0), 0),
		first: short ? first?.json : undefined,
		files: Object.fromEntries(
			Object.entries(first?.binary ?? {}).map(([name, { bytes }]) => [name, bytes ?? -1]),
		),
		error: runs.find((run) => run.error)?.error?.message,
	};
}

const profiler = new Profiler();

const garbage = new GarbageWatch();

/** Executions run one at a time. */
let begun: NodeJS.CpuUsage | undefined;

export const workflow = {
	preExecute: [
		async ({ name }: { name: string }) => {
			if (name.startsWith(PROFILED) || process.env.BENCH_PROFILE_ALL) profiler.start();
			garbage.take();
			begun = process.cpuUsage();
		},
	],

	postExecute: [
		async (run: FullRun | undefined, { name }: { name: string }, id: string) => {
			const cpu = process.cpuUsage(begun);
			const file = `${id}-${name.replace(/[^\w.-]+/g, '-')}.cpuprofile`;
			const profile = profiler.stop(path.join(process.env.BENCH_PROFILES as string, file));
			const result = run?.data?.resultData;
			if (!run || !result) return;
			const note: ExecutionNote = {
				id,
				status: run.status,
				error: result.error?.message,
				ms: (run.stoppedAt?.getTime() ?? NaN) - run.startedAt.getTime(),
				cpuMs: (cpu.user + cpu.system) / 1000,
				collections: garbage.take(),
				profile,
				nodes: Object.fromEntries(
					Object.entries(result.runData).map(([name, runs]) => [name, noteOf(runs)]),
				),
			};
			appendFileSync(process.env.BENCH_NOTES as string, `${JSON.stringify(note)}\n`);
		},
	],
};
