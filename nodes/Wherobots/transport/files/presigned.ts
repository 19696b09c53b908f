import type { IAllExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { isLoopbackHost } from '../../service/baseUrl';
import { USER_AGENT } from '../../service/packageInfo';
import { bodyStart, type ByteStream } from '../bodies';
import { networkCause, type RawResponse, type SendResult } from '../http';

/** n8n's request helper without a credential. */
export type PlainRequester = (options: IHttpRequestOptions) => Promise<unknown>;

/** A node's request helper, which handles proxies, certificates and address filters. */
export function plainRequester(context: Pick<IAllExecuteFunctions, 'helpers'>): PlainRequester {
	const helper = context.helpers.httpRequest;
	return async (options) => (await helper(options)) as unknown;
}

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

/** Longest wait for the body of a rejection, in milliseconds. */
const BODY_MS = 10_000;

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
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: TIMEOUT_MS,
		abortSignal: signal,
	};
	let response: RawResponse;
	try {
		response = (await request(options)) as RawResponse;
	} catch (error) {
		return { kind: 'network', code: networkCause(error).code };
	}
	const { statusCode: status, headers } = response;
	const succeeded = status >= 200 && status < 300;
	if (succeeded && method === 'GET') {
		return { kind: 'stream', status, headers, body: response.body as ByteStream };
	}
	const text = await bodyStart(response.body, AbortSignal.timeout(BODY_MS));
	// Storages respond to an upload with an empty body; XML or a web page is an error despite its
	// status.
	if (succeeded && !text.trimStart().startsWith('<')) {
		return { kind: 'stream', status, headers, body: response.body as ByteStream };
	}
	return { kind: 'refused', status, code: codeIn(text) };
}

/** Whether an address may be used: with https, or on this machine. */
export function isSafe(address: string): boolean {
	if (!URL.canParse(address)) return false;
	const { protocol, hostname } = new URL(address);
	return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
}

/** The code in a storage's XML. The rest contains keys and host names that must not be shown. */
function codeIn(xml: string): string | undefined {
	return /<Code>([A-Za-z]{2,60})<\/Code>/.exec(xml)?.[1];
}
