/** A file in managed storage that lasts as long as what reads it. */
import { type Place, type Storage, toPathValues } from '../../service/files';
import type { Client } from '../../transport/client';
import { explainReading, Failure, hasStatus, settle } from '../../transport/failure';
import { fetchList } from '../../transport/records';
import { toDefaultFolder } from './files';
import { storeFile } from './storage';

/** What helps, in the words of the form, and who is told of a file that could not be removed. */
interface Staging {
	/** Of the file; no other has it. */
	name: string;
	/** Where it is read; undefined for the default. */
	region?: string;
	advice: string;
	onLeft(place: Place, failure: unknown): void;
}

/**
 * Uploads bytes, has them used at their S3 path, and removes them whatever happened, also when the
 * execution is cancelled or the upload broke off.
 *
 * @throws Failure as `storeFile` does, and without managed storage; otherwise what `use` throws
 */
export async function runWithStagedFile<T>(
	client: Client,
	bytes: Uint8Array,
	{ name, region, advice, onLeft }: Staging,
	use: (address: string) => Promise<T>,
): Promise<T> {
	const explained = async <R>(work: Promise<R>) => await explainReading(work, { after: advice });
	const folder = await explained(chooseFolder(client, region));
	const place = { ...folder, path: folder.path + name };
	const source = { size: bytes.length, open: async () => bytes };
	try {
		const storing = storeFile(client, place, source, { ifExists: 'replace', advice: '' });
		return await use((await explained(storing)).destination);
	} finally {
		const path = toPathValues(place);
		const removed = await settle(client.evenWhenCancelled().call('deleteFile', { path }));
		if (!removed.ok && !hasStatus(removed.error, 404)) onLeft(place, removed.error);
	}
}

/** Where rows are staged: a folder below the default directory, to which others have no access. */
async function chooseFolder(client: Client, region: string | undefined): Promise<Place> {
	const storages = await fetchList<Storage>(client, 'listStorages');
	const managed = storages.filter(({ type, readOnly }) => type === 'MANAGED' && readOnly !== true);
	const storage = managed.find((each) => each.region === region) ?? managed[0];
	if (storage) return { storageId: String(storage.id), path: toDefaultFolder(storage, 'staging') };
	throw new Failure({
		message: 'There is no managed storage for the file in which the rows are sent',
		description: 'Nothing was sent.',
	});
}
