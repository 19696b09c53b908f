import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { CLIENT_HEADER, isLoopbackHost, USER_AGENT } from '../service/deployment';
import { parseJson, writeJson } from '../service/json';
import { isErrorBody } from '../service/records';
import { readBodyStart, type ByteStream, readWholeBody } from './bytes';
import { CancelledError } from './clock';
import type { AuthenticatedRequester } from './credential';
import { toText } from './text';

/** Limits of a request, in milliseconds; tests shorten them. */
export const REQUEST_LIMITS = {
	/** Longest silence; longer for requests whose outcome would otherwise be unknown. */
	idleTimeoutMs: { repeatable: 30_000, once: 90_000 },
	/** Longest time until a response is complete, however steadily it arrives. */
	totalTimeoutMs: 300_000,
};

export interface HttpRequest {
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	url: string;
	query?: IDataObject;
	body?: IDataObject;
	encoding: 'text' | 'stream';
	signal?: AbortSignal;
	/** Whether a redirect is a success that is returned. Only for streams. */
	redirects?: boolean;
	/** Longest silence, in milliseconds. */
	timeoutMs: number;
	/** Longest time for the whole response, in milliseconds. Does not apply to the body of a successful stream. */
	totalTimeoutMs: number;
}

/** A response with an error status, or with a successful one and a body that cannot be read. */
export interface BadResponse {
	status: number;
	contentType: string;
	/** The body, or the beginning of it. */
	text: string;
	location?: string;
	/** From the header, which a gateway's responses have as well. */
	requestId?: string;
	/** The limit in bytes, if the body exceeded it and was not read. */
	largerThan?: number;
}

type Headers = Record<string, string | undefined>;

/** The outcome of one attempt at a request. */
export type SendResult =
	/** A successful status with a JSON body, which `text` was, or an empty one. */
	| { kind: 'json'; body: unknown; text: string; date?: string }
	/** A successful status with a body that has not been read. */
	| { kind: 'stream'; status: number; headers: Headers; body: ByteStream }
	/** A redirect, if that is a success. The location is an absolute URL and may be a secret. */
	| { kind: 'redirect'; status: number; headers: Headers; location: string }
	/** Any other status, or a successful one with an invalid body. */
	| ({ kind: 'response'; retryAfter?: string; date?: string } & BadResponse)
	/** No complete response. */
	| { kind: 'network'; code: string; detail: string };

/** A failure among them. */
export type FailedRequest = Extract<SendResult, { kind: 'network' | 'response' }>;

/** A success. */
export type Reply = Exclude<SendResult, FailedRequest>;

/** A response with a body that the caller reads. */
export type StreamResponse = Extract<SendResult, { kind: 'stream' }>;

/** Where a file is: in the response itself, or at a presigned URL. */
export type FileLocation = StreamResponse | Extract<SendResult, { kind: 'redirect' }>;

interface RawResponse {
	statusCode: number;
	headers: Headers;
	body: unknown;
}

/** Sends a request once. Never throws: every outcome is a value, which may repeat the secret. */
export async function send(
	requester: Pick<AuthenticatedRequester, 'request'>,
	request: HttpRequest,
): Promise<SendResult> {
	const limit = AbortSignal.timeout(Math.ceil(request.totalTimeoutMs));
	const lost = (error: unknown): SendResult => {
		// Cancelled although no caller asked for it: the response was silent for too long.
		const isSilent = error instanceof CancelledError && !request.signal?.aborted;
		if (limit.aborted || isSilent) return { kind: 'network', code: 'ETIMEDOUT', detail: '' };
		return { kind: 'network', ...findNetworkCause(error) };
	};
	let response: RawResponse;
	try {
		response = (await requester.request(toHelperOptions(request, limit))) as RawResponse;
	} catch (error) {
		return lost(error);
	}

	const { statusCode: status, headers } = response;
	const succeeded = status >= 200 && status < 300;
	if (succeeded && request.encoding === 'stream') {
		return { kind: 'stream', status, headers, body: response.body as ByteStream };
	}
	const location = request.redirects ? findRedirect(response, request.url) : undefined;
	if (location !== undefined) {
		(response.body as Partial<ByteStream>).destroy?.();
		return { kind: 'redirect', status, headers, location };
	}
	const failed = (body: string) => ({
		kind: 'response' as const,
		status,
		text: body,
		contentType: headers['content-type'] ?? '',
		location: headers.location,
		requestId: toText(headers['x-request-id']) || undefined,
		retryAfter: headers['retry-after'],
		date: headers.date,
	});
	if (!succeeded) return failed(await readBodyStart(response.body, limit));
	const { signal, timeoutMs } = request;
	const ending = signal ? AbortSignal.any([limit, signal]) : limit;
	try {
		const { text: whole, largerThan } = await readWholeBody(response.body, timeoutMs, ending);
		if (largerThan !== undefined) return { ...failed(''), largerThan };
		return parseJsonBody(failed(whole));
	} catch (error) {
		return lost(error);
	}
}

/** The target of a redirect; undefined for other responses. */
function findRedirect({ statusCode, headers }: RawResponse, url: string): string | undefined {
	const leads = statusCode >= 300 && statusCode < 400 && statusCode !== 304;
	if (!leads || !headers.location || !URL.canParse(headers.location, url)) return undefined;
	return new URL(headers.location, url).href;
}

/** Has n8n's helper return whatever arrives as it is. */
const UNTOUCHED = {
	// The helper would read text of any size into memory, and its JSON parser would round large integers.
	encoding: 'stream',
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	// Following a redirect would send the key to wherever it points.
	disableFollowRedirect: true,
} as const;

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
	const body = request.body === undefined ? undefined : writeJson(request.body);
	if (body !== undefined) headers['Content-Type'] = 'application/json';
	if (request.encoding === 'stream') {
		headers.Accept = '*/*';
		// The helper takes a truncated compressed body for a complete one.
		headers['Accept-Encoding'] = 'identity';
	}
	return {
		method: request.method,
		url: request.url,
		qs: request.query,
		arrayFormat: 'repeat',
		// The helper deletes a body that is undefined, which slows down all that it does with the rest.
		...(body !== undefined && { body }),
		headers,
		...UNTOUCHED,
		timeout: request.timeoutMs,
		abortSignal: signals.length > 1 ? AbortSignal.any(signals) : signals[0],
	};
}

function parseJsonBody(failed: Extract<SendResult, { kind: 'response' }>): SendResult {
	const { text, date } = failed;
	if (text.trim() === '') return { kind: 'json', body: undefined, text, date };
	try {
		const body = parseJson(text);
		return isErrorBody(body) ? failed : { kind: 'json', body, text, date };
	} catch {
		// Another attempt can fix truncated JSON, but not a web page.
		const detail = 'The connection was closed before the whole response had arrived.';
		return /^\s*[[{"]/.test(text) ? { kind: 'network', code: 'TRUNCATED', detail } : failed;
	}
}

/** The innermost error code: n8n and the HTTP client wrap the socket's error in their own. */
function findNetworkCause(error: unknown): { code: string; detail: string } {
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
		} else if (typeof current.httpCode === 'string' && /[A-Z]/.test(current.httpCode)) {
			// n8n 1's error has no cause, but the socket's code and message in these two.
			code = current.httpCode;
			detail = Array.isArray(current.messages) ? String(current.messages[0] ?? '') : '';
		} else if (detail === '' && typeof current.message === 'string') {
			detail = current.message;
		}
	}
	return { code, detail };
}

/** n8n's request helper without a credential, which handles proxies, certificates and address filters. */
export type PlainRequester = (options: IHttpRequestOptions) => Promise<unknown>;

/** A request to a presigned URL of a storage. */
export interface PresignedRequest {
	method: 'GET' | 'PUT';
	/** A secret: anyone who has it can read or write the file until it expires. */
	address: string;
	/** The file for PUT: its bytes and their number. */
	file?: { body: Uint8Array | ByteStream | undefined; size: number };
	signal?: AbortSignal;
}

/** The outcome of a request to a storage, without its URL and, for a rejection, with only the code. */
export type PresignedResult =
	/** A successful status. The body of a PUT has been read. */
	| Extract<SendResult, { kind: 'stream' }>
	/** Any other status, or an upload whose body contradicts it. `code` is S3's, such as `AccessDenied`. */
	| { kind: 'refused'; status: number; code?: string }
	/** No complete response. `code` is that of the socket or the HTTP client. */
	| { kind: 'network'; code: string };

/** Longest silence in milliseconds, including between the last byte of a large file and the response. */
const TIMEOUT_MS = 120_000;

/**
 * Sends one request to a storage, without the key or any header that S3 would read as another
 * authorization. Over https only, except to this machine. Never throws.
 */
export async function sendPresigned(
	request: PlainRequester,
	{ method, address, file, signal }: PresignedRequest,
): Promise<PresignedResult> {
	if (!isSafe(address)) return { kind: 'network', code: 'INSECURE_ADDRESS' };
	const options: IHttpRequestOptions = {
		method,
		url: address,
		// A compressed response would hide the length of the stored bytes. Storages reject chunked
		// uploads. A content type may be part of the signature, and the vendor's clients send none;
		// `false` keeps the HTTP client from adding one.
		headers: {
			Accept: '*/*',
			'Accept-Encoding': 'identity',
			'User-Agent': USER_AGENT,
			...(file ? { 'Content-Length': String(file.size), 'Content-Type': false } : {}),
		},
		body: file?.body as IHttpRequestOptions['body'],
		...UNTOUCHED,
		timeout: TIMEOUT_MS,
		abortSignal: signal,
	};
	let response: RawResponse;
	try {
		response = (await request(options)) as RawResponse;
	} catch (error) {
		return { kind: 'network', code: findNetworkCause(error).code };
	}
	const { statusCode: status, headers } = response;
	const succeeded = status >= 200 && status < 300;
	if (succeeded && method === 'GET') {
		return { kind: 'stream', status, headers, body: response.body as ByteStream };
	}
	const text = await readBodyStart(response.body);
	// Storages respond to an upload with an empty body; XML or a web page is an error despite its
	// status.
	if (succeeded && !text.trimStart().startsWith('<')) {
		return { kind: 'stream', status, headers, body: response.body as ByteStream };
	}
	return { kind: 'refused', status, code: parseCode(text) };
}

/** Whether an address may be used: with https, or on this machine. */
export function isSafe(address: string, base?: string): boolean {
	if (!URL.canParse(address, base)) return false;
	const { protocol, hostname } = new URL(address, base);
	return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
}

/** The code in a storage's XML. The rest contains keys and host names that must not be shown. */
function parseCode(xml: string): string | undefined {
	return /<Code>([A-Z][\w.]{1,60})<\/Code>/.exec(xml)?.[1];
}
