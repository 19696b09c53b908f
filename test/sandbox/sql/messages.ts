/** Messages of the protocol: what a client may send, and the frames that it gets. */
import { Encoder } from 'cbor-x';
import { z } from 'zod/v4';

import { toJson } from '../server/json';
import { recordOf } from '../server/validation';
import type { Message } from './faults';
import type { SqlVariants } from './variants';

/** Text in older drivers, booleans in newer ones. */
const flag = z.enum(['true', 'false']).or(z.boolean()).optional();

const store = z
	.strictObject({
		format: z.enum(['csv', 'geojson', 'parquet']).optional(),
		single: flag,
		generate_presigned_url: flag,
		options: recordOf(z.string()).optional(),
	})
	.refine(
		({ single, generate_presigned_url: presigned }) =>
			String(presigned) !== 'true' || String(single) === 'true',
		'generate_presigned_url requires single',
	);

export type StoreRequest = z.infer<typeof store>;

const execution_id = z.string().min(1);

const kinds = [
	z.strictObject({
		...{ kind: z.literal('execute_sql'), execution_id },
		statement: z.string().regex(/\S/),
		enable_progress_events: z.boolean().optional(),
		store: store.optional(),
	}),
	z.strictObject({
		...{ kind: z.literal('retrieve_results'), execution_id },
		format: z.enum(['json', 'arrow']).optional(),
		compression: z.enum(['none', 'gzip', 'brotli', 'lz4', 'zstd']).optional(),
		geometry: z.enum(['wkt', 'wkb', 'ewkt', 'ewkb', 'geojson']).optional(),
		attach: z.boolean().optional(),
	}),
	z.strictObject({ kind: z.literal('cancel'), execution_id }),
] as const;

const clientMessage = z.discriminatedUnion('kind', kinds, 'not of kind execute_sql or the like');

export type ClientMessage = z.infer<typeof clientMessage>;

/** Plain CBOR, as libraries of other languages write it: without records, and bytes without a tag. */
const cbor = new Encoder({ useRecords: false, tagUint8Array: false, variableMapSize: true });

/** A message as the service understands it, or what is wrong with it. */
export function readMessage(
	data: string,
	isBinary: boolean,
): { message: ClientMessage } | { problem: string; id?: string } {
	if (isBinary) return { problem: 'a binary request' };
	let json: { execution_id?: unknown };
	try {
		json = JSON.parse(data) as typeof json;
	} catch {
		return { problem: 'a request that is not JSON' };
	}
	const { data: message, error } = clientMessage.safeParse(json);
	if (message) return { message };
	const id = json?.execution_id;
	return { problem: z.prettifyError(error), id: typeof id === 'string' ? id : undefined };
}

/** A frame as the variants want it: a string goes as text, bytes as binary. */
export function frameOf(outgoing: Message, variants: SqlVariants): string | Buffer {
	const results = outgoing.results as { result_bytes?: Buffer } | null | undefined;
	const hasBytes = results?.result_bytes !== undefined;
	return hasBytes || variants.sqlFrames === 'binary' ? cbor.encode(outgoing) : toJson(outgoing);
}
