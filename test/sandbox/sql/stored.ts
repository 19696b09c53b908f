/** Files of storages, as a session reads them. */
import { bytesOf, type StorageStore } from '../model/storages';

/** The bytes of a file by its S3 address; undefined where there is none. */
export function readStored(storages: StorageStore, address: string): Buffer | undefined {
	for (const { draft, files } of storages.all()) {
		const file = files.get(address.slice(draft.path.length + 1));
		if (address.startsWith(`${draft.path}/`) && file) return Buffer.concat([...bytesOf(file)]);
	}
	return undefined;
}
