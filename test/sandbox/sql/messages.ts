/** Messages of the protocol: what a client may send, and the frames that it gets. */
import { Ajv, type ValidateFunction } from 'ajv';
import { Encoder } from 'cbor-x';

import { strictObject } from '../server/validation';
import type { Message } from './faults';
import { toJson } from './results';
import type { SqlVariants } from './variants';

export interface StoreRequest {
	format?: 'csv' | 'geojson' | 'parquet';
	single?: 'true' | 'false' | boolean;
	generate_presigned_url?: 'true' | 'false' | boolean;
	options?: Record<string, string>;
}

interface Identified {
	execution_id: string;
}

export type ClientMessage =
	| (Identified & {
			kind: 'execute_sql';
			statement: string;
			enable_progress_events?: boolean;
			store?: StoreRequest;
	  })
	| (Identified & {
			kind: 'retrieve_results';
			format?: string;
			compression?: string;
			geometry?: string;
			attach?: boolean;
	  })
	| (Identified & { kind: 'cancel' });

// Checking whether the schemas themselves are valid would take longer than everything else.
const ajv = new Ajv({ allErrors: true, validateSchema: false });

/** Plain CBOR, as libraries of other languages write it: without records, and bytes without a tag. */
const cbor = new Encoder({ useRecords: false, tagUint8Array: false, variableMapSize: true });

/** Text in older drivers, booleans in newer ones. */
const flag = { enum: ['true', 'false', true, false] };

function message(
	kind: string,
	properties: Record<string, Record<string, unknown>>,
	required = [''],
) {
	const base = { kind: { const: kind }, execution_id: { type: 'string', minLength: 1 } };
	return ajv.compile(
		strictObject({ ...base, ...properties }, ['kind', 'execution_id', ...required.filter(Boolean)]),
	);
}

const store = strictObject(
	{
		format: { enum: ['csv', 'geojson', 'parquet'] },
		single: flag,
		generate_presigned_url: flag,
		options: { type: 'object', additionalProperties: { type: 'string' } },
	},
	[],
);

const kinds: Record<string, ValidateFunction> = {
	execute_sql: message(
		'execute_sql',
		{
			statement: { type: 'string', pattern: '\\S' },
			enable_progress_events: { type: 'boolean' },
			store,
		},
		['statement'],
	),
	retrieve_results: message('retrieve_results', {
		format: { enum: ['json', 'arrow'] },
		compression: { enum: ['none', 'gzip', 'brotli', 'lz4', 'zstd'] },
		geometry: { enum: ['wkt', 'wkb', 'ewkt', 'ewkb', 'geojson'] },
		attach: { type: 'boolean' },
	}),
	cancel: message('cancel', {}),
};

/** A message as the service understands it, or what is wrong with it. */
export function readMessage(
	data: string,
	isBinary: boolean,
): { message: ClientMessage } | { problem: string; id?: string } {
	if (isBinary) return { problem: 'a binary request' };
	let json: Record<string, unknown>;
	try {
		json = JSON.parse(data) as Record<string, unknown>;
	} catch {
		return { problem: 'a request that is not JSON' };
	}
	const { kind, execution_id: id } = json ?? {};
	const where = { id: typeof id === 'string' ? id : undefined };
	const validate = typeof kind === 'string' ? kinds[kind] : undefined;
	if (!validate) return { problem: `a request of kind ${JSON.stringify(kind)}`, ...where };
	if (!validate(json))
		return { problem: `${String(kind)}: ${ajv.errorsText(validate.errors)}`, ...where };
	const known = json as unknown as ClientMessage;
	if (known.kind === 'execute_sql' && known.store) {
		const { single = 'false', generate_presigned_url: presigned = 'false' } = known.store;
		if (String(presigned) === 'true' && String(single) !== 'true') {
			return { problem: 'store: generate_presigned_url requires single', ...where };
		}
	}
	return { message: known };
}

/** A frame as the variants want it: a string goes as text, bytes as binary. */
export function frameOf(outgoing: Message, variants: SqlVariants): string | Buffer {
	const results = outgoing.results as { result_bytes?: Buffer } | null | undefined;
	const hasBytes = results?.result_bytes !== undefined;
	return hasBytes || variants.sqlFrames === 'binary' ? cbor.encode(outgoing) : toJson(outgoing);
}
