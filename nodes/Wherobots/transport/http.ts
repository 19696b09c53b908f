import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { USER_AGENT } from '../service/packageInfo';
import { untilAborted } from './clock';
import type { FailedResponse } from './failure';
import { parseJson } from './json';
import { redact } from './redact';
import type { AuthenticatedRequester } from './authenticatedRequest';

export interface HttpRequest {
	method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	url: string;
	query?: IDataObject;
	body?: IDataObject;
	encoding: 'text' | 'stream';
	signal?: AbortSignal;
	/** Longest silence, in milliseconds. */
	timeoutMs: number;
	/** Longest time for the whole answer, in milliseconds; a successful stream takes as long as it takes. */
	wholeMs: number;
}

export type Headers = Record<string, string | undefined>;

/** How one request ended. */
export type SendResult =
	/** A successful status with a JSON body, or with none. */
	| { kind: 'json'; body: unknown; date?: string }
	/** A successful status with the unread body. */
	| { kind: 'stream'; status: number; headers: Headers; body: ByteStream }
	/** Any other status, or a successful one with a body that is not the service's. */
	| ({ kind: 'answer'; retryAfter?: string } & FailedResponse)
	/** No complete answer. */
	| { kind: 'network'; code: string; detail: string };

/** What is known of a streamed body: Node's readable stream, without importing its type into shipped code. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
	destroy(error?: Error): unknown;
}

interface RawResponse {
	statusCode: number;
	headers: Headers;
	body: unknown;
}

/** Enough of an error body for an explanation; the rest is not read. */
const MAX_ERROR_BYTES = 64 * 1024;

/** Longest wait for the body of a streamed answer with an error status. */
const ERROR_BODY_MS = 5_000;

/** Sends one request once. Never throws: every end is a value. */
export async function send(
	requester: Pick<AuthenticatedRequester, 'request' | 'secrets'>,
	request: HttpRequest,
): Promise<SendResult> {
	let response: RawResponse;
	const limit = AbortSignal.timeout(Math.ceil(request.wholeMs));
	try {
		response = (await requester.request(toHelperOptions(request, limit))) as RawResponse;
	} catch (error) {
		const { code, detail } = networkCause(error);
		if (limit.aborted) return { kind: 'network', code: 'ETIMEDOUT', detail: '' };
		return { kind: 'network', code, detail: redact(detail, requester.secrets) };
	}

	const { statusCode: status, headers } = response;
	const succeeded = status >= 200 && status < 300;
	if (succeeded && request.encoding === 'stream') {
		return { kind: 'stream', status, headers, body: response.body as ByteStream };
	}
	const text = redact(await bodyText(response.body, limit), requester.secrets);
	const answer = {
		kind: 'answer' as const,
		status,
		text,
		contentType: headers['content-type'] ?? '',
		location: headers.location && redact(headers.location, requester.secrets),
		retryAfter: headers['retry-after'],
	};
	return succeeded ? readJson(text, answer, headers.date) : answer;
}

function toHelperOptions(request: HttpRequest, limit: AbortSignal): IHttpRequestOptions {
	// The helper would end a stream with the signal, long after its answer has begun.
	const signals = request.encoding === 'stream' ? [] : [limit];
	if (request.signal) signals.push(request.signal);
	const headers: IDataObject = { Accept: 'application/json', 'User-Agent': USER_AGENT };
	// The helper leaves an empty object out of the request, and some endpoints need one.
	const body = request.body === undefined ? undefined : JSON.stringify(request.body);
	if (body !== undefined) headers['Content-Type'] = 'application/json';
	if (request.encoding === 'stream') headers.Accept = '*/*';
	return {
		method: request.method,
		url: request.url,
		qs: request.query,
		arrayFormat: 'repeat',
		body,
		headers,
		// Text, not JSON: the helper's parser would round large integers.
		encoding: request.encoding,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// A redirect would carry the key to wherever it points.
		disableFollowRedirect: true,
		timeout: request.timeoutMs,
		abortSignal: signals.length > 0 ? AbortSignal.any(signals) : undefined,
	};
}

function readJson(
	text: string,
	answer: Extract<SendResult, { kind: 'answer' }>,
	date?: string,
): SendResult {
	if (text.trim() === '') return { kind: 'json', body: undefined, date };
	try {
		return { kind: 'json', body: parseJson(text), date };
	} catch {
		// Cut-off JSON passes with a second try; a web page stays one.
		return /^\s*[[{"]/.test(text) ? { kind: 'network', code: 'TRUNCATED', detail: '' } : answer;
	}
}

async function bodyText(body: unknown, limit: AbortSignal): Promise<string> {
	if (typeof body === 'string') return body;
	if (!isByteStream(body)) return body === undefined || body === null ? '' : JSON.stringify(body);
	const decoder = new TextDecoder();
	let text = '';
	const read = async () => {
		for await (const chunk of body) {
			text += decoder.decode(chunk, { stream: true });
			if (text.length > MAX_ERROR_BYTES) break;
		}
	};
	// An explanation that breaks off or stands still is still the best there is.
	const patience = AbortSignal.any([limit, AbortSignal.timeout(ERROR_BODY_MS)]);
	await untilAborted(read(), patience).catch(() => undefined);
	body.destroy();
	return text;
}

function isByteStream(value: unknown): value is ByteStream {
	return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** The innermost error code: n8n and the HTTP client wrap what the socket reported. */
function networkCause(error: unknown): { code: string; detail: string } {
	let code = 'UNKNOWN';
	let detail = '';
	const seen = new Set<unknown>();
	for (
		let current = error as
			| Partial<Record<'code' | 'httpCode' | 'message' | 'messages' | 'name' | 'cause', unknown>>
			| undefined;
		typeof current === 'object' && current !== null && !seen.has(current);
		current = current.cause as typeof current
	) {
		seen.add(current);
		// n8n's own protection against requests to internal addresses names no code.
		if (/^SsrfBlocked/.test(String(current.name))) {
			return { code: 'SSRF_BLOCKED', detail: String(current.message) };
		}
		if (typeof current.code === 'string' && current.code !== '') {
			code = current.code;
			if (typeof current.message === 'string') detail = current.message;
		} else if (typeof current.httpCode === 'string' && /^[A-Z]/.test(current.httpCode)) {
			// The error of n8n 1 has no cause, and the socket's code and words in these two.
			code = current.httpCode;
			detail = Array.isArray(current.messages) ? String(current.messages[0] ?? '') : '';
		} else if (detail === '' && typeof current.message === 'string') {
			detail = current.message;
		}
	}
	return { code, detail };
}
