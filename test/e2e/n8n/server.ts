import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { execa } from 'execa';

import { N8nApi } from './api';
import { createHome, OWNER } from './home';
import { type N8nInstall } from './install';
import { N8nProcess } from './n8nProcess';

export interface N8nServerOptions {
	install: N8nInstall;
	/** The packed package, installed the way n8n installs a community package. */
	tarball?: string;
	/** Puts more into n8n's data before it starts; given the parent of `.n8n`. */
	prepare?: (userFolder: string) => Promise<void>;
	/** Settings of n8n, such as `N8N_DEFAULT_BINARY_DATA_MODE`. */
	env?: Record<string, string>;
	/** n8n's output; by default beside its data, and gone with it. */
	logFile?: string;
	/** Looks at what it has kept, once it has ended and before its data are removed. */
	beforeRemoval?: (kept: { userFolder: string; logFile: string }) => Promise<void>;
}

/** A running n8n with data of its own, an owner who is signed in, and the package installed. */
export class N8nServer {
	readonly account = OWNER;

	private constructor(
		readonly process: N8nProcess,
		/** Everything this n8n keeps; removed by `stop`. */
		readonly userFolder: string,
		readonly logFile: string,
		/** Signed in as the owner, with an API key. */
		readonly api: N8nApi,
		private readonly beforeRemoval: N8nServerOptions['beforeRemoval'],
	) {}

	static async start({
		install,
		tarball,
		prepare,
		env,
		logFile,
		beforeRemoval,
	}: N8nServerOptions): Promise<N8nServer> {
		const userFolder = await mkdtemp(path.join(tmpdir(), 'n8n-'));
		try {
			await createHome(install, userFolder);
			if (tarball) await installCommunityPackage(tarball, userFolder);
			await prepare?.(userFolder);
			const log = logFile ?? path.join(userFolder, 'n8n.log');
			await mkdir(path.dirname(log), { recursive: true });
			const n8n = await N8nProcess.start({ install, userFolder, logFile: log, env });
			const api = await N8nApi.signIn(n8n.url, OWNER);
			await api.useNewApiKey();
			return new N8nServer(n8n, userFolder, log, api, beforeRemoval);
		} catch (error) {
			await rm(userFolder, { recursive: true, force: true });
			throw error;
		}
	}

	/** Address of the editor. */
	get url(): string {
		return this.process.url;
	}

	/** Ends n8n as a power cut would; `resume` starts it again on the same data. */
	async kill(): Promise<void> {
		await this.process.kill();
	}

	/** Starts n8n again at the same address. Sessions and API keys stay valid. */
	async resume(): Promise<void> {
		await this.process.start();
	}

	/** Ends n8n and removes its data. */
	async stop(): Promise<void> {
		await this.process.stop();
		try {
			await this.beforeRemoval?.(this);
		} finally {
			await rm(this.userFolder, { recursive: true, force: true, maxRetries: 5 });
		}
	}
}

/**
 * Into the folder that n8n itself uses for community packages. Peers are left out because n8n
 * brings them; the package has no dependencies, so nothing is fetched.
 */
export async function installCommunityPackage(tarball: string, userFolder: string): Promise<void> {
	const folder = path.join(userFolder, '.n8n', 'nodes');
	await mkdir(folder, { recursive: true });
	const flags = [
		'--omit=dev',
		'--omit=peer',
		'--legacy-peer-deps',
		'--ignore-scripts',
		'--offline',
	];
	const quiet = ['--no-audit', '--no-fund', '--no-package-lock'];
	await execa('npm', ['install', ...flags, ...quiet, tarball], { cwd: folder, stdin: 'ignore' });
}
