import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';

export interface GuardedCommand {
	/** The Node that runs the guard and, with `parameters`, the program itself. */
	node: string;
	parameters: string[];
	/** The whole environment: nothing is inherited. */
	env: NodeJS.ProcessEnv;
	cwd: string;
	/** Output of the program is appended here. */
	logFile: string;
}

const GUARD = path.join(__dirname, 'guard.mjs');

/**
 * A program that ends with this process at the latest, together with everything it started,
 * however this process ends (see guard.mjs).
 */
export class GuardedProcess {
	private readonly child: ChildProcess;
	private readonly ended: Promise<void>;
	private over = false;

	constructor({ node, parameters, env, cwd, logFile }: GuardedCommand) {
		const log = openSync(logFile, 'a');
		this.child = spawn(node, [GUARD, node, ...parameters], {
			cwd,
			env,
			// A group of its own: Ctrl-C at the terminal reaches this process only, which then
			// ends the group in order.
			detached: true,
			stdio: ['pipe', log, log],
		});
		closeSync(log);
		this.ended = new Promise((resolve) => {
			const end = () => {
				this.over = true;
				resolve();
			};
			this.child.once('exit', end).once('error', end);
		});
		// The pipe alone must not keep this process from ending.
		this.child.unref();
		(this.child.stdin as unknown as { unref?: () => void } | null)?.unref?.();
		this.child.stdin?.on('error', () => undefined);
	}

	get running(): boolean {
		return !this.over;
	}

	/** Process id of the guard, which is also the id of the process group. */
	get pid(): number | undefined {
		return this.child.pid;
	}

	/** Asks the program to end and waits until the whole group is gone. */
	async stop(): Promise<void> {
		if (this.running) this.child.kill('SIGTERM');
		await this.end();
	}

	/** Ends the group the hard way, as a power cut would. */
	async kill(): Promise<void> {
		if (this.running && this.pid !== undefined) process.kill(-this.pid, 'SIGKILL');
		await this.end();
	}

	private async end(): Promise<void> {
		// Now it is worth staying for.
		this.child.ref();
		await this.ended;
	}
}
