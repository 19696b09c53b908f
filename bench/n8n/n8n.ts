/** A real n8n with the package and the floor's node in it, and what an execution there costs. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { PackedPackage } from '../../scripts/lib/packedPackage';
import type { CredentialReference, WorkflowNode } from '../../test/e2e/n8n/apiTypes';
import type { N8nInstall } from '../../test/e2e/n8n/install';
import { N8nServer } from '../../test/e2e/n8n/server';
import { credentialData, CREDENTIAL_TYPE } from '../../test/e2e/n8n/workflows';
import { onlyChild, peakBytes, resetPeak } from '../processes/memory';
import { v8ThreadsMs } from '../processes/threads';
import { buildExtensions } from './extensions';
import type { ExecutionNote } from './hook';
import { type CpuProfile, PROFILED } from './profiler';

export type { ExecutionNote } from './hook';

/** A node of a workflow: its type and parameters; nodes run in the order in which they are given. */
export type Step = Pick<WorkflowNode, 'name' | 'type' | 'parameters'> & {
	typeVersion?: number;
	onError?: string;
};

export interface Measured extends ExecutionNote {
	/** Peak resident memory of n8n meanwhile, in bytes. */
	peak: number;
	/** Processor time of V8's own threads meanwhile, in milliseconds. */
	v8Ms: number;
}

const LOOK_AGAIN_MS = 20;

export class BenchN8n {
	private constructor(
		private readonly server: N8nServer,
		private readonly folder: string,
		private readonly notes: string,
		private readonly credential: CredentialReference,
	) {}

	static async start(
		install: N8nInstall,
		packed: PackedPackage,
		account: { baseUrl: string; apiKey: string },
	): Promise<BenchN8n> {
		const folder = await mkdtemp(path.join(tmpdir(), 'bench-'));
		const notes = path.join(folder, 'executions.jsonl');
		await writeFile(notes, '');
		const profiles = process.env.BENCH_PROFILES ?? path.join(folder, 'profiles');
		await mkdir(profiles, { recursive: true });
		const extensions = await buildExtensions(packed.dir, folder);
		const server = await N8nServer.start({
			install,
			tarball: packed.tarball,
			env: {
				N8N_CUSTOM_EXTENSIONS: extensions.folder,
				EXTERNAL_HOOK_FILES: extensions.hook,
				BENCH_NOTES: notes,
				N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
				BENCH_PROFILES: profiles,
				...(process.env.BENCH_PROFILES && { BENCH_PROFILE_ALL: 'true' }),
			},
		});
		const { apiKey, baseUrl } = account;
		const credential = await server.api.createCredential(credentialData(apiKey, baseUrl));
		return new BenchN8n(server, folder, notes, credential);
	}

	/** Saves a workflow: a manual trigger, and the steps after it in a row. */
	async save(name: string, steps: Step[]): Promise<string> {
		const nodes = [
			{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
			...steps,
		].map((step, index) => ({
			typeVersion: 1,
			...step,
			id: `node-${index}`,
			position: [index * 200, 0],
			credentials: { [CREDENTIAL_TYPE]: this.credential },
		}));
		const connections = Object.fromEntries(
			steps.map(({ name: next }, index) => [
				nodes[index].name,
				{ main: [[{ node: next, type: 'main', index: 0 }]] },
			]),
		);
		// Results are measured, not kept: storing them costs the same whatever node made them.
		const settings = { saveManualExecutions: false, executionOrder: 'v1' };
		return await this.server.api.createWorkflow({ name, nodes, connections, settings });
	}

	/**
	 * Runs a saved workflow to its end.
	 *
	 * @throws Error when it does not succeed, unless `mayFail`
	 */
	async run(workflowId: string, { mayFail = false, timeoutMs = 180_000 } = {}): Promise<Measured> {
		const pid = await onlyChild(this.server.pid as number);
		const deadline = Date.now() + timeoutMs;
		const before = await v8ThreadsMs(pid);
		await resetPeak(pid);
		const id = await this.server.api.start(workflowId);
		for (;;) {
			const note = await this.noteOf(id);
			if (note) {
				if (note.status !== 'success' && !mayFail) {
					throw new Error(`Execution ${id} ended with ${note.status}: ${note.error}`);
				}
				const peak = await peakBytes(pid);
				const v8Ms = (await v8ThreadsMs(pid)) - before;
				await this.removeFiles(workflowId, id);
				return { ...note, peak, v8Ms };
			}
			if (Date.now() > deadline) throw new Error(`Execution ${id} takes over ${timeoutMs} ms`);
			await sleep(LOOK_AGAIN_MS);
		}
	}

	/** Runs these steps once with a CPU profile of n8n's main thread. */
	async profile(name: string, steps: Step[]): Promise<CpuProfile> {
		const { profile = '' } = await this.run(await this.save(`${PROFILED}${name}`, steps));
		return JSON.parse(await readFile(profile, 'utf8')) as CpuProfile;
	}

	/** A fresh process on the same data, so that memory of what ran before does not count. */
	async restart(): Promise<void> {
		await this.server.stop();
		await this.server.resume();
	}

	async stop(): Promise<void> {
		await this.server.dispose();
		await rm(this.folder, { recursive: true, force: true });
	}

	/** n8n itself removes the files of executions that it does not keep much later. */
	private async removeFiles(workflowId: string, executionId: string): Promise<void> {
		const workflows = path.join(this.server.userFolder, '.n8n', 'storage', 'workflows');
		const folder = path.join(workflows, workflowId, 'executions', executionId);
		await rm(folder, { recursive: true, force: true });
	}

	private async noteOf(id: string): Promise<ExecutionNote | undefined> {
		const lines = (await readFile(this.notes, 'utf8')).split('\n').slice(0, -1);
		return lines.map((line) => JSON.parse(line) as ExecutionNote).find((note) => note.id === id);
	}
}
