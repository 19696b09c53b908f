import { randomBytes } from 'node:crypto';

import {
	by,
	downloadNode,
	fileNode,
	SHARED,
	sha256,
	suiteWithFileStore,
} from '../../../support/files';
import { ok, suiteWithSandbox, textOf } from '../../harness/suite';

const useFileStore = suiteWithFileStore();
const suite = suiteWithSandbox();

describe('Download', () => {
	const content = 'region,count\nwest,3\n';
	const summary = {
		...downloadNode(`${SHARED}/results/summary.csv`),
		storageId: by('id', 'stor-managed'),
	};

	it.each(['redirect', 'body'] as const)('gives the file and what it is (%s)', async (way) => {
		suite.variants.fileDownload = way;
		const { items } = await suite.succeeds(summary);
		expect(items[0].json).toEqual({
			storageId: 'stor-managed',
			path: `${SHARED}/results/summary.csv`,
			fileName: 'summary.csv',
			bytes: content.length,
			sha256: sha256(content),
		});
		expect(items[0].binary?.data).toMatchObject({ fileName: 'summary.csv', mimeType: 'text/csv' });
		expect(textOf(items[0])).toBe(content);
		for (const { headers } of suite.presigned.requests) {
			expect(headers['accept-encoding']).toBe('identity');
		}
	});

	it('takes name, field and odd characters', async () => {
		const options = { fileName: 'mine.txt', binaryPropertyName: 'file' };
		const { items } = await suite.succeeds({
			...downloadNode(`${SHARED}/results/part 1 – üñï.txt`, { options }),
			storageId: by('id', 'stor-managed'),
		});
		expect(items[0].binary?.file).toMatchObject({ fileName: 'mine.txt', mimeType: 'text/plain' });
	});

	it('has the type that the storage has for it', async () => {
		const contentType = 'text/markdown ; charset=utf-8';
		suite.store.storages.put('stor-acme', 'notes.txt', content, { contentType });
		const { items } = await suite.run(downloadNode('notes.txt'));
		expect(items[0].binary?.data.mimeType).toBe('text/markdown');
	});

	it("streams into n8n's file store", async () => {
		const store = await useFileStore();
		const bytes = randomBytes(3_000_000);
		suite.store.storages.put('stor-acme', 'large.bin', bytes);
		suite.store.storages.put('stor-acme', 'empty.bin', '');
		const { items } = await suite.succeeds(downloadNode('large.bin'));
		expect(items[0].json).toMatchObject({ bytes: bytes.length, sha256: sha256(bytes) });
		const file = items[0].binary?.data;
		expect(file?.id).toMatch(/^filesystem/);
		expect(sha256(await store.read(file as never))).toBe(sha256(bytes));
		const empty = await suite.run(downloadNode('empty.bin'));
		expect(empty.items[0].json).toMatchObject({ bytes: 0, sha256: sha256('') });
	});

	it.each(['notFound', 'redirect'] as const)('says that a file is not there (%s)', async (how) => {
		suite.variants.missingFile = how;
		const { error } = await suite.run(downloadNode('jobs/nothing.py'));
		expect(error?.httpCode).toBe('404');
		expect(error?.message).toBe('There is nothing at "jobs/nothing.py" in this storage');
		expect(error?.context?.data).toMatchObject({ storageId: 'stor-acme', path: 'jobs/nothing.py' });
	});

	it('draws a map of GeoJSON, also of a transfer that begins again', async () => {
		const feature = (size: number) => ({
			...{ type: 'Feature', properties: { size, note: 'x'.repeat(1_000) } },
			geometry: { type: 'Point', coordinates: [size, 50] },
		});
		const features = Array.from({ length: 500 }, (_, index) => feature(index / 10));
		const text = JSON.stringify({ type: 'FeatureCollection', features });
		suite.store.storages.put('stor-acme', 'hail.geojson', text);
		suite.presigned.addFault({ method: 'GET', times: 1, fault: { kind: 'cut', bytes: 400_000 } });
		const map = { drawMap: true, mapOptions: { mapColumn: 'size', mapTitle: 'Hail' } };
		const { items } = await suite.succeeds(downloadNode('hail.geojson', map));
		const [{ json, binary }] = items;
		expect(json).toMatchObject({ bytes: text.length, map: { features: 500, drawn: 500 } });
		expect(textOf(items[0])).toBe(text);
		expect(binary?.map).toMatchObject({
			fileName: 'map.png',
			mimeType: 'image/png',
			fileType: 'image',
		});
		expect(textOf(items[0], 'map').slice(1, 4)).toBe('PNG');
		expect(binary?.mapSvg.mimeType).toBe('image/svg+xml');
		expect(textOf(items[0], 'mapSvg')).toContain('>Hail</text>');
		expect(textOf(items[0], 'mapSvg')).toContain('>40 to 49.9</text>');
		expect(textOf(items[0], 'mapPage')).toContain('<title>Hail</title>');
	});

	it('says what a map cannot show', async () => {
		suite.store.storages.put('stor-acme', 'no.csv', 'a,b\n1,2\n');
		const { items, hints } = await suite.run(downloadNode('no.csv', { drawMap: true }));
		const note = 'It could not be drawn: the file is not GeoJSON';
		expect(items[0].json.map).toEqual({ drawn: 0, note });
		expect(hints).toEqual([`Map: ${note}`]);
		expect(textOf(items[0])).toBe('a,b\n1,2\n');
	});
});

describe('Get Many', () => {
	const list = async (more: object = {}) =>
		await suite.run(fileNode('getAll', { folder: by('list', '/'), ...more }));
	const paths = async (more: object = {}) => (await list(more)).json.map(({ path }) => path);

	it('lists a folder and not what is in its folders', async () => {
		expect((await list()).json).toMatchObject([
			{ name: 'jobs', path: 'jobs/', type: 'FOLDER' },
			{ name: 'README.md', type: 'FILE', size: 7 },
		]);
		expect(await paths({ includeEntries: 'files' })).toEqual(['README.md']);
		expect(await paths({ includeEntries: 'folders' })).toEqual(['jobs/']);
		expect(await paths({ folder: by('path', 'jobs') })).toEqual([
			'jobs/lib/',
			'jobs/nightly_etl.py',
		]);
	});

	it('reads to the end, to the limit, and never the marker of a folder', async () => {
		suite.storage().folders.add('many/');
		for (let n = 0; n < 1_500; n++) suite.store.storages.put('stor-acme', `many/${n}`, '');
		const many = { folder: by('path', 'many') };
		expect(await paths({ ...many, returnAll: true })).toHaveLength(1_500);
		expect(await paths({ ...many, limit: 7 })).toHaveLength(7);
		expect(await paths({ ...many, returnAll: true })).not.toContain('many/');
	});

	it.each([
		['notFound', '404'],
		['empty', undefined],
	] as const)('of a folder that is not there (%s)', async (missingFolder, httpCode) => {
		suite.variants.missingFolder = missingFolder;
		const { error, items } = await list({ folder: by('path', 'nowhere') });
		expect([error?.httpCode, items]).toEqual([httpCode, []]);
	});

	it.each([
		['all', 'files or folders'],
		['files', 'files'],
		['folders', 'folders'],
	])('says that there is nothing (%s)', async (includeEntries, what) => {
		suite.storage().folders.add('empty/');
		const { hints } = await list({ folder: by('path', 'empty'), includeEntries });
		expect(hints).toEqual([`There are no ${what} in this folder.`]);
		expect((await list()).hints).toEqual([]);
	});
});

describe('Create Folder', () => {
	const make = async (folderPath: string, id = 'stor-acme') =>
		await suite.run(fileNode('createFolder', { folderPath, storageId: by('id', id) }));

	it.each(['required', 'implied'] as const)('creates every level (%s)', async (parents) => {
		suite.variants.folderParents = parents;
		const { json } = ok(await make('/a/b c/d/'));
		expect(json).toEqual([{ storageId: 'stor-acme', path: 'a/b c/d/', name: 'd', created: true }]);
		expect([...suite.storage().folders]).toEqual(['a/', 'a/b c/', 'a/b c/d/']);
	});

	it.each([
		['conflict', false],
		['success', true],
	] as const)(
		'says whether it was there already, as far as the service does (%s)',
		async (answer, created) => {
			suite.variants.existingFolder = answer;
			const { json } = ok(await make('jobs/lib'));
			expect(json[0]).toMatchObject({ path: 'jobs/lib/', created });
		},
	);

	it('passes levels over that nobody may create', async () => {
		expect((await make(`${SHARED}/new`, 'stor-managed')).json[0]).toMatchObject({ created: true });
	});

	it('fails where a file has the name', async () => {
		const { error } = await make('jobs/nightly_etl.py');
		expect(error?.httpCode).toBe('409');
		expect(error?.description).toContain('A file named "nightly_etl.py" already exists');
	});

	it('does not take the root', async () => {
		expect((await make('/')).error?.message).toMatch(/^'Folder' must name a folder/);
	});
});
