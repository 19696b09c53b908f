import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import axios from 'axios';
import getPort from 'get-port';

import { n8nEnvironment } from './environment';
import { GuardedProcess } from './guardedProcess';
import { type N8nInstall } from './install';

export interface N8nProcessOptions {
	install: N8nInstall;
	/** Parent of `.n8n`. */
	userFolder: string;
	/** n8n's output is appended here. */
	logFile: string;
	/** Settings on top of those of `environment.ts`. */
	env?: Record<string, string>;
	/** Which of n8n's programs: the whole of it (default), or a worker of its queue mode. */
	program?: 'start' | 'worker';
}

/** On a busy machine, n8n takes minutes. */
const START_TIMEOUT_MS = 600_000;
const LOOK_AGAIN_MS = 150;

/** What answers with status 200 and JSON once a program is ready, which is more than alive. */
const READY_PATHS = {
	start: ['/healthz/readiness', '/rest/settings'],
	worker: ['/healthz/readiness'],
};

/** One of n8n's programs on free ports of the loopback interface; the ports stay over restarts. */
export class N8nProcess {
	private process?: GuardedProcess;

	private constructor(
		private readonly options: N8nProcessOptions,
		private readonly port: number,
		private readonly brokerPort: number,
	) {}

	static async start(options: N8nProcessOptions): Promise<N8nProcess> {
		const host = '127.0.0.1';
		const n8n = new N8nProcess(options, await getPort({ host }), await getPort({ host }));
		await n8n.start();
		return n8n;
	}

	get url(): string {
		return `http://127.0.0.1:${this.port}`;
	}

	/** Process id of its guard, which leads the process group. */
	get pid(): number | undefined {
		return this.process?.pid;
	}

	/** @throws Error with the end of n8n's log when it does not come up */
	async start(): Promise<void> {
		const { install, userFolder, logFile, env, program = 'start' } = this.options;
		const place = { userFolder, port: this.port, brokerPort: this.brokerPort };
		this.process = new GuardedProcess({
			node: install.node.bin,
			parameters: [install.script, program],
			env: n8nEnvironment(install.version, place, { ...this.health, ...env }),
			cwd: userFolder,
			logFile,
		});
		const deadline = Date.now() + START_TIMEOUT_MS;
		while (!(await isReady(this.url, program))) {
			const late = Date.now() > deadline;
			if (!late && this.process.running) {
				await sleep(LOOK_AGAIN_MS);
				continue;
			}
			await this.process.kill();
			const what = late ? `was not ready after ${START_TIMEOUT_MS / 1000} s` : 'ended at its start';
			throw new Error(`n8n ${what}; the end of ${logFile}:\n${await tail(logFile)}`);
		}
	}

	/** Lets n8n end in order. */
	async stop(): Promise<void> {
		await this.process?.stop();
	}

	/** Ends n8n as a power cut would. */
	async kill(): Promise<void> {
		await this.process?.kill();
	}

	/** A worker tells over HTTP how it is when it is asked to. */
	private get health(): Record<string, string> {
		if (this.options.program !== 'worker') return {};
		return {
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: String(this.port),
			N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
		};
	}
}

/** Whether one of n8n's programs at this address is ready, which is more than alive. */
export async function isReady(url: string, program: 'start' | 'worker'): Promise<boolean> {
	for (const path of READY_PATHS[program]) {
		const options = { timeout: 5_000, proxy: false, validateStatus: () => true } as const;
		const response = await axios.get<unknown>(`${url}${path}`, options).catch(() => undefined);
		if (response?.status !== 200 || typeof response.data !== 'object') return false;
	}
	return true;
}

async function tail(file: string): Promise<string> {
	return (await readFile(file, 'utf8')).split('\n').slice(-40).join('\n');
}
