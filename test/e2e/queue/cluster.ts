import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import axios from 'axios';

import { type Sandbox } from '../../sandbox';
import { until } from '../../support/until';
import { N8nApi } from '../n8n/api';
import { createHome, OWNER } from '../n8n/home';
import { ensureN8n } from '../n8n/install';
import { N8nProcess } from '../n8n/n8nProcess';
import { ensureNode } from '../n8n/node';
import { packedPackage } from '../../../scripts/lib/packedPackage';
import { installCommunityPackage } from '../n8n/server';
import {
	credentialData,
	readWorkflow,
	startedByWebhook,
	withCredential,
	withParameters,
} from '../n8n/workflows';
import { type PostgresServer, startPostgres } from '../servers/postgres';
import { type RedisServer, startRedis } from '../servers/redis';
import { type Relay, startRelay } from '../servers/relay';
import { ARTIFACTS } from '../suite/ownN8n';

export interface ClusterOptions {
	/** Names the folder of its logs among the artifacts. */
	name: string;
	/** Folder with the package.json of the n8n, below `test/e2e`. */
	n8n?: 'n8n-1' | 'n8n-2';
	/** How many workers there are at the start. */
	workers: number;
	/** Settings of n8n, for all its processes. */
	env?: Record<string, string>;
}

/** Settings with which n8n notices a worker that is gone sooner or later than its minute and a half. */
export const NOTICED = {
	inSeconds: {
		QUEUE_WORKER_LOCK_DURATION: '10000',
		QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
		QUEUE_WORKER_STALLED_INTERVAL: '5000',
		N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '1',
	},
	/** Later than a worker needs to start again on a busy machine. */
	inMinutes: { QUEUE_WORKER_LOCK_DURATION: '600000', QUEUE_WORKER_STALLED_INTERVAL: '600000' },
};

/** SQL needs a WebSocket, which the Node.js that n8n 1 is tested on does not have. */
const NODE_FOR_N8N_1 = '22.23.3';

/** Statuses of executions that have not ended. */
const OPEN = new Set(['new', 'running', 'waiting']);

/** n8n in queue mode: Redis, PostgreSQL, one main process and workers, all on loopback. */
export class Cluster {
	readonly workers: N8nProcess[] = [];

	api!: N8nApi;

	private main!: N8nProcess;

	private started = 0;

	private constructor(
		private readonly options: ClusterOptions,
		private readonly folder: string,
		private readonly logs: string,
		private readonly redis: RedisServer,
		/** The way of the main process to Redis. */
		readonly mainToRedis: Relay,
		readonly postgres: PostgresServer,
	) {}

	static async start(options: ClusterOptions): Promise<Cluster> {
		const folder = await mkdtemp(path.join(tmpdir(), 'queue-'));
		const logs = path.join(ARTIFACTS, '..', 'queue', options.name);
		await rm(logs, { recursive: true, force: true });
		await mkdir(logs, { recursive: true });
		const [redis, postgres] = [await startRedis(), await startPostgres()];
		const relay = await startRelay(redis);
		const cluster = new Cluster(options, folder, logs, redis, relay, postgres);
		try {
			await cluster.startAll();
		} catch (error) {
			await cluster.stop();
			throw error;
		}
		return cluster;
	}

	/** Address of the main process. */
	get url(): string {
		return this.main.url;
	}

	/** Another worker, with settings on top of those of all processes. */
	async addWorker(env: Record<string, string> = {}): Promise<N8nProcess> {
		const worker = await this.startProcess('worker', env);
		this.workers.push(worker);
		return worker;
	}

	/**
	 * Replaces the workers one after the other: each is told to end, and the next one when another has
	 * taken its place. Done once all of the old ones have ended.
	 */
	async replaceWorkers(env: Record<string, string>): Promise<void> {
		const ending: Array<Promise<void>> = [];
		for (const worker of this.workers.splice(0)) {
			ending.push(worker.stop());
			await this.addWorker(env);
		}
		await Promise.all(ending);
	}

	/** Ends the main process as a power cut would; `resume` starts it again on the same data. */
	async kill(): Promise<void> {
		await this.main.kill();
	}

	async resume(): Promise<void> {
		await this.main.start();
	}

	/**
	 * Imports a workflow with a credential for the service, and activates it when it has a webhook.
	 *
	 * @param file path from the root of the repository
	 * @param startedBy path of a webhook that takes the place of its manual trigger
	 * @returns its id
	 */
	async importWorkflow(
		file: string,
		sandbox: Sandbox,
		parameters: Record<string, Record<string, unknown>> = {},
		settings: Record<string, unknown> = {},
		startedBy?: string,
	): Promise<string> {
		const { apiKey } = sandbox.credentials.admin;
		const credential = await this.api.createCredential(credentialData(apiKey, sandbox.baseUrl));
		const workflow = withCredential(
			startedByWebhook(withParameters(await readWorkflow(file), parameters), startedBy),
			credential,
		);
		const id = await this.api.createWorkflow({
			...workflow,
			settings: { ...workflow.settings, ...settings },
		});
		const hook = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.webhook');
		if (hook) {
			await this.api.activate(id);
			await this.registered(String(hook.parameters.path));
		}
		return id;
	}

	/** Starts an active workflow by its webhook; the execution goes on in a worker. */
	async call(hook: string, body: object = {}): Promise<void> {
		await axios.post(`${this.url}/webhook/${hook}`, body, { proxy: false, timeout: 60_000 });
	}

	/** Every execution of a workflow as the database has it, oldest first. */
	async executions(workflowId: string): Promise<Array<{ id: string; status: string }>> {
		const rows = await this.postgres.query(
			`SELECT id, status FROM execution_entity WHERE "workflowId" = '${workflowId}' ORDER BY id`,
		);
		return rows.map(({ id, status }) => ({ id: String(id), status: String(status) }));
	}

	/** The executions of a workflow, once there are so many and none is going on. */
	async allEnded(workflowId: string, count: number, timeoutMs = 400_000) {
		let executions: Array<{ id: string; status: string }> = [];
		const haveAllEnded = async () => {
			executions = await this.executions(workflowId);
			return executions.length >= count && !executions.some(({ status }) => OPEN.has(status));
		};
		await until(haveAllEnded, { timeoutMs, everyMs: 500 });
		return executions;
	}

	/** Ends all processes and removes their data. */
	async stop(): Promise<void> {
		await Promise.all(this.workers.map(async (worker) => await worker.stop()));
		await this.main?.stop();
		await this.postgres.stop();
		await this.mainToRedis.stop();
		await this.redis.stop();
		await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
	}

	private async startAll(): Promise<void> {
		await this.home();
		// The first one migrates the database, which two at a time would do to each other's harm.
		this.main = await this.startProcess('start');
		this.api = await N8nApi.setUpOwner(this.main.url, OWNER);
		await this.api.useNewApiKey();
		const { workers } = this.options;
		await Promise.all(Array.from({ length: workers }, async () => await this.addWorker()));
	}

	/** What every process has in its user folder: the encryption key and the package. */
	private async home(): Promise<string> {
		const home = path.join(this.folder, 'home');
		await mkdir(home);
		await createHome(await this.install(), home);
		await installCommunityPackage((await packedPackage()).tarball, home);
		return home;
	}

	private async install() {
		return await ensureN8n(path.join(__dirname, '..', this.options.n8n ?? 'n8n-2'));
	}

	private async startProcess(
		program: 'start' | 'worker',
		env: Record<string, string> = {},
	): Promise<N8nProcess> {
		this.started += 1;
		const name = `${program === 'start' ? 'main' : 'worker'}-${this.started}`;
		const userFolder = path.join(this.folder, name);
		await cp(path.join(this.folder, 'home'), userFolder, { recursive: true });
		const install = await this.install();
		const isN8n1 = this.options.n8n === 'n8n-1';
		return await N8nProcess.start({
			install: isN8n1 ? { ...install, node: await ensureNode(NODE_FOR_N8N_1) } : install,
			program,
			userFolder,
			logFile: path.join(this.logs, `${name}.log`),
			env: { ...this.settings(program), ...this.options.env, ...env },
		});
	}

	private settings(program: 'start' | 'worker'): Record<string, string> {
		const { host, port, user, database } = this.postgres.credential.data;
		return {
			EXECUTIONS_MODE: 'queue',
			// Workers write it into the addresses that wake executions up.
			...(program === 'worker' && { WEBHOOK_URL: this.url }),
			OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String((program === 'start' ? this.mainToRedis : this.redis).port),
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: String(host),
			DB_POSTGRESDB_PORT: String(port),
			DB_POSTGRESDB_USER: String(user),
			DB_POSTGRESDB_DATABASE: String(database),
			DB_POSTGRESDB_PASSWORD: 'any',
			// The processes share no file system.
			N8N_DEFAULT_BINARY_DATA_MODE: 'database',
			N8N_AVAILABLE_BINARY_DATA_MODES: 'filesystem,database',
		};
	}

	/** n8n registers a webhook a moment after it said that the workflow is active. */
	private async registered(hook: string): Promise<void> {
		const url = `${this.url}/webhook/${hook}`;
		const options = { proxy: false, validateStatus: () => true } as const;
		const isRegistered = async () => {
			const { data } = await axios.get<{ message?: string }>(url, options);
			// What it says to the wrong method of a webhook that exists.
			return /not registered for GET requests/.test(String(data?.message));
		};
		await until(isRegistered, { timeoutMs: 120_000, everyMs: 500 });
	}
}
