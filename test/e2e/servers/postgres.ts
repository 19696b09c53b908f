import { chown } from 'node:fs/promises';
import { userInfo } from 'node:os';

import { execa } from 'execa';
import getPort from 'get-port';
import { Client } from 'pg';

import { makeFolder } from '../../support/folder';
import type { CredentialData } from '../n8n/apiTypes';
import { findCommand, startProgram } from './command';

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>;

const USER = 'archive';

/** Of a server on loopback, which asks for no password. */
export const postgresCredential = (port: number, user: string): CredentialData => ({
	name: 'Postgres archive',
	type: 'postgres',
	data: {
		...{ host: '127.0.0.1', port, user, database: 'postgres', password: 'any' },
		...{ maxConnections: 4, allowUnauthorizedCerts: false, ssl: 'disable', sshTunnel: false },
	},
});

/** A PostgreSQL on loopback with an empty database. */
export async function startPostgres() {
	const initdb = findCommand('initdb', 'postgresql');
	const postgres = findCommand('postgres', 'postgresql');
	const { folder, remove } = await makeFolder('postgres');
	const owner = await serverUser();
	if (owner) await chown(folder, owner.uid, owner.gid);
	const as = { cwd: folder, ...owner };
	await execa(
		initdb,
		['-D', folder, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'],
		as,
	);
	const port = await getPort({ host: '127.0.0.1' });
	const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
	const flags = settings.flatMap((setting) => ['-c', setting]);
	const program = [postgres, '-D', folder, '-p', String(port), ...flags];
	const end = await startProgram(program, port, as);
	const connection = { host: '127.0.0.1', port, user: USER, database: 'postgres' };
	return {
		credential: postgresCredential(port, USER),
		/** Rows of a query. */
		query: async (sql: string) => {
			const client = new Client(connection);
			await client.connect();
			try {
				return (await client.query<Record<string, unknown>>(sql)).rows;
			} finally {
				await client.end();
			}
		},
		stop: async () => {
			// Its fast shutdown: n8n keeps connections.
			await end('SIGINT');
			await remove();
		},
	};
}

/** PostgreSQL refuses to run as root; Debian's package brings a user for it. */
async function serverUser(): Promise<{ uid: number; gid: number } | undefined> {
	if (userInfo().uid !== 0) return undefined;
	const id = async (flag: string) => Number((await execa('id', [flag, 'postgres'])).stdout);
	return { uid: await id('-u'), gid: await id('-g') };
}
