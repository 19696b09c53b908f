/** Functions in a process of their own, called over Node's IPC channel. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { createBirpc } from 'birpc';

/** The same functions, called from outside. */
export type Remote<T> = {
	[K in keyof T]: T[K] extends (...args: infer A) => infer R
		? (...args: A) => Promise<Awaited<R>>
		: never;
};

type Message = (data: unknown) => void;

/**
 * Starts a script of this folder, which responds with `serve`.
 *
 * @param node the executable that runs it; all sides of a comparison run on the same one
 * @param env variables on top of the current environment
 */
export async function startRemote<T extends object>(
	name: 'service' | 'papaparse' | 'trigger' | 'manyTriggers' | 'worker' | 'databricks' | 'postgres',
	node: string,
	env: NodeJS.ProcessEnv = {},
): Promise<{ call: Remote<T>; stop(): Promise<void> }> {
	const child = fork(path.join(__dirname, `${name}.ts`), {
		execPath: node,
		env: { ...process.env, ...env },
		execArgv: ['--import', pathToFileURL(require.resolve('tsx')).href],
		serialization: 'advanced',
	});
	const ended = once(child, 'exit');
	const failed = ended.then(([code]) => {
		throw new Error(`${name} ended with ${code}`);
	});
	// Once it is ready, its end shows in a call that gets no response.
	failed.catch(() => undefined);
	await Promise.race([once(child, 'message'), failed]);
	const rpc = createBirpc<Record<string, (...args: unknown[]) => unknown>>(
		{},
		{
			post: (data: unknown) => child.send(data as object),
			on: (listener: Message) => child.on('message', listener),
			timeout: -1,
		},
	);
	const call = new Proxy({} as Remote<T>, {
		get: (_target, method: string) => {
			return async (...args: unknown[]) => await Promise.race([rpc[method](...args), failed]);
		},
	});
	const stop = async () => {
		if (child.connected) child.disconnect();
		await ended;
	};
	return { call, stop };
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
