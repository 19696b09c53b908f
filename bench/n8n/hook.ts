/**
 * An external hook of n8n that records the outcome of each execution in a file, as n8n itself measured
 * it. Items need not be stored or read back for that, so no side stores them.
 */
import { appendFileSync } from 'node:fs';

/** How long one node took by n8n's own `executionTime`, and what it output. */
export interface NodeNote {
	ms: number;
	items: number;
	/** The JSON of its first item, if that is short. */
	first?: Record<string, unknown>;
}

export interface ExecutionNote {
	id: string;
	status: string;
	error?: string;
	/** From the start to the end of the whole execution. */
	ms: number;
	/** Processor time of the n8n process meanwhile, all threads. */
	cpuMs: number;
	nodes: Record<string, NodeNote>;
}

interface RunData {
	executionTime: number;
	data?: { main?: Array<Array<{ json: Record<string, unknown> }> | null> };
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
	const first = outputs[0]?.[0]?.json;
	return {
		ms: runs.reduce((sum, run) => sum + run.executionTime, 0),
		items: outputs.reduce((sum, items) => sum + (items?.length ?? 0), 0),
		first: JSON.stringify(first ?? null).length <= MAX_FIRST_CHARACTERS ? first : undefined,
	};
}

/** Executions run one at a time. */
let begun: NodeJS.CpuUsage | undefined;

export const workflow = {
	preExecute: [async () => void (begun = process.cpuUsage())],

	postExecute: [
		async (run: FullRun | undefined, _workflow: unknown, id: string) => {
			const { user, system } = process.cpuUsage(begun);
			const result = run?.data?.resultData;
			if (!run || !result) return;
			const note: ExecutionNote = {
				id,
				status: run.status,
				error: result.error?.message,
				ms: (run.stoppedAt?.getTime() ?? NaN) - run.startedAt.getTime(),
				cpuMs: (user + system) / 1_000,
				nodes: Object.fromEntries(
					Object.entries(result.runData).map(([name, runs]) => [name, noteOf(runs)]),
				),
			};
			appendFileSync(process.env.BENCH_NOTES as string, `${JSON.stringify(note)}\n`);
		},
	],
};
