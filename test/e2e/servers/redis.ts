import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { execa } from 'execa';
import getPort from 'get-port';

import { accepting, findCommand } from './command';

/** An empty Redis on loopback, which keeps what it holds in memory. */
export interface RedisServer {
	port: number;
	stop(): Promise<void>;
}

export async function startRedis(): Promise<RedisServer> {
	const redis = findCommand('redis-server', 'redis-server');
	const folder = await mkdtemp(path.join(tmpdir(), 'redis-'));
	const port = await getPort({ host: '127.0.0.1' });
	const settings = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--dir', folder];
	const server = execa(redis, settings, { cwd: folder, all: true });
	const failed = server.then(
		() => undefined,
		(error: Error) => error,
	);
	const gone = await Promise.race([failed, accepting(port)]);
	if (gone) throw gone;
	return {
		port,
		stop: async () => {
			server.kill('SIGTERM');
			await failed;
			await rm(folder, { recursive: true, force: true });
		},
	};
}
