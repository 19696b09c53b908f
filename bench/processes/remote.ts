/** Functions in a process of their own, called over Node's IPC channel. */
import { type ChildProcess, fork } from 'node:child_process';
import { pathToFileURL } from 'node:url';

import { createBirpc } from 'birpc';

/** The same functions, called from outside. */
export type Remote<T> = {
	[K in keyof T]: T[K] extends (...args: infer A) => infer R
		? (...args: A) => Promise<Awaited<R>>
		: never;
};

export interface RemoteProcess<T> {
	call: Remote<T>;
	pid: number;
	stop(): Promise<void>;
}

type Message = (data: unknown) => void;

/**
 * Starts a script that responds with `serve`.
 *
 * @param node the executable that runs it: all sides of a comparison run on the same one
 * @param env on top of the current environment
 */
export async function startRemote<T extends object>(
	script: string,
	node: string,
	env: NodeJS.ProcessEnv = {},
): Promise<RemoteProcess<T>> {
	const loader = pathToFileURL(require.resolve('tsx')).href;
	const child = fork(script, {
		execPath: node,
		env: { ...process.env, ...env },
		execArgv: ['--import', loader],
		serialization: 'advanced',
	});
	const failed = new Promise<never>((_, reject) => {
		child.once('error', reject);
		child.once('exit', (code, signal) => {
			reject(new Error(`${script} ended with ${code ?? signal}`));
		});
	});
	// Once it is ready, its end shows in the call that gets no response.
	failed.catch(() => undefined);
	await Promise.race([new Promise((resolve) => child.once('message', resolve)), failed]);
	const rpc = createBirpc<T>(
		{},
		{
			post: (data: unknown) => child.send(data as object),
			on: (listener: Message) => child.on('message', listener),
			timeout: -1,
		},
	);
	return {
		call: new Proxy({} as Remote<T>, {
			get: (_target, name) => {
				// A promise that is awaited looks for `then`.
				if (name === 'then') return undefined;
				const method = rpc[name as keyof typeof rpc] as (...args: unknown[]) => Promise<unknown>;
				return async (...args: unknown[]) => await Promise.race([method(...args), failed]);
			},
		}),
		pid: child.pid as number,
		stop: async () => await ended(child),
	};
}

/** Serves the calls of the process that started this one, and ends when that one does. */
export function serve(functions: object): void {
	createBirpc<object>(functions as Record<string, unknown>, {
		post: (data: unknown) => process.send?.(data),
		on: (listener: Message) => process.on('message', listener),
		timeout: -1,
	});
	process.once('disconnect', () => process.exit(0));
	process.send?.('ready');
}

async function ended(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	await new Promise((resolve) => {
		child.once('exit', resolve);
		child.disconnect();
	});
}
