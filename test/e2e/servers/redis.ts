import getPort from 'get-port';

import { makeFolder } from '../../support/folder';
import { findCommand, startProgram } from './command';

export type RedisServer = Awaited<ReturnType<typeof startRedis>>;

/** An empty Redis on loopback, which keeps what it holds in memory. */
export async function startRedis() {
	const redis = findCommand('redis-server', 'redis-server');
	const { folder, remove } = await makeFolder('redis');
	const port = await getPort({ host: '127.0.0.1' });
	const settings = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--dir', folder];
	const end = await startProgram([redis, ...settings], port, { cwd: folder });
	return {
		port,
		stop: async () => {
			await end();
			await remove();
		},
	};
}
