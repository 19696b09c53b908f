/** Responses that faults put in place of real ones, or make out of them. */
import { gzipSync } from 'node:zlib';

import { errorInfo } from '../server/errors';
import type { RouteResponse } from '../server/route';
import type { FaultPlan } from './faults';

type Fault = NonNullable<FaultPlan['fault']>;

export interface FaultScene {
	requestId: string;
	/** The cursor that the request carried. */
	cursor?: string;
}

const HTML =
	'<!DOCTYPE html>\n<html><head><title>Gateway</title></head>' +
	'<body><h1>Sign in to continue</h1><p>cloud gateway</p></body></html>\n';

function statusResponse(
	fault: Extract<Fault, { kind: 'status' }>,
	{ requestId }: FaultScene,
): RouteResponse {
	const { status, body = 'json', errors = [{}] } = fault;
	const headers: Record<string, string> = { ...fault.headers };
	if (fault.retryAfter !== undefined) headers['retry-after'] = String(fault.retryAfter);
	switch (body) {
		case 'json':
			return {
				status,
				headers,
				json: { errors: errors.map((partial) => errorInfo(status, partial)), requestId },
			};
		case 'detail':
			return { status, headers, json: { detail: errorInfo(status).message } };
		case 'html':
			return { status, headers: { ...headers, 'content-type': 'text/html' }, text: HTML };
		case 'plain':
			headers['content-type'] = 'text/plain';
			return { status, headers, text: `upstream error ${status}\n` };
		case 'empty':
			return { status, headers };
	}
}

const BLANKS = Buffer.alloc(256 * 1024, ' ');

function* endlessly(block: Buffer): Generator<Buffer> {
	for (;;) yield block;
}

/** The response of a fault that needs no real one; `undefined` for faults that work on the real one. */
export function substitute(fault: Fault, scene: FaultScene): RouteResponse | undefined {
	switch (fault.kind) {
		case 'status':
			return statusResponse(fault, scene);
		case 'html':
			return { status: 200, headers: { 'content-type': 'text/html' }, text: HTML };
		case 'endless':
			return {
				status: fault.status ?? 200,
				headers: {
					'content-type': 'application/json',
					...(fault.gzip && { 'content-encoding': 'gzip' }),
				},
				stream: endlessly(fault.gzip ? gzipSync(BLANKS) : BLANKS),
			};
		case 'replace':
			return {
				status: fault.status ?? 200,
				headers: {
					'content-type': fault.contentType ?? 'application/json',
					'content-length': String(Buffer.byteLength(fault.body)),
					...fault.headers,
				},
				stream: [Buffer.from(fault.body)],
			};
		default:
			return undefined;
	}
}

/** Cursors that only faults issue; a request with one is answered like one for the first page. */
const ENDLESS = 'endless-';
let issued = 0;

export const isFaultCursor = (cursor: string) => cursor.startsWith(ENDLESS);

const endlessCursor = () => ENDLESS + ++issued;

/** Changes a real page so that its cursors lead nowhere. */
function breakCursor(
	how: Extract<Fault, { kind: 'cursor' }>['how'],
	json: unknown,
	scene: FaultScene,
): unknown {
	if (typeof json !== 'object' || json === null || !('items' in json)) return json;
	const page = json as Record<string, unknown>;
	switch (how) {
		case 'repeat':
			return { ...page, next_page: scene.cursor ?? page.next_page ?? endlessCursor() };
		case 'emptyWithNext':
			return { ...page, items: [], next_page: endlessCursor() };
		case 'endless':
			return { ...page, next_page: endlessCursor() };
	}
}

/** Changes a real response that succeeded. Faults that need JSON leave others as they are. */
export async function altered(
	response: RouteResponse,
	fault: FaultPlan['fault'],
	scene: FaultScene,
): Promise<RouteResponse> {
	if (!fault || (response.status ?? 200) >= 300) return response;
	switch (fault.kind) {
		case 'cursor':
		case 'edit': {
			const json = jsonOf(response);
			if (json === undefined) return response;
			const changed =
				fault.kind === 'edit' ? fault.edit(json as never) : breakCursor(fault.how, json, scene);
			// Parsing has rounded large integers.
			if (fault.kind === 'cursor' && changed === json) return response;
			return { ...response, text: undefined, json: changed };
		}
		case 'rewrite':
			return { ...asText(response, fault.rewrite(await textOf(response))) };
		case 'envelope':
			return {
				...response,
				status: fault.status ?? response.status,
				headers: { ...response.headers, ...fault.headers },
			};
		case 'padded': {
			const padded = asText(response, ' '.repeat(fault.bytes) + (await textOf(response)));
			if (!fault.gzip) return padded;
			return {
				...padded,
				headers: { ...padded.headers, 'content-encoding': 'gzip' },
				text: undefined,
				stream: [gzipSync(padded.text ?? '')],
			};
		}
		default:
			return response;
	}
}

/** A copy of a response's JSON; undefined when it is not JSON. */
function jsonOf({ json, text, stream }: RouteResponse): unknown {
	if (json !== undefined) return structuredClone(json);
	if (stream !== undefined || text === undefined) return undefined;
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

async function textOf({ json, text, stream }: RouteResponse): Promise<string> {
	if (stream === undefined) return text ?? (json === undefined ? '' : JSON.stringify(json));
	const blocks: Buffer[] = [];
	for await (const block of stream) blocks.push(block);
	return Buffer.concat(blocks).toString();
}

function asText(response: RouteResponse, text: string): RouteResponse {
	const headers = { ...response.headers };
	delete headers['content-length'];
	if (response.json !== undefined) headers['content-type'] ??= 'application/json';
	return { ...response, headers, json: undefined, stream: undefined, text };
}
