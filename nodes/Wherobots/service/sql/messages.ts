/**
 * The protocol of a SQL session's socket, as the service's published clients use it (docs/sql.md):
 * requests are JSON text, responses JSON text or CBOR.
 */
import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../types';

export type Geometry = 'wkt' | 'geojson';

export type FileFormat = 'csv' | 'geojson' | 'parquet';

export type SqlRequest = { execution_id: string } & (
	| {
			kind: 'execute_sql';
			statement: string;
			/** Older sessions ignore it. */
			enable_progress_events: true;
			store?: ReturnType<typeof storeAs>;
	  }
	| ({ kind: 'retrieve_results' } & ReturnType<typeof rowsAs> & {
				/** Report what follows on this connection; older sessions ignore it. */
				attach?: true;
			})
	| { kind: 'cancel' }
);

const TIME = "yyyy-MM-dd'T'HH:mm:ss.SSSSSS";

/** Options of Spark's writers, which otherwise drop white space, microseconds and null properties. */
const FILE_OPTIONS: Record<FileFormat, { options?: Record<string, string> }> = {
	csv: {
		options: {
			header: 'true',
			// Few other readers understand Spark's default escape for quotes in a field.
			escape: '"',
			ignoreLeadingWhiteSpace: 'false',
			ignoreTrailingWhiteSpace: 'false',
			timestampFormat: `${TIME}XXX`,
			timestampNTZFormat: TIME,
		},
	},
	geojson: {
		// Sedona writes no times without a zone.
		options: { ignoreNullFields: 'false', timestampFormat: `${TIME}XXX` },
	},
	parquet: {},
};

/** Has the session store the result as one file. All values are strings, booleans included. */
export function storeAs(format: FileFormat) {
	return { format, single: 'true', generate_presigned_url: 'true', ...FILE_OPTIONS[format] };
}

/**
 * How rows are requested. GeoJSON is made here: the session cannot write that of an empty point, which
 * would cost the whole result, and only EWKB has the coordinate system.
 */
export function rowsAs(geometry: Geometry) {
	const sent = geometry === 'geojson' ? 'ewkb' : geometry;
	return { format: 'arrow', compression: 'gzip', geometry: sent };
}

/** Rows as the session sends them. */
export interface SentRows {
	bytes: Uint8Array | string;
	format: string;
	compression: string;
	geoColumns: string[];
}

/** The state of a statement, sent by the session on its own or as a response. */
export interface StateMessage {
	kind: 'state';
	/** Lowercase: pending, running, succeeded, failed or cancelled. */
	state: string;
	isAnswer: boolean;
	/** Whether the session reports what follows on this connection. */
	isAttached: boolean;
	/** The URL of a result file: null when the result is empty, undefined when not stated. */
	uri: string | null | undefined;
	rows: SentRows | undefined;
	/** Why it failed. */
	failure: string | undefined;
}

/** How many of its tasks a statement has completed. */
export interface Progress {
	completed: number;
	total: number;
}

export type SessionMessage =
	| StateMessage
	| { kind: 'error'; message: string }
	| { kind: 'progress'; progress: Progress };

/**
 * Reads a message.
 *
 * @returns undefined for one of another execution or of none, as for one of an unknown kind, which
 * newer sessions may send
 */
export function readMessage(message: unknown, executionId: string): SessionMessage | undefined {
	if (!isRecord(message) || message.execution_id !== executionId) return undefined;
	const { kind } = message;
	if (kind === 'error') return { kind, message: textOf(message.message) ?? '' };
	if (kind === 'execution_progress') return { kind: 'progress', progress: progressIn(message) };
	const isAnswer = kind === 'execution_result';
	if (!isAnswer && kind !== 'state_updated') return undefined;
	return {
		kind: 'state',
		state: String(message.state ?? '').toLowerCase(),
		isAnswer,
		isAttached: message.attached === true,
		uri: uriIn(message, isAnswer),
		rows: isAnswer ? rowsIn(message.results) : undefined,
		// The published clients use snake case.
		failure: textOf(message.exception_on_failure) ?? textOf(message.exceptionOnFailure),
	};
}

function progressIn({ tasks_completed: completed, tasks_total: total }: IDataObject): Progress {
	return { completed: Number(completed) || 0, total: Number(total) || 0 };
}

function uriIn({ result_uri: uri, size }: IDataObject, isAnswer: boolean): StateMessage['uri'] {
	if (typeof uri === 'string' && uri !== '') return uri;
	// Published clients treat a first message without a URL as an empty result.
	const isEmpty = !Number(size) && (uri === null || uri === '' || !isAnswer);
	return isEmpty ? null : undefined;
}

/** Undefined when there are none: null or an empty object. Those in an unknown form have an unknown format. */
function rowsIn(results: unknown): SentRows | undefined {
	if (results === null || results === undefined) return undefined;
	const found: Partial<Record<string, unknown>> = isRecord(results) ? results : { odd: results };
	const { result_bytes: bytes, geo_columns: columns } = found;
	if (bytes === null || Object.keys(found).length === 0) return undefined;
	const isKnown = bytes instanceof Uint8Array || typeof bytes === 'string';
	return {
		bytes: isKnown ? bytes : '',
		format: isKnown ? (textOf(found.format) ?? 'json') : 'unknown',
		compression: textOf(found.compression) ?? 'none',
		geoColumns: Array.isArray(columns) ? columns.map(String) : [],
	};
}

function textOf(value: unknown): string | undefined {
	return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
