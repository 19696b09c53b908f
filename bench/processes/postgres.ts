/** The database of the demo, PostgreSQL in memory, with a table for the rows that n8n's own node inserts. */
import { startEmbeddedPostgres } from '../../test/e2e/servers/embeddedPostgres';
import { SQL_COLUMNS } from '../sqlRows';
import { serve } from './remote';

const TYPES = [
	...['bigint', 'bigint', 'bigint', 'double precision', 'double precision'],
	...['text', 'text', 'text', 'timestamptz', 'text'],
];

async function start() {
	const { credential, query } = await startEmbeddedPostgres();
	const columns = SQL_COLUMNS.map((name, at) => `"${name}" ${TYPES[at]}`);
	return {
		/** Makes an empty table with this name, and returns what n8n needs to connect. */
		async prepare(table: string): Promise<Record<string, unknown>> {
			await query(
				`DROP TABLE IF EXISTS "${table}"; CREATE TABLE "${table}" (${columns.join(', ')})`,
			);
			return credential.data;
		},
	};
}

export type PostgresFunctions = Awaited<ReturnType<typeof start>>;

void start().then(serve);
