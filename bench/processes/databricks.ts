/**
 * As much of Databricks' SQL statements as n8n's own node uses: a statement is done at once, and its
 * rows come as JSON, in chunks. The service refuses results of more than 25 MiB in this form; this does
 * not, and compresses nothing, which is faster over the loopback interface.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { asTexts, selectRows, SQL_COLUMNS, sqlRows } from '../sqlRows';
import { serve } from './remote';

const ROWS_PER_CHUNK = 20_000;
const STATEMENTS = '/api/2.0/sql/statements';

/** The `data_array` of each chunk as JSON, by the ID of the statement. */
const results = new Map<string, string[]>();
/** The ID of each statement by its text. */
const statements = new Map<string, string>();

function chunksOf(count: number): string[] {
	const chunks: string[] = [];
	let rows: string[] = [];
	for (const values of sqlRows(count)) {
		rows.push(JSON.stringify(asTexts(values)));
		if (rows.length < ROWS_PER_CHUNK) continue;
		chunks.push(`[${rows.join(',')}]`);
		rows = [];
	}
	return rows.length > 0 ? [...chunks, `[${rows.join(',')}]`] : chunks;
}

function responseTo(statement: string): string | undefined {
	const id = statements.get(statement);
	const chunks = results.get(id ?? '');
	if (!id || !chunks) return undefined;
	const columns = SQL_COLUMNS.map((name, position) => ({ name, position }));
	const manifest = { format: 'JSON_ARRAY', schema: { columns }, total_chunk_count: chunks.length };
	const head = { statement_id: id, status: { state: 'SUCCEEDED' }, manifest };
	const result = `{"chunk_index":0,"data_array":${chunks[0]}}`;
	return `${JSON.stringify(head).slice(0, -1)},"result":${result}}`;
}

const server = createServer((request, response) => {
	const parts: Buffer[] = [];
	request.on('data', (part: Buffer) => parts.push(part));
	request.on('end', () => {
		const [id, , , chunk] = (request.url ?? '').slice(STATEMENTS.length + 1).split('/');
		const rows = results.get(id)?.[Number(chunk)];
		const body =
			request.method === 'POST'
				? responseTo(
						(JSON.parse(Buffer.concat(parts).toString()) as { statement: string }).statement,
					)
				: rows && `{"chunk_index":${chunk},"data_array":${rows}}`;
		response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' });
		response.end(body ?? '{"message":"There is no such statement"}');
	});
});

const databricksFunctions = {
	address(): string {
		return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	},

	/** Makes the statement of `selectRows` return so many rows from now on. */
	prepare(count: number): void {
		const id = `statement-${count}`;
		statements.set(selectRows(count), id);
		results.set(id, chunksOf(count));
	},
};

export type DatabricksFunctions = typeof databricksFunctions;

void once(server.listen(0, '127.0.0.1'), 'listening').then(() => serve(databricksFunctions));
