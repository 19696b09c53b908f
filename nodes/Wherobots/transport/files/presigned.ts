import type { IAllExecuteFunctions, IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { isLoopbackHost } from '../../service/baseUrl';
import { USER_AGENT } from '../../service/packageInfo';
import { bodyStart, type ByteStream } from '../bodies';
import { networkCause, type RawResponse, type SendResult } from '../http';

/** n8n's request helper without a credential. */
export type PlainRequester = (options: IHttpRequestOptions) => Promise<unknown>;

/** n8n's request helper of a node: it handles proxies, certificates and address filters. */
export function plainRequester(context: Pick<IAllExecuteFunctions, 'helpers'>): PlainRequester {
	const helper = context.helpers.httpRequest;
	return async (options) => (await helper(options)) as unknown;
}

/** A request to an address of a storage that authorizes by itself. */
export interface PresignedRequest {
	method: 'GET' | 'PUT';
	/** A secret: whoever has it can read or write the file until it expires. */
	address: string;
	/** The file, for PUT: its bytes and how many they are. */
	file?: { body: Uint8Array | ByteStream | undefined; size: number };
	signal?: AbortSignal;
}

/** How a request to a storage ended. Holds nothing of its address, and of a refusal only the code. */
export type PresignedResult =
	/** A successful status. The body of a PUT has been read. */
	| Extract<SendResult, { kind: 'stream' }>
	/** Any other status, or an upload whose response says otherwise. `code` is the storage's own word for it, such as `AccessDenied`. */
	| { kind: 'refused'; status: number; code?: string }
	/** No complete response. `code` is that of the socket or the HTTP client. */
	| { kind: 'network'; code: string };

/** Longest silence, in milliseconds: also between the last byte of a large file and the response. */
const TIMEOUT_MS = 120_000;

/** Longest wait for the body of a refusal, in milliseconds. */
const BODY_MS = 10_000;

/**
 * Sends one request to a storage, without anything of Wherobots: no key, and no header that S3 would
 * take for another way to authorize. It goes over https, except to this machine. Never throws.
 */
export async function sendPresigned(
	request: PlainRequester,
	{ method, address, file, signal }: PresignedRequest,
): Promise<PresignedResult> {
	if (!isSafe(address)) return { kind: 'network', code: 'INSECURE_ADDRESS' };
	const options: IHttpRequestOptions = {
		method,
		url: address,
		headers: headersFor(file?.size),
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
	// Storages answer an upload with nothing; a success with XML or a page in it is none.
	if (succeeded && !text.trimStart().startsWith('<')) {
		return { kind: 'stream', status, headers, body: response.body as ByteStream };
	}
	return { kind: 'refused', status, code: codeIn(text) };
}

/** @param size of the file to send; undefined without one */
function headersFor(size: number | undefined): IDataObject {
	// Stored bytes are wanted as they are: a compressed response would hide their length.
	const headers: IDataObject = {
		Accept: '*/*',
		'Accept-Encoding': 'identity',
		'User-Agent': USER_AGENT,
	};
	if (size === undefined) return headers;
	// Storages refuse chunks. A content type may be part of the signature, and the vendor's clients
	// send none; `false` keeps the HTTP client from sending its own.
	return { ...headers, 'Content-Length': String(size), 'Content-Type': false };
}

function isSafe(address: string): boolean {
	if (!URL.canParse(address)) return false;
	const { protocol, hostname } = new URL(address);
	return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
}

/** The code in the XML of a storage. The rest of it names keys and hosts that are nobody's business. */
function codeIn(xml: string): string | undefined {
	return /<Code>([A-Za-z]{2,60})<\/Code>/.exec(xml)?.[1];
}
