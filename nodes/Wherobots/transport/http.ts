import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { CLIENT_HEADER, USER_AGENT } from '../service/packageInfo';
import { isErrorBody } from '../service/types';
import { untilAborted } from './clock';
import type { FailedResponse } from './failures/failure';
import { parseJson } from './json';
import { redact } from './failures/redact';
import type { AuthenticatedRequester } from './authenticatedRequest';

export interface HttpRequest {
	method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	url: string;
	query?: IDataObject;
	body?: IDataObject;
	encoding: 'text' | 'stream';
	signal?: AbortSignal;
	/** A redirect is a success that is returned, instead of a failure. Only of streams. */
	redirects?: boolean;
	/** Longest silence, in milliseconds. */
	timeoutMs: number;
	/** Longest time for the whole response, in milliseconds. Does not apply to the body of a successful stream. */
	wholeMs: number;
}

export type Headers = Record<string, string | undefined>;

/** How one attempt at a request ended. */
export type SendResult =
	/** A successful status with a JSON body or an empty one. */
	| { kind: 'json'; body: unknown; date?: string }
	/** A successful status with a body that has not been read. */
	| { kind: 'stream'; status: number; headers: Headers; body: ByteStream }
	/** A redirect, where that is a success. The location is an absolute URL, and may be a secret. */
	| { kind: 'redirect'; headers: Headers; location: string }
	/** Any other status, or a successful one with a body that the service would not send. */
	| ({ kind: 'response'; retryAfter?: string; date?: string } & FailedResponse)
	/** No complete response. */
	| { kind: 'network'; code: string; detail: string };

/** The part of Node's readable stream that is used: shipped code does not import its type. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
	destroy(error?: Error): unknown;
}

export interface RawResponse {
	statusCode: number;
	headers: Headers;
	body: unknown;
}

/** How much of an error body is read: enough to explain the error. */
const MAX_ERROR_BYTES = 64 * 1024;

/** Longest wait for the body of a streamed response with an error status. */
const ERROR_BODY_MS = 5_000;

/** Sends a request once. Never throws: every outcome is a value. */
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
	const location = request.redirects ? redirectOf(response, request.url) : undefined;
	if (location !== undefined) {
		(response.body as Partial<ByteStream>).destroy?.();
		return { kind: 'redirect', headers, location };
	}
	const text = redact(await bodyText(response.body, limit), requester.secrets);
	const failed = {
		kind: 'response' as const,
		status,
		text,
		contentType: headers['content-type'] ?? '',
		location: headers.location && redact(headers.location, requester.secrets),
		retryAfter: headers['retry-after'],
		date: headers.date,
	};
	return succeeded ? readJson(text, failed, headers.date) : failed;
}

/** Where a redirect leads; undefined when the response is none. */
function redirectOf({ statusCode, headers }: RawResponse, url: string): string | undefined {
	const leads = statusCode >= 300 && statusCode < 400 && statusCode !== 304;
	if (!leads || !headers.location || !URL.canParse(headers.location, url)) return undefined;
	return new URL(headers.location, url).href;
}

function toHelperOptions(request: HttpRequest, limit: AbortSignal): IHttpRequestOptions {
	// The helper would abort a stream on this signal even while its body is being read.
	const signals = request.encoding === 'stream' ? [] : [limit];
	if (request.signal) signals.push(request.signal);
	const headers: IDataObject = {
		Accept: 'application/json',
		'User-Agent': USER_AGENT,
		...CLIENT_HEADER,
	};
	// The helper drops an empty object from the request, and some endpoints require one.
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
		// Text instead of JSON: the helper's parser would round large integers.
		encoding: request.encoding,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// Following a redirect would send the key to wherever it points.
		disableFollowRedirect: true,
		timeout: request.timeoutMs,
		abortSignal: signals.length > 0 ? AbortSignal.any(signals) : undefined,
	};
}

function readJson(
	text: string,
	failed: Extract<SendResult, { kind: 'response' }>,
	date?: string,
): SendResult {
	if (text.trim() === '') return { kind: 'json', body: undefined, date };
	try {
		const body = parseJson(text);
		return isErrorBody(body) ? failed : { kind: 'json', body, date };
	} catch {
		// Another attempt can fix JSON that is cut off, but not a web page.
		return /^\s*[[{"]/.test(text) ? { kind: 'network', code: 'TRUNCATED', detail: '' } : failed;
	}
}

/** The beginning of a body as text, as much of it as arrives in time. Ends a stream. */
export async function bodyText(body: unknown, limit: AbortSignal): Promise<string> {
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
	// Part of an explanation is better than none, so one that breaks off or stalls is used as it is.
	const timeUp = AbortSignal.any([limit, AbortSignal.timeout(ERROR_BODY_MS)]);
	await untilAborted(read(), timeUp).catch(() => undefined);
	body.destroy();
	return text;
}

function isByteStream(value: unknown): value is ByteStream {
	return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** The innermost error code: n8n and the HTTP client wrap the socket's error in their own. */
export function networkCause(error: unknown): { code: string; detail: string } {
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
		// n8n's protection against requests to internal addresses sets no code.
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
