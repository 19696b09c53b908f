/** A real n8n with the package and the floor's node, and what an execution there costs. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { build } from 'esbuild';

import type { PackedPackage } from '../../scripts/lib/packedPackage';
import type { CredentialReference } from '../../test/e2e/n8n/apiTypes';
import type { N8nInstall } from '../../test/e2e/n8n/install';
import { N8nServer } from '../../test/e2e/n8n/server';
import { credentialData, CREDENTIAL_TYPE } from '../../test/e2e/n8n/workflows';
import { until } from '../../test/support/until';
import { copyWithoutPace } from '../pace';
import { onlyChild, peakBytes, resetPeak } from '../processes/memory';
import type { Target } from '../processes/service';
import type { ExecutionNote } from './hook';
import type { Step } from './steps';

export interface Measured extends ExecutionNote {
	/** Peak resident memory of n8n meanwhile, in bytes. */
	peak: number;
}

export class BenchN8n {
	private constructor(
		private readonly server: N8nServer,
		/** The copy of the package that never waits for its pace. */
		readonly unpaced: string,
		private readonly notes: string,
		/** What each node that is saved may use, by type. */
		private readonly credentials: Record<string, CredentialReference>,
	) {}

	/** @param folder an empty folder, for what n8n loads besides the package */
	static async start(given: {
		install: N8nInstall;
		packed: PackedPackage;
		target: Target;
		folder: string;
	}): Promise<BenchN8n> {
		const { install, packed, target, folder } = given;
		const notes = path.join(folder, 'executions.jsonl');
		await writeFile(notes, '');
		const hook = path.join(folder, 'hook.js');
		await bundle('hook.ts', hook);
		// Node types in here are named `CUSTOM.…`.
		const extensions = path.join(folder, 'extensions');
		await mkdir(extensions);
		await bundle('Floor.node.ts', path.join(extensions, 'floor', 'Floor.node.js'));
		const unpaced = path.join(extensions, 'unpaced');
		await copyWithoutPace(packed.dir, unpaced);
		const server = await N8nServer.start({
			install,
			tarball: packed.tarball,
			env: {
				N8N_CUSTOM_EXTENSIONS: extensions,
				EXTERNAL_HOOK_FILES: hook,
				BENCH_NOTES: notes,
				N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
			},
		});
		const { apiKey, baseUrl } = target;
		const credential = await server.api.createCredential(credentialData(apiKey, baseUrl));
		return new BenchN8n(server, unpaced, notes, { [CREDENTIAL_TYPE]: credential });
	}

	/** Adds a credential of another type, for nodes that are saved afterwards. */
	async addCredential(type: string, data: Record<string, unknown>): Promise<void> {
		this.credentials[type] = await this.server.api.createCredential({ name: type, type, data });
	}

	/** Saves a workflow: a manual trigger, and the steps after it in a row. */
	async save(name: string, steps: Step[]): Promise<string> {
		const start = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} };
		const nodes = [start, ...steps].map((step, index) => ({
			typeVersion: 1,
			...step,
			id: `node-${index}`,
			position: [index * 200, 0],
			credentials: this.credentials,
		}));
		const connections = Object.fromEntries(
			steps.map(({ name: next }, index) => [
				nodes[index].name,
				{ main: [[{ node: next, type: 'main', index: 0 }]] },
			]),
		);
		// Results are measured but not kept: storing them costs the same whatever node produced them.
		const settings = { saveManualExecutions: false, executionOrder: 'v1' };
		return await this.server.api.createWorkflow({ name, nodes, connections, settings });
	}

	/**
	 * Runs a saved workflow to its end.
	 *
	 * @throws Error when it does not succeed, unless `mayFail`
	 */
	async run(workflowId: string, { mayFail = false } = {}): Promise<Measured> {
		// The process to measure is the child of n8n's guard.
		const pid = await onlyChild(this.server.process.pid as number);
		await resetPeak(pid);
		const id = await this.server.api.start(workflowId);
		let note!: ExecutionNote;
		const hasEnded = async () => {
			const found = await this.noteOf(id);
			if (found) note = found;
			return found !== undefined;
		};
		await until(hasEnded, { timeoutMs: 300_000, everyMs: 20 });
		if (note.status !== 'success' && !mayFail) {
			throw new Error(`Execution ${id} ended with ${note.status}: ${note.error}`);
		}
		const peak = await peakBytes(pid);
		await this.removeFiles(workflowId, id);
		return { ...note, peak };
	}

	/** Starts a fresh process on the same data, so that memory used by what ran before does not count. */
	async restart(): Promise<void> {
		await this.server.process.stop();
		await this.server.process.start();
	}

	async stop(): Promise<void> {
		await this.server.stop();
	}

	/** n8n itself would remove the files of executions that it does not keep only much later. */
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

async function bundle(source: string, outfile: string): Promise<void> {
	await build({
		entryPoints: [path.join(__dirname, source)],
		outfile,
		bundle: true,
		platform: 'node',
		format: 'cjs',
		external: ['n8n-workflow'],
		logLevel: 'warning',
	});
}
