import type { FilePlace } from '../../service/files';
import { isRecord } from '../../service/types';
import type { Client } from '../client';
import { hasStatus } from '../failures/errors';
import { toResult } from '../toResult';
import { explainMissing } from './listing';
import { isSafe } from './presigned';
import { describeStorage } from './storage';

/** A URL at which anyone can download a file. */
export interface FileLink {
	url: string;
	/** Null where the service does not say. */
	expiresAt: string | null;
}

/**
 * A link to a file, from the newer endpoint for it or, where the service has none, from the redirect of
 * a download. Nothing is downloaded.
 *
 * @throws NodeApiError, CancelledError as the client does, and when there is no secure link
 */
export async function linkTo(client: Client, place: FilePlace): Promise<FileLink> {
	const path = { storage_id: place.storageId, path: place.path };
	const link = (await newerLink(client, path)) ?? (await redirectLink(client, place, path));
	if (isSafe(link.url)) return link;
	throw client.error(describeStorage('GET', { kind: 'network', code: 'INSECURE_ADDRESS' }));
}

type Path = Record<'storage_id' | 'path', string>;

/** Undefined where the service has no such endpoint, or not this file: the other way tells which. */
async function newerLink(client: Client, path: Path): Promise<FileLink | undefined> {
	const asked = await toResult(client.call('createDownloadUrl', { path }));
	if (!asked.ok) {
		if (hasStatus(asked.error, 404) || hasStatus(asked.error, 405)) return undefined;
		throw asked.error;
	}
	const { downloadUrl, expiresAt } = isRecord(asked.value) ? asked.value : {};
	if (typeof downloadUrl !== 'string') return undefined;
	return { url: downloadUrl, expiresAt: typeof expiresAt === 'string' ? expiresAt : null };
}

async function redirectLink(client: Client, place: FilePlace, path: Path): Promise<FileLink> {
	const found = await explainMissing(client, place, client.locate('downloadFile', { path }));
	if (found.kind === 'redirect') return { url: found.location, expiresAt: null };
	found.body.destroy();
	throw client.error({
		message: 'Wherobots Cloud has no link to this file',
		description: 'It sends the file itself. Use File: Download instead.',
		facts: { ...place },
	});
}
