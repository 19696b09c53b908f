/**
 * SQL sessions and the protocol of their socket, as the public description of the service and its
 * published clients show them: they are not part of the documented interface (docs/sql.md). Requests
 * are JSON text, responses JSON text or CBOR.
 */
import type { IDataObject } from 'n8n-workflow';

import { isLoopbackHost } from '../deployment';
import { parseLeadingJson } from '../json';
import { isRecord } from '../records';

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
	| ({ kind: 'retrieve_results' } & ReturnType<typeof chooseRowsFormat> & {
				/** Report what follows on this connection; older sessions ignore it. */
				attach?: true;
			})
	| { kind: 'cancel' }
);

const TIME = "yyyy-MM-dd'T'HH:mm:ss.SSSSSS";

/** Options of Spark's writers, which otherwise drop white space, microseconds and null properties. */
export const FILE_OPTIONS: Record<FileFormat, { options?: Record<string, string> }> = {
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
export function chooseRowsFormat(geometry: Geometry) {
	const sent = geometry === 'geojson' ? 'ewkb' : geometry;
	return { format: 'arrow', compression: 'gzip', geometry: sent };
}

/** Rows as the session sends them. */
export interface SentRows {
	bytes: Uint8Array;
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

type SessionMessage =
	| StateMessage
	| { kind: 'error'; message: string }
	/** It is still being executed. */
	| { kind: 'progress' };

/**
 * Reads a message.
 *
 * @returns undefined for one of another execution or of none, as for one of an unknown kind, which
 * newer sessions may send
 */
export function parseMessage(message: unknown, executionId: string): SessionMessage | undefined {
	if (!isRecord(message) || message.execution_id !== executionId) return undefined;
	const { kind } = message;
	if (kind === 'error') return { kind, message: toText(message.message) ?? '' };
	if (kind === 'execution_progress') return { kind: 'progress' };
	const isAnswer = kind === 'execution_result';
	if (!isAnswer && kind !== 'state_updated') return undefined;
	return {
		kind: 'state',
		state: String(message.state ?? '').toLowerCase(),
		isAnswer,
		isAttached: message.attached === true,
		uri: parseUri(message, isAnswer),
		rows: isAnswer ? parseRows(message.results) : undefined,
		// The published clients use snake case.
		failure: toText(message.exception_on_failure) ?? toText(message.exceptionOnFailure),
	};
}

function parseUri({ result_uri: uri, size }: IDataObject, isAnswer: boolean): StateMessage['uri'] {
	if (typeof uri === 'string' && uri !== '') return uri;
	// Published clients treat a first message without a URL as an empty result.
	const isEmpty = !Number(size) && (uri === null || uri === '' || !isAnswer);
	return isEmpty ? null : undefined;
}

/** Undefined when there are none: null or an empty object. Those in an unknown form have an unknown format. */
function parseRows(results: unknown): SentRows | undefined {
	if (results === null || results === undefined) return undefined;
	const found: Partial<Record<string, unknown>> = isRecord(results) ? results : { odd: results };
	const { result_bytes: bytes, geo_columns: columns } = found;
	if (bytes === null || Object.keys(found).length === 0) return undefined;
	const isKnown = bytes instanceof Uint8Array;
	return {
		bytes: isKnown ? bytes : new Uint8Array(),
		format: isKnown ? (toText(found.format) ?? 'arrow') : 'unknown',
		compression: toText(found.compression) ?? 'none',
		geoColumns: Array.isArray(columns) ? columns.map(String) : [],
	};
}

function toText(value: unknown): string | undefined {
	return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

export type SessionType = 'multi' | 'single';

/** A SQL session. Times are ISO 8601 strings. */
export interface SqlSession extends IDataObject {
	id: string;
	status: string;
	createTime?: string;
	regionName?: string;
	/** With the URL of its socket, once it is ready. */
	appMeta?: (IDataObject & { url?: string; resolved_version?: string | null }) | null;
	/** The request. */
	apiPayload?: IDataObject | null;
	message?: string | null;
}

/** The status of a session that accepts statements. */
export const READY = 'READY';

/** The URL of a ready session's socket; undefined until there is one. */
export function getAddress(session: SqlSession): string | undefined {
	const url = isRecord(session.appMeta) ? session.appMeta.url : undefined;
	return session.status === READY && typeof url === 'string' && url !== '' ? url : undefined;
}

/** Whether a session has failed or is gone. An unknown status does not count. */
export function isOver(status: string): boolean {
	return /_FAILED$|^DESTROY/.test(status);
}

/** The service's explanation of what happened to a session; empty when there is none. */
export function getReason({ message, firstFailure, events }: SqlSession): string {
	const failed = (Array.isArray(events) ? events.filter(isRecord) : [])
		.filter(({ code }) => /FAIL/i.test(String(code ?? '')))
		.at(-1);
	// Newer versions of the service report the first failure.
	const texts = [message, isRecord(firstFailure) && firstFailure.message, failed?.message];
	return texts.map((text) => (typeof text === 'string' ? text.trim() : '')).find(Boolean) ?? '';
}

/** The ID of a session in a response: a redirect leads to it, on any host, or the body is the session. */
export function parseSessionId(response: { text: string; location?: string }): string | undefined {
	const { text, location } = response;
	if (location !== undefined) {
		return /\/sql\/session\/([^/%]+)\/?$/.exec(new URL(location).pathname)?.[1];
	}
	const session = parseLeadingJson(text);
	return isRecord(session) && typeof session.id === 'string' ? session.id || undefined : undefined;
}

/** The fields of a session that people need. */
export function simplifySession(session: SqlSession): IDataObject {
	const asked = isRecord(session.apiPayload) ? session.apiPayload : {};
	return {
		id: session.id,
		status: session.status,
		sessionType: asked.sessionType ?? null,
		runtime: asked.runtimeId ?? null,
		region: session.regionName ?? null,
		version: session.appMeta?.resolved_version ?? null,
		createTime: session.createTime ?? null,
		updateTime: session.updateTime ?? null,
		message: getReason(session) || null,
	};
}

/** Version of the socket's protocol, the end of its URL. */
const PROTOCOL = '1.0.0';

/** Only the service can give out host names below this one. */
const SERVICE_DOMAIN = 'wherobots.com';

/**
 * The URL of a session's socket, if the key may be sent there: encrypted, and on the host of the base
 * URL, on a subdomain of it, or both on hosts of the service; on this machine when the base URL is. A
 * shared parent domain does not prove a common owner.
 *
 * @param address as the session gives it, with http(s) or ws(s)
 * @throws RangeError when it may not; the message is the end of a sentence about the URL
 */
export function toSocketUrl(baseUrl: string, address: string): string {
	if (!URL.canParse(address)) throw new RangeError('is not a URL');
	const url = new URL(address.replace(/^http/i, 'ws'));
	const [host, base] = [url, new URL(baseUrl)].map(({ hostname }) => hostname.replace(/\.$/, ''));
	const isLocal = isLoopbackHost(host) && isLoopbackHost(base);
	const isOwn =
		isWithin(host, base) || [host, base].every((each) => isWithin(each, SERVICE_DOMAIN));
	if (!/^wss?:$/.test(url.protocol)) throw new RangeError(`begins with ${url.protocol}`);
	if (!isLocal && !isOwn) throw new RangeError(`is on ${host}, and the base URL on ${base}`);
	if (!isLocal && url.protocol !== 'wss:') throw new RangeError('is not encrypted');
	if (url.username || url.password) throw new RangeError('contains a user name');
	url.hash = '';
	url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}/${PROTOCOL}`;
	return url.href;
}

/** Whether a host is this domain or a subdomain of it. */
function isWithin(host: string, domain: string): boolean {
	return host === domain || host.endsWith(`.${domain}`);
}
