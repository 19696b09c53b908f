/** The bytes of files: they go to a storage and come from it by presigned URLs. */
import { createHash } from 'crypto';

import { getParent, type IfExists, type Place, toPathValues } from '../../service/files';
import { isRecord, toPlainText } from '../../service/records';
import { type ByteStream, hash, toReadable } from '../../transport/bytes';
import type { Client } from '../../transport/client';
import { CancelledError } from '../../transport/clock';
import { runLocked } from '../../transport/concurrency';
import { type BodyReader, transfer, TransferError } from '../../transport/transfer';
import { Failure, hasStatus, settle, TRY_LATER, type FailureParts } from '../../transport/failure';
import { joinLines } from '../../transport/text';
import {
	isSafe,
	type PresignedRequest,
	type PresignedResult,
	type StreamResponse,
} from '../../transport/http';
import {
	type Attempt,
	isTransient,
	LOST,
	isPossiblyHandled,
	classifyNetworkError,
	type Tried,
	tryAgain,
	type NetworkProblem,
} from '../../transport/retry';
import { explainMissing, explainReadOnly, findEntry } from './files';

/** A file to upload, which can be read from its start more than once. */
export interface FileSource {
	/** In bytes, known before anything is sent. */
	size: number;
	/** The bytes, all at once or as a stream if the store supports it. */
	open(): Promise<Uint8Array | ByteStream>;
}

/** What becomes of a file that exists, and what a person can do who wants something else. */
export interface Existing {
	ifExists: IfExists;
	advice: string;
}

export interface StoredFile extends Place {
	/** Its S3 path, for job runs: `s3://bucket/…`. */
	destination: string;
	/** In bytes. */
	size: number;
	/** Of the uploaded bytes, in hexadecimal. */
	sha256?: string;
	/** False when an existing file was kept. */
	uploaded: boolean;
}

/**
 * Uploads a file unless an existing one at its path is to be kept. Uploads to the same path take turns
 * within this process; another process may upload between the check and the upload, because the
 * service has no conditional upload.
 *
 * @throws Failure, CancelledError as `findEntry` and `uploadFile` do, and when a file exists and
 * `ifExists` is `refuse`
 */
export async function storeFile(
	client: Client,
	place: Place,
	source: FileSource,
	{ ifExists, advice }: Existing,
): Promise<StoredFile> {
	const { storageId, path } = place;
	return await runLocked(client, `file ${storageId} ${path}`, async () => {
		const file = ifExists === 'replace' ? undefined : await findEntry(client, 'file', place);
		if (file && ifExists === 'fail') {
			throw new Failure({
				message: `A file already exists at "${path}"`,
				description: `Nothing was uploaded. ${advice}`,
				facts: { ...place },
			});
		}
		if (file) {
			const { destination } = await fetchUploadAddress(client, place);
			return { ...place, destination, size: file.size ?? 0, uploaded: false };
		}
		const { destination, sha256 } = await uploadFile(client, place, source);
		return { ...place, destination, size: source.size, sha256, uploaded: true };
	});
}

/**
 * Uploads a file and replaces any at the same path, each attempt with a new URL. The storage stores
 * the whole file or nothing.
 *
 * @returns its S3 path and the SHA-256 of its bytes
 * @throws Failure when the service, the storage or the source of the file fails
 * @throws CancelledError when the execution is cancelled
 */
async function uploadFile(
	client: Client,
	place: Place,
	{ size, open }: FileSource,
): Promise<{ destination: string; sha256: string }> {
	const unreadable = (why: string) =>
		new Failure({
			message: "The file could not be read from n8n's storage",
			description: `${why}.\nNothing was uploaded.`,
		});
	return await tryAgain<{ destination: string; sha256: string }>(client, async (number) => {
		const { destination, uploadUrl: address } = await fetchUploadAddress(client, place);
		const opened = await settle(open());
		if (!opened.ok) throw unreadable((opened.error as Error).message);
		const content = opened.value;
		const put = async (file: PresignedRequest['file']) =>
			await requestStorage(client, { method: 'PUT', address, file }, number);
		if (content instanceof Uint8Array) {
			const body = content.length > 0 ? content : undefined;
			const sent = await put({ body, size: content.length });
			if (!('value' in sent)) return sent;
			const sha256 = createHash('sha256').update(content).digest('hex');
			return { value: { destination, sha256 } };
		}
		const { output, tally } = hash(content, size);
		const body = toReadable(content, output, () => content.destroy()) as ByteStream;
		// After an early rejection, the rest of the file is not read.
		const sent = await put({ body, size }).finally(() => content.destroy());
		if (tally.problem) throw unreadable(tally.problem);
		const { errored } = content;
		if (errored) return { failed: LOST, explain: () => unreadable(errored.message) };
		return 'value' in sent ? { value: { destination, sha256: tally.sha256 } } : sent;
	});
}

/** The SHA-256 of a file's bytes, in hexadecimal, as `uploadFile` returns it. Throws as its source does. */
export async function computeSha256({ open }: FileSource): Promise<string> {
	const content = await open();
	const hash = createHash('sha256');
	for await (const block of content instanceof Uint8Array ? [content] : content) hash.update(block);
	return hash.digest('hex');
}

/** The S3 path of a file, for job runs, and the URL for its upload. Nothing is uploaded. */
async function fetchUploadAddress(
	client: Client,
	place: Place,
): Promise<{ destination: string; uploadUrl: string }> {
	const { storageId, path } = place;
	const asked = client.call('createUploadUrl', { path: toPathValues(place) });
	const before = `This account is not allowed to upload to "/${getParent(path)}". In managed storage, only folders below its default directory and in the organization's data/shared/ accept uploads.`;
	const answer = await settle(explainMissing(client, { storageId }, asked));
	if (!answer.ok) throw await explainReadOnly(client, storageId, answer.error, before);
	const given = isRecord(answer.value) ? answer.value : {};
	const [destination, uploadUrl] = [given.destination, given.uploadUrl].map(toPlainText);
	if (destination && uploadUrl) return { destination, uploadUrl };
	throw new Failure({
		message: 'Wherobots Cloud did not return a URL for the upload',
		description: "Check 'Base URL' in the credential. Nothing was uploaded.",
		facts: { ...place },
	});
}

/** Reads the whole body; its result of a failed transfer is discarded. */
type Use<T> = (bytes: AsyncIterable<Uint8Array>, reader: BodyReader) => Promise<T>;

/**
 * Requests a file and passes its bytes to `use`, again from the start when the transfer fails for a
 * temporary reason. The key is sent only to the service, not to the URL that it redirects to.
 *
 * @throws Failure, CancelledError as `transfer` does
 */
export async function downloadFile<T>(client: Client, place: Place, use: Use<T>): Promise<T> {
	const open = async (number: number) => {
		const found = await client.locate('downloadFile', { path: toPathValues(place) });
		if (found.kind === 'stream') return { value: found };
		return await requestStorage(client, { method: 'GET', address: found.location }, number);
	};
	const done = transfer(
		client,
		open,
		async (reader) => await use(streamFile(reader, place.path), reader),
	);
	return await explainMissing(client, place, done);
}

/** Downloads the file in which a SQL session stored a result, at a presigned URL. */
export async function downloadResult<T>(client: Client, address: string, use: Use<T>): Promise<T> {
	return await transfer(
		client,
		async (number) => await requestStorage(client, { method: 'GET', address }, number),
		async (reader) => await use(streamFile(reader, new URL(address).pathname), reader),
	);
}

/** How much of a body is checked for its type. */
const HEAD_BYTES = 4096;

/**
 * The bytes of a file. A proxy may send a web page instead, and a storage an error, both with status
 * 200.
 *
 * @param path a file with such an extension may begin like that
 * @throws TransferError in its output
 */
async function* streamFile(reader: BodyReader, path: string): AsyncGenerator<Uint8Array> {
	const type = reader.response.headers['content-type'] ?? '';
	let isFirst = true;
	for await (const block of reader) {
		if (isFirst) {
			const head = Buffer.from(block.subarray(0, HEAD_BYTES)).toString('latin1').trimStart();
			const isPage = /^text\/html/i.test(type) && head.startsWith('<');
			if (isPage && !/\.x?html?$/i.test(path)) {
				throw new TransferError('foreign', 'A web page was sent instead of the file');
			}
			const isError = /^(<\?xml[^>]*>\s*)?<Error>[^]*<Code>/.test(head);
			if (isError && !/\.xml$/i.test(path)) {
				throw new TransferError('foreign', 'An error was sent instead of the file');
			}
		}
		isFirst = false;
		yield block;
	}
}

/** A URL at which anyone can download a file. */
interface FileLink {
	url: string;
	/** Null where the service does not say. */
	expiresAt: string | null;
}

/**
 * A link to a file, from the newer endpoint for it or, where the service has none, from the redirect of
 * a download. Nothing is downloaded.
 *
 * @throws Failure, CancelledError as the client does, and when there is no secure link
 */
export async function fetchLink(client: Client, place: Place): Promise<FileLink> {
	const link = (await fetchNewerLink(client, place)) ?? (await fetchRedirectLink(client, place));
	if (isSafe(link.url)) return link;
	throw new Failure(describeStorage('GET', { kind: 'network', code: 'INSECURE_ADDRESS' }));
}

/** Undefined where the service has no such endpoint, or not this file: the other way tells which. */
async function fetchNewerLink(client: Client, place: Place): Promise<FileLink | undefined> {
	const asked = await settle(client.call('createDownloadUrl', { path: toPathValues(place) }));
	if (!asked.ok) {
		if (hasStatus(asked.error, 404, 405)) return undefined;
		throw asked.error;
	}
	const { downloadUrl, expiresAt } = isRecord(asked.value) ? asked.value : {};
	if (typeof downloadUrl !== 'string') return undefined;
	return { url: downloadUrl, expiresAt: typeof expiresAt === 'string' ? expiresAt : null };
}

async function fetchRedirectLink(client: Client, place: Place): Promise<FileLink> {
	const path = toPathValues(place);
	const found = await explainMissing(client, place, client.locate('downloadFile', { path }));
	if (found.kind === 'redirect') return { url: found.location, expiresAt: null };
	found.body.destroy();
	throw new Failure({
		message: 'Wherobots Cloud has no link to this file',
		description: 'It sends the file itself. Use File: Download instead.',
		facts: { ...place },
	});
}

/** Any other result than success. */
type Refusal = Exclude<PresignedResult, { kind: 'stream' }>;

/**
 * Sends a request to a presigned URL: PUT uploads a file, GET downloads one. Part of an attempt of
 * `tryAgain` that has just got the URL.
 *
 * @param number of the attempt
 * @throws CancelledError when the execution is cancelled
 */
async function requestStorage(
	client: Client,
	request: Omit<PresignedRequest, 'signal'>,
	number: number,
): Promise<Tried<StreamResponse>> {
	const result = await client.sendPresigned(request);
	if (result.kind === 'stream') return { value: result };
	if (client.signal?.aborted) throw new CancelledError();
	const explain = () => new Failure(describeStorage(request.method, result));
	return { failed: toAttempt(result, number), explain };
}

/** The failed attempt for the retry policy; undefined when another one cannot help. */
function toAttempt(refusal: Refusal, number: number): Attempt | undefined {
	if (refusal.kind === 'network') {
		return refusal.code === 'INSECURE_ADDRESS' ? undefined : refusal;
	}
	const { status } = refusal;
	// URLs expire after about a minute, and storages report that with the same status as denied access.
	if (status === 403 || status === 400) return number === 1 ? LOST : undefined;
	return { kind: 'response', status: getActualStatus(status) };
}

/** S3 may fail after sending a successful status. */
function getActualStatus(status: number): number {
	return status < 300 ? 503 : status;
}

/** How storages report an expired URL. */
const MAY_BE_EXPIRED = /^(AccessDenied|ExpiredToken)$/;

/** Explains a failed request to a storage. Never shows its URL. Pure. */
function describeStorage(method: 'GET' | 'PUT', refusal: Refusal): FailureParts {
	if (refusal.kind === 'network') return describeLost(method, refusal);
	const { status, code } = refusal;
	const httpCode = String(status);
	if (status >= 300 && status < 400) {
		return {
			message: 'The storage redirects to another address',
			description:
				'The redirect was not followed: a URL from Wherobots Cloud is only valid as issued.',
			httpCode,
		};
	}
	const temporary = isTransient({ kind: 'response', status: getActualStatus(status) });
	return {
		message:
			method === 'PUT' ? 'The storage rejected the file' : 'The storage did not return the file',
		description: joinLines(
			`HTTP ${status}${code ? `, ${code}` : ''} from the storage.`,
			method === 'PUT' && code === 'EntityTooLarge' && 'S3 accepts at most 5 GB in one upload.',
		),
		nextStep: joinLines(
			MAY_BE_EXPIRED.test(code ?? '')
				? `The link to the file may have expired. ${TRY_LATER} If that does not help, ask whoever manages the storage for access.`
				: temporary && TRY_LATER,
		),
		httpCode,
		codes: code ? [code] : [],
		temporary,
	};
}

const LOST_CONNECTIONS: Record<NetworkProblem, string> = {
	notFound: 'Could not connect to the storage',
	refused: 'Could not connect to the storage',
	timeout: 'The storage did not respond in time',
	certificate: 'The certificate of the storage is not trusted',
	other: 'The connection to the storage was lost',
};

/** Requests that were not sent, by their codes. */
const NOT_SENT: Record<string, FailureParts> = {
	INSECURE_ADDRESS: {
		message: 'The URL for the file is not secure',
		description: 'Wherobots Cloud returned a URL without https. Nothing was sent there.',
		nextStep: 'Ask your Wherobots admin to enable https for this storage.',
	},
	SSRF_BLOCKED: {
		message: 'This n8n does not allow requests to the storage',
		description: 'Ask your n8n administrator to allow the addresses of the storage.',
	},
};

function describeLost(
	method: 'GET' | 'PUT',
	refusal: Extract<Refusal, { kind: 'network' }>,
): FailureParts {
	const { code } = refusal;
	const temporary = isTransient(refusal);
	if (Object.hasOwn(NOT_SENT, code)) return NOT_SENT[code];
	return {
		message: LOST_CONNECTIONS[classifyNetworkError(code)],
		description: joinLines(
			`${code}.`,
			method === 'PUT' &&
				(isPossiblyHandled(refusal)
					? 'It is not certain whether the file arrived. It is safe to upload it again: a file is stored as a whole or not at all.'
					: 'The last attempt sent nothing.'),
		),
		nextStep: temporary ? TRY_LATER : undefined,
		temporary,
	};
}
