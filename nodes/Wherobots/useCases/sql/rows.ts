import type { IDataObject } from 'n8n-workflow';

import { toGeoJson } from '../../service/sql/geometry';
import type { SentRows } from '../../service/sql/protocol';
import type { Client } from '../../transport/client';
import { CancelledError, clock } from '../../transport/clock';
import { Failure, settle } from '../../transport/failure';
import { decodeArrow, toText64, type Column } from './arrow';

/** The rows of a result, and the names of its columns, also of those of no rows. */
export interface Rows {
	rows: IDataObject[];
	columns: string[];
	/** New names of columns whose name another one has. */
	renamed: string[];
}

/** What helps when rows cannot be read, in the words of the form. */
export interface RowsAdvice {
	unreadable: string;
	/** When a geometry is none of GeoJSON. */
	infinite: string;
}

/** Largest result after decompression, in bytes: sessions send up to 100 MiB. */
const MAX_RESULT_BYTES = 2 ** 29;

/** How many rows are read in one piece. */
const ROWS_AT_ONCE = 10_000;

/**
 * The rows of a result as objects, without the secrets of the credential. Numbers that JavaScript
 * cannot represent exactly are strings of their digits; bytes are Base64, but those of geometries GeoJSON.
 *
 * @throws Failure when it cannot be read
 * @throws CancelledError when the execution is cancelled
 */
export async function readRows(client: Client, sent: SentRows, advice: RowsAdvice): Promise<Rows> {
	const read = await settle(decodeRows(client, sent, advice));
	if (read.ok) return read.value;
	if (read.error instanceof Failure || read.error instanceof CancelledError) throw read.error;
	const { format, compression } = sent;
	const error = read.error as Error;
	// Newer versions of Node.js say only in the cause why they cannot decompress something.
	const why = (error.message || String(error.cause)).replace(/\.$/, '');
	throw new Failure({
		message: 'The rows that the SQL session sent cannot be read',
		description: `They are not a list of rows, or not all of them arrived (format ${format}, compression ${compression}): ${why}. ${advice.unreadable}`,
	});
}

async function decodeRows(
	client: Client,
	{ bytes, format, compression, geoColumns }: SentRows,
	advice: RowsAdvice,
): Promise<Rows> {
	if (!/^arrow$/i.test(format)) throw new Error('the format is unknown');
	const columns = decodeArrow(await unpack(bytes, compression));
	return await toRows(client, columns, geoColumns, advice);
}

async function unpack(bytes: Uint8Array, compression: string): Promise<Uint8Array> {
	if (/^none$/i.test(compression)) return bytes;
	// Older versions of Node.js know only gzip of these.
	const unpacking = new DecompressionStream(compression.toLowerCase() as 'gzip');
	const parts: Uint8Array[] = [];
	let length = 0;
	for await (const part of ReadableStream.from([bytes]).pipeThrough(unpacking)) {
		length += (part as Uint8Array).length;
		if (length > MAX_RESULT_BYTES) throw new Error('they are larger than 512 MiB');
		parts.push(part as Uint8Array);
	}
	return Buffer.concat(parts);
}

/**
 * Values are read row by row, so that only the items hold them and not also a list for each column. The
 * coordinates of a geometry, most of a large result, need no look for secrets.
 */
async function toRows(
	client: Client,
	columns: Column[],
	geoColumns: string[],
	advice: RowsAdvice,
): Promise<Rows> {
	const sentNames = client.withoutSecrets(columns.map(({ name }) => name));
	const names = makeNamesUnique(sentNames);
	const count = columns[0]?.values.length ?? 0;
	const cells = columns.map(({ name, values, read, texts }) => {
		const isGeometry = geoColumns.includes(name);
		// Looking at millions of texts one by one takes as long as reading them.
		const isClean = texts && !texts.some((bytes) => client.hasPossibleSecret(bytes));
		if (isClean) return (at: number) => read(values[at]);
		return (at: number) => {
			const value = read(values[at]);
			const isBinary = isGeometry && value instanceof Uint8Array;
			const geometry = isBinary ? toGeoJson(value) : undefined;
			if (geometry === 'infinite') throw toInfiniteFailure(name, advice);
			return geometry ?? client.withoutSecrets(toText64(value));
		};
	});
	const rows: IDataObject[] = [];
	while (rows.length < count) {
		const row: IDataObject = {};
		for (let column = 0; column < cells.length; column++) {
			row[names[column]] = cells[column](rows.length) as IDataObject[string];
		}
		// Other workflows have their turn.
		if (rows.push(row) % ROWS_AT_ONCE === 0) await clock.turn();
		if (client.signal?.aborted) throw new CancelledError();
	}
	const renamed = names.filter((name, at) => name !== sentNames[at]);
	return { rows, columns: names, renamed };
}

const toInfiniteFailure = (column: string, { infinite }: RowsAdvice) =>
	new Failure({
		message: `A geometry in the column ${column} has a coordinate that is infinite or not a number`,
		description: `GeoJSON cannot hold it. Leave out such rows in the query, or ${infinite}.`,
	});

/** `a`, `a` to `a`, `a_2`. `__proto__` is no name of a member. */
function makeNamesUnique(names: string[]): string[] {
	const taken = new Set(['__proto__']);
	const wanted = new Set(names);
	return names.map((name) => {
		let unique = name;
		for (let n = 2; taken.has(unique) || (unique !== name && wanted.has(unique)); n++) {
			unique = `${name}_${n}`;
		}
		taken.add(unique);
		return unique;
	});
}
