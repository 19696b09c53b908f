import { parentOf, type FilePlace } from '../../service/files';
import { isRecord } from '../../service/types';
import type { ByteStream } from '../bodies';
import type { Client } from '../client';
import { toReadable } from '../download/readable';
import { amend, hasStatus } from '../failures/errors';
import { toResult } from '../toResult';
import { exactly, sha256Of, type FileSource, type Passed } from './fileSource';
import { noSuchStorage } from './missing';
import type { PresignedResult } from './presigned';
import { withAddress } from './withAddress';

/** A file that was uploaded. */
export interface Uploaded {
	/** Where it is for a job run: `s3://bucket/…`. */
	destination: string;
	sha256: string;
}

interface UploadAddress {
	destination: string;
	uploadUrl: string;
}

/**
 * Uploads a file, in place of one of the same path. The storage takes the whole file or nothing.
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
	await withAddress(client, 'upload', async () => {
		const address = await uploadAddress(client, place);
		destination = address.destination;
		const sent = await put(client, address.uploadUrl, source);
		sha256 = sent.sha256;
		return sent.result;
	});
	return { destination, sha256 };
}

/**
 * What a path is called for a job run: `s3://bucket/…`. Nothing is uploaded.
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
		message: 'Wherobots Cloud returned no address for the upload',
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
		return { result, sha256: sha256Of(content) };
	}
	const passed: Passed = { sha256: '' };
	const bytes = exactly(content, size, passed);
	const body = toReadable(content, bytes, () => content.destroy()) as ByteStream;
	const result = await client.sendPresigned({ method: 'PUT', address, file: { body, size } });
	// Of a refusal that came early, the rest of the file is not read.
	content.destroy();
	if (passed.problem) throw unreadable(client, passed.problem);
	return { result, sha256: passed.sha256 };
}

function unreadable(client: Client, why: string): Error {
	return client.error({
		message: "The file could not be read from n8n's store",
		description: `${why}.\nNothing was uploaded.`,
		codes: [],
	});
}
