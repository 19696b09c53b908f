import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import getPort from 'get-port';

import { findCommand, startProgram } from './command';

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
	const end = await startProgram([redis, ...settings], port, { cwd: folder });
	return {
		port,
		stop: async () => {
			await end();
			await rm(folder, { recursive: true, force: true });
		},
	};
}
