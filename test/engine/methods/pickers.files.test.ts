import { ORGANIZATION_ID } from '../../sandbox/model/people';
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
	const { results } = await pick(suite.sandbox, 'searchStorages');
	expect(results).toEqual([
		{
			name: 'Wherobots Managed Storage',
			value: 'stor-managed',
			description: expect.stringMatching(/^Managed · s3:\/\/wbts-wbc-\w{10}$/),
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
			description: 'Your own files',
		},
	]);
	const [root] = suite.requests.of('listDirectory');
	expect([root.path, root.query.limit]).toEqual([
		'/storage/user_files%3A%3Aaws-us-west-2/directories/',
		'1',
	]);
	suite.variants.myFiles = 'listed';
	expect(await names('searchStorages')).toHaveLength(4);
	// Runs and SQL sessions cannot reach it.
	expect(await names('searchSessionStorages')).toHaveLength(3);
	suite.variants.myFiles = 'missing';
	expect(await names('searchStorages', { filter: 'my files' })).toEqual([]);
	suite.variants.accountEndpoints = 'forbidden';
	expect(await names('searchStorages')).toHaveLength(3);
});

it.each(['/jobs/lib/help', '//jobs/lib/help', '  jobs/lib/help '])(
	'understands %j',
	async (filter) => {
		const found = await names('searchFiles', { parameters: inStorage, filter });
		expect(found).toEqual(['jobs/lib/helpers.py']);
	},
);

it.each(['s3://acme-jobs/jobs', 'jobs//lib', '../jobs', 'a/./b', '\ud800/a'])(
	'does not look for %j, which no storage can have',
	async (filter) => {
		for (const picker of ['searchFiles', 'searchFolders'] as const) {
			expect(await pick(suite.sandbox, picker, { parameters: inStorage, filter })).toEqual({
				results: [],
			});
		}
		expect(suite.requests.count).toBe(0);
	},
);

it('offers the root of a storage once: at the beginning of the whole list', async () => {
	const parameters = inStorage;
	const root = { name: '/', value: '/' };
	for (const filter of [undefined, '', '  ']) {
		const { results } = await pick(suite.sandbox, 'searchFolders', { parameters, filter });
		expect(results).toEqual([
			root,
			{ name: 'jobs/', value: 'jobs/' },
			{ name: 'jobs/lib/', value: 'jobs/lib/' },
		]);
	}
	expect(await names('searchFolders', { parameters, filter: 'lib' })).toEqual(['jobs/lib/']);
	for (let n = 0; n < 60; n++) suite.store.storages.put('stor-acme', `many/f${n}/x`, '');
	const first = await pick(suite.sandbox, 'searchFolders', { parameters });
	expect(first.results.filter(({ value }) => value === '/')).toEqual([root]);
	const token = String(first.paginationToken);
	const second = await pick(suite.sandbox, 'searchFolders', { parameters, token });
	expect(second.results.length).toBeGreaterThanOrEqual(0);
	expect(second.results).not.toContainEqual(root);
});

it('says which folders are read-only, for an upload as well', async () => {
	const managed = { ...form, storageId: by('list', 'stor-managed') };
	for (const picker of ['searchFolders', 'searchUploadFolders'] as const) {
		const listed = await names(picker, { parameters: managed });
		expect(listed.filter((name) => name.endsWith(' (read-only)'))).toEqual([
			...['/', `${ORGANIZATION_ID}/`].map((path) => `${path} (read-only)`),
			...['data/', 'notebooks/'].map((path) => `${ORGANIZATION_ID}/${path} (read-only)`),
		]);
		expect(listed).toContain(`${ORGANIZATION_ID}/data/shared/`);
	}
	const open = { ...form, storageId: by('list', 'stor-open-data') };
	expect(await names('searchFolders', { parameters: open })).toEqual(['/ (read-only)']);
	expect(await names('searchFiles', { parameters: open })).toEqual(['tiles.json']);
});

it('offers only what a job run can execute where a program is chosen', async () => {
	suite.store.storages.put('stor-acme', 'jobs/etl.JAR', '');
	const parameters = inStorage;
	expect(await names('searchJARFiles', { parameters })).toEqual(['jobs/etl.JAR']);
	const programs = await names('searchPythonFiles', { parameters });
	expect(programs).toContain('jobs/lib/helpers.py');
	expect(programs.filter((name) => !name.endsWith('.py'))).toEqual([]);
});

it('comes in parts where there is much', async () => {
	for (let n = 0; n < 450; n++) suite.store.storages.put('stor-acme', `jobs/f${n}`, '');
	const seen: string[] = [];
	let token: string | undefined;
	do {
		const part = await pick(suite.sandbox, 'searchFiles', { parameters: inStorage, token });
		seen.push(...part.results.map(({ name }) => name));
		token = part.paginationToken as string | undefined;
	} while (token !== undefined);
	expect(new Set(seen).size).toBe(453);
	expect(seen).toHaveLength(453);
});

it('passes over folders that cannot be read, but not over the one that was asked for', async () => {
	suite.fails('listDirectory', 403, { path: /jobs/ });
	expect(await names('searchFiles', { parameters: inStorage })).toEqual(['README.md']);
	const typed = pick(suite.sandbox, 'searchFiles', { parameters: inStorage, filter: 'jobs/' });
	await expect(typed).rejects.toMatchObject({ httpCode: '403' });
});

it('shows a thousand entries of a folder and keeps two hundred folders for later, no more', async () => {
	for (let n = 0; n < 1_300; n++) suite.store.storages.put('stor-acme', `many/f${n}/x`, '');
	const parameters = inStorage;
	const first = await pick(suite.sandbox, 'searchFolders', { parameters, filter: 'many/' });
	expect(first.results).toHaveLength(1_000);
	expect(suite.requests.of('listDirectory')).toHaveLength(1);
	expect(JSON.parse(String(first.paginationToken))).toHaveLength(200);
});

it('does not go in circles', async () => {
	suite.edits('listDirectory', (page: object) => ({
		...page,
		items: [
			{ name: 'jobs', path: '', type: 'FOLDER' },
			{ name: 'up', path: 'up/', type: 'FOLDER' },
		],
	}));
	expect(await names('searchFolders', { parameters: inStorage })).toContain('up/');
	expect(suite.requests.count).toBeLessThan(10);
});

it.each([by('list', ''), by('list', '={{ $json.storage }}'), undefined])(
	'asks for the storage first (%j)',
	async (storageId) => {
		const parameters = storageId ? { ...form, storageId } : form;
		const opened = pick(suite.sandbox, 'searchFiles', { parameters });
		await expect(opened).rejects.toMatchObject({
			message: "Choose a value for 'Storage' first",
			description: expect.stringContaining("depends on 'Storage'. If that field is an expression"),
		});
	},
);
