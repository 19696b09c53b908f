/** Storages that a typical organization has, and some files. */
import { idOf } from '../ids';
import { ORGANIZATION_ID, people } from '../model/people';
import type { Model } from '../server/environment';

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
	storages.create({ id: 'stor-acme', name: 'acme-jobs', path: 's3://acme-jobs' });
	storages.create({
		id: 'stor-open-data',
		name: 'open-data',
		path: 's3://acme-open-data/v1',
		readOnly: true,
	});
	storages.create({
		id: 'user_files::aws-us-west-2',
		name: 'My Files',
		path: 's3://wbts-user-files/u1',
		type: 'MANAGED',
		listed: false,
	});
	storages.put('stor-managed', `${root}data/shared/results/summary.csv`, 'region,count\nwest,3\n', {
		contentType: 'text/csv',
	});
	storages.put('stor-managed', `${root}data/shared/results/part 1 – üñï.txt`, 'one\n');
	storages.put('stor-acme', 'jobs/nightly_etl.py', 'print("nightly")\n');
	storages.put('stor-acme', 'jobs/lib/helpers.py', 'pass\n');
	storages.put('stor-acme', 'README.md', '# Jobs\n');
	storages.put('stor-open-data', 'tiles.json', '{}');
	storages.put('user_files::aws-us-west-2', 'notes.txt', 'mine\n');
}
