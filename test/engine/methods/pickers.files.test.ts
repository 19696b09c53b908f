import { by } from '../../support/files';
import { pick, type Picker } from '../harness/pickers';
import { suiteWithSandbox } from '../harness/suite';

const suite = suiteWithSandbox();
const form = { resource: 'file', operation: 'upload' };
const inStorage = { ...form, storageId: by('list', 'stor-acme') };

async function names(picker: Picker, options?: Parameters<typeof pick>[2]): Promise<string[]> {
	return (await pick(suite.sandbox, picker, options)).results.map(({ name }) => name);
}

it('offers the storages, and My Files where they are switched on', async () => {
	const { sandbox } = suite;
	const { results } = await pick(sandbox, 'searchStorages');
	expect(results).toEqual([
		{
			name: 'Wherobots Managed Storage',
			value: 'stor-managed',
			description: 'Managed · s3://wbts-managed/acme',
		},
		{ name: 'acme-jobs', value: 'stor-acme', description: 'Integration · s3://acme-jobs' },
		{
			name: 'open-data',
			value: 'stor-open-data',
			description: 'Integration · s3://acme-open-data/v1 · read-only',
		},
		{
			name: 'My Files (aws-us-west-2)',
			value: 'user_files::aws-us-west-2',
			description: 'Your own',
		},
	]);
	sandbox.variants.myFiles = 'listed';
	expect(await names('searchStorages')).toHaveLength(4);
	sandbox.variants.myFiles = 'missing';
	expect(await names('searchStorages', { filter: 'my files' })).toEqual([]);
	sandbox.variants.accountEndpoints = 'forbidden';
	expect(await names('searchStorages')).toHaveLength(3);
});

it('offers all folders and files below the root, those near it first', async () => {
	const parameters = inStorage;
	expect(await names('searchFolders', { parameters })).toEqual(['/', 'jobs/', 'jobs/lib/']);
	expect(await names('searchFiles', { parameters })).toEqual([
		'README.md',
		'jobs/nightly_etl.py',
		'jobs/lib/helpers.py',
	]);
});

it('looks in the folder that is typed', async () => {
	const parameters = inStorage;
	const filter = 'jobs/lib/HELP';
	expect(await names('searchFiles', { parameters, filter })).toEqual(['jobs/lib/helpers.py']);
	const { query, path } = suite.sandbox.requests.of('listDirectory')[0];
	expect([path, query.limit]).toEqual(['/storage/stor-acme/directories/jobs/lib/', '200']);
});

it('comes in parts where there is much', async () => {
	const { sandbox } = suite;
	for (let n = 0; n < 450; n++) sandbox.store.storages.put('stor-acme', `jobs/f${n}`, '');
	const seen: string[] = [];
	let token: string | undefined;
	do {
		const part = await pick(sandbox, 'searchFiles', { parameters: inStorage, token });
		seen.push(...part.results.map(({ name }) => name));
		token = part.paginationToken as string | undefined;
	} while (token !== undefined);
	expect(new Set(seen).size).toBe(453);
	expect(seen).toHaveLength(453);
});

it('does not go in circles', async () => {
	const { sandbox } = suite;
	const edit = (page: object) => ({
		...page,
		items: [
			{ name: 'jobs', path: '', type: 'FOLDER' },
			{ name: 'up', path: 'up/', type: 'FOLDER' },
		],
	});
	sandbox.faults.add({ endpoint: 'listDirectory', fault: { kind: 'edit', edit } });
	expect(await names('searchFolders', { parameters: inStorage })).toContain('up/');
	expect(sandbox.requests.count).toBeLessThan(10);
});

it.each(['', '={{ $json.storage }}'])('asks for the storage first (%j)', async (value) => {
	const parameters = { ...inStorage, storageId: by('list', value) };
	const opened = pick(suite.sandbox, 'searchFiles', { parameters });
	await expect(opened).rejects.toThrow("Choose a value for 'Storage' first");
});
