import { createHash } from 'crypto';

import { parentOf, type FilePlace, type IfExists } from '../../service/files';
import { isRecord } from '../../service/types';
import type { ByteStream } from '../bodies';
import type { Client } from '../client';
import { hashed } from '../download/hashed';
import { toReadable } from '../download/readable';
import { amend, hasStatus } from '../failures/errors';
import { inTurn } from '../inTurn';
import { toResult } from '../toResult';
import { lookUp, noSuchStorage } from './listing';
import type { PresignedResult } from './presigned';
import { withPresignedUrl } from './withPresignedUrl';

/** A file to upload, which can be read from its start more than once. */
export interface FileSource {
	/** In bytes, known before anything is sent. */
	size: number;
	/** The bytes, all at once or as a stream if the store supports it. */
	open(): Promise<Uint8Array | ByteStream>;
}

export interface StoredFile extends FilePlace {
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
 * @throws NodeApiError, CancelledError as `lookUp` and `uploadFile` do, and when a file exists and
 * `ifExists` is `fail`
 */
export async function storeFile(
	client: Client,
	place: FilePlace,
	source: FileSource,
	ifExists: IfExists,
): Promise<StoredFile> {
	const { storageId, path } = place;
	return await inTurn(client, `file ${storageId} ${path}`, async () => {
		const { file } = ifExists === 'replace' ? {} : await lookUp(client, storageId, path);
		if (file && ifExists === 'fail') {
			throw client.error({
				message: `A file already exists at "${path}"`,
				description: 'Nothing was uploaded.',
				facts: { ...place },
			});
		}
		if (file) {
			const destination = await destinationOf(client, place);
			return { ...place, destination, size: file.size ?? 0, uploaded: false };
		}
		const { destination, sha256 } = await uploadFile(client, place, source);
		return { ...place, destination, size: source.size, sha256, uploaded: true };
	});
}

interface Uploaded {
	/** Its S3 path, for job runs: `s3://bucket/…`. */
	destination: string;
	sha256: string;
}

interface UploadAddress {
	destination: string;
	uploadUrl: string;
}

/**
 * Uploads a file and replaces any at the same path. The storage stores the whole file or nothing.
 *
 * @throws NodeApiError when the service, the storage or the source of the file fails
 * @throws CancelledError when the execution is cancelled
 */
export async function uploadFile(
	client: Client,
	place: FilePlace,
	source: FileSource,
): Promise<Uploaded> {
	let destination = '';
	let sha256 = '';
	await withPresignedUrl(client, 'upload', async () => {
		const address = await uploadAddress(client, place);
		destination = address.destination;
		const sent = await put(client, address.uploadUrl, source);
		sha256 = sent.sha256;
		return sent.result;
	});
	return { destination, sha256 };
}

/**
 * The S3 path of a file, for job runs: `s3://bucket/…`. Nothing is uploaded.
 *
 * @throws NodeApiError, CancelledError as `Client.call` does
 */
export async function destinationOf(client: Client, place: FilePlace): Promise<string> {
	return (await uploadAddress(client, place)).destination;
}

async function uploadAddress(
	client: Client,
	{ storageId, path }: FilePlace,
): Promise<UploadAddress> {
	const answer = await client
		.call('createUploadUrl', { path: { storage_id: storageId, path } })
		.catch(async (error: Error) => {
			await noSuchStorage(client, storageId, error);
			if (hasStatus(error, 403)) {
				amend(error, {
					before: `This account may not upload to "/${parentOf(path)}". In managed storage, choose a folder in data/shared/, or your own, data/customer-<id>/.`,
				});
			}
			throw error;
		});
	if (isRecord(answer) && isText(answer.destination) && isText(answer.uploadUrl)) {
		return { destination: answer.destination, uploadUrl: answer.uploadUrl };
	}
	throw client.error({
		message: 'Wherobots Cloud did not return a URL for the upload',
		description: "Check 'Base URL' in the credential. Nothing was uploaded.",
		facts: { storageId, path },
	});
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}

async function put(
	client: Client,
	address: string,
	{ size, open }: FileSource,
): Promise<{ result: PresignedResult; sha256: string }> {
	const opened = await toResult(open());
	if (!opened.ok) throw unreadable(client, (opened.error as Error).message);
	const content = opened.value;
	if (content instanceof Uint8Array) {
		const result = await client.sendPresigned({
			method: 'PUT',
			address,
			file: { body: content.length > 0 ? content : undefined, size: content.length },
		});
		return { result, sha256: createHash('sha256').update(content).digest('hex') };
	}
	const passed: Passed = { sha256: '' };
	const bytes = exactly(content, size, passed);
	const body = toReadable(content, bytes, () => content.destroy()) as ByteStream;
	const result = await client.sendPresigned({ method: 'PUT', address, file: { body, size } });
	// After an early rejection, the rest of the file is not read.
	content.destroy();
	if (passed.problem) throw unreadable(client, passed.problem);
	return { result, sha256: passed.sha256 };
}

function unreadable(client: Client, why: string): Error {
	return client.error({
		message: "The file could not be read from n8n's store",
		description: `${why}.\nNothing was uploaded.`,
	});
}

/** The result of `exactly`, valid once all bytes have passed. */
export interface Passed {
	/** SHA-256 of the bytes in hexadecimal; empty until the last one has passed. */
	sha256: string;
	/** Why the bytes are not the file. */
	problem?: string;
}

/**
 * Passes the bytes of a file through if there are exactly as many as announced in the request's
 * header. The last block is held back until the source ends, so that a wrong file is never complete,
 * and the checksum is ready before the response.
 *
 * @throws Error in its output, with `problem` set
 */
export async function* exactly(
	bytes: AsyncIterable<Uint8Array>,
	size: number,
	passed: Passed,
): AsyncGenerator<Uint8Array> {
	const { output, tally } = hashed(bytes);
	let last: Uint8Array | undefined;
	const fail = (problem: string) => {
		passed.problem = problem;
		return new Error(problem);
	};
	for await (const block of output) {
		if (block.length === 0) continue;
		if (tally.bytes > size) throw fail(`more than ${size} bytes arrived`);
		if (last) yield last;
		last = block;
	}
	if (tally.bytes < size) throw fail(`${tally.bytes} of ${size} bytes arrived`);
	passed.sha256 = tally.sha256;
	if (last) yield last;
}
