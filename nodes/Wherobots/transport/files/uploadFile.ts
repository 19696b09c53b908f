import { createHash } from 'crypto';

import { parentOf, type FilePlace, type IfExists } from '../../service/files';
import { isRecord } from '../../service/types';
import type { ByteStream } from '../bodies';
import type { Client } from '../client';
import { inTurn } from '../clock';
import { hashed } from '../download/hashed';
import { toReadable } from '../download/readable';
import { amend, hasStatus } from '../failures/errors';
import { FailedAttempt, LOST, tryAgain } from '../pace/pacedRequest';
import { toResult } from '../toResult';
import { explainMissing, lookUp } from './listing';
import { requestStorage } from './storage';

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
		const file = ifExists === 'replace' ? undefined : await lookUp(client, 'file', place);
		if (file && ifExists === 'fail') {
			throw client.error({
				message: `A file already exists at "${path}"`,
				description: 'Nothing was uploaded.',
				facts: { ...place },
			});
		}
		if (file) {
			const { destination } = await uploadAddress(client, place);
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
 * @throws NodeApiError when the service, the storage or the source of the file fails
 * @throws CancelledError when the execution is cancelled
 */
export async function uploadFile(
	client: Client,
	place: FilePlace,
	{ size, open }: FileSource,
): Promise<{ destination: string; sha256: string }> {
	const unreadable = (why: string) =>
		client.error({
			message: "The file could not be read from n8n's store",
			description: `${why}.\nNothing was uploaded.`,
		});
	return await tryAgain(client, async (attempt) => {
		const { destination, uploadUrl: address } = await uploadAddress(client, place);
		const opened = await toResult(open());
		if (!opened.ok) throw unreadable((opened.error as Error).message);
		const content = opened.value;
		const put = async (body: Uint8Array | ByteStream | undefined, bytes: number) =>
			await requestStorage(
				client,
				{ method: 'PUT', address, file: { body, size: bytes } },
				attempt,
			);
		if (content instanceof Uint8Array) {
			await put(content.length > 0 ? content : undefined, content.length);
			return { destination, sha256: createHash('sha256').update(content).digest('hex') };
		}
		const { output, tally } = hashed(content, size);
		const body = toReadable(content, output, () => content.destroy()) as ByteStream;
		const sent = await toResult(put(body, size));
		// After an early rejection, the rest of the file is not read.
		content.destroy();
		if (tally.problem) throw unreadable(tally.problem);
		const { errored } = content;
		if (errored) throw new FailedAttempt(LOST, () => unreadable(errored.message));
		if (!sent.ok) throw sent.error;
		return { destination, sha256: tally.sha256 };
	});
}

/** The SHA-256 of a file's bytes, in hexadecimal, as `uploadFile` returns it. Throws as its source does. */
export async function sha256Of({ open }: FileSource): Promise<string> {
	const content = await open();
	const hash = createHash('sha256');
	for await (const block of content instanceof Uint8Array ? [content] : content) hash.update(block);
	return hash.digest('hex');
}

/** The S3 path of a file, for job runs, and the URL for its upload. Nothing is uploaded. */
async function uploadAddress(
	client: Client,
	{ storageId, path }: FilePlace,
): Promise<{ destination: string; uploadUrl: string }> {
	const asked = client.call('createUploadUrl', { path: { storage_id: storageId, path } });
	const answer = await explainMissing(client, { storageId }, asked).catch((error: Error) => {
		if (hasStatus(error, 403)) {
			amend(error, {
				before: `This account may not upload to "/${parentOf(path)}". In managed storage, choose a folder below its default directory, or in the data/shared/ of the organization.`,
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
