import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';

import { postgresCredential } from './postgres';

/** More than n8n keeps open: all share one session of the database, a transaction at a time. */
const CONNECTIONS = 20;

/** A PostgreSQL within this process, for machines without one: in memory. */
export async function startEmbeddedPostgres() {
	const db = await PGlite.create();
	const server = new PGLiteSocketServer({ db, port: 0, maxConnections: CONNECTIONS });
	await server.start();
	return {
		credential: postgresCredential(Number(server.getServerConn().split(':').at(-1)), 'postgres'),
		query: async (sql: string) => await db.exec(sql),
		stop: async () => {
			await server.stop();
			await db.close();
		},
	};
}
