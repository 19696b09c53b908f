/** Storages that a typical organization has, and some files. */
import { idOf } from '../ids';
import { ORGANIZATION_ID, people } from '../model/people';
import type { StorageDraft } from '../model/storages';
import type { Model } from '../server/environment';
import demo from './demo.json';

export function seedStorages({ store }: Model): void {
	const { storages } = store;
	const root = `${ORGANIZATION_ID}/`;
	const own = `${root}data/customer-${people.admin.id}`;
	const managed = storages.create({
		id: 'stor-managed',
		name: 'Wherobots Managed Storage',
		path: `s3://wbts-wbc-${idOf('bucket', 10)}`,
		type: 'MANAGED',
		defaultDirectory: own,
		protectedFolders: ['', root, `${root}data/`, `${root}notebooks/`],
	});
	for (const folder of ['', 'data/', 'data/shared/', 'notebooks/', 'notebooks/shared/']) {
		managed.folders.add(root + folder);
	}
	managed.folders.add(`${own}/`);
	for (const draft of demo.storages) storages.create({ ...(draft as StorageDraft) });
	storages.put('stor-managed', `${root}data/shared/results/summary.csv`, 'region,count\nwest,3\n', {
		contentType: 'text/csv',
	});
	storages.put('stor-managed', `${root}data/shared/results/part 1 – üñï.txt`, 'one\n');
	for (const [id, path, content] of demo.files) storages.put(id, path, content);
}
