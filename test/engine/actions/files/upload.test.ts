import { randomBytes } from 'node:crypto';

import {
	by,
	fileNode,
	inMemory,
	sha256,
	uploadNode,
	suiteWithFileStore,
} from '../../../support/files';
import { errorOf, suiteWithSandbox } from '../../harness/suite';

const useFileStore = suiteWithFileStore();
const suite = suiteWithSandbox();
const script = 'print("hello")\n';
const files = [inMemory(script, 'hello.py')];
const stored = (path: string) => suite.storage().files.get(path);

it('stores the input file and says where it is', async () => {
	const { json } = await suite.succeeds(uploadNode(), { files });
	const destination = 's3://acme-jobs/jobs/hello.py';
	expect(json).toMatchObject([{ path: 'jobs/hello.py', destination, uploaded: true }]);
	expect(json).toMatchObject([{ size: script.length, sha256: sha256(script) }]);
	expect(stored('jobs/hello.py')?.content?.toString()).toBe(script);
});

it('asks for the folder where none is chosen', async () => {
	const { error } = await suite.run(uploadNode({ folder: by('path', '={{ "" }}') }), { files });
	expect(error?.message).toMatch(/'Folder' must be set/);
	expect(error?.description).toMatch(/'Default Folder' from the list/);
	expect(suite.requests.of('createUploadUrl')).toEqual([]);
});

it('says which folder to choose where nothing may be uploaded', async () => {
	suite.fails('createUploadUrl', 403);
	const { error } = await suite.run(uploadNode({ folder: by('path', '/') }), { files });
	expect(error?.description).toMatch(
		/^This account is not allowed to upload to "\/"\. In managed storage, only folders below its default directory/,
	);
});

it.each([
	['upload', { folder: by('path', '/t2') }],
	['createFolder', { folderPath: 't2/x' }],
])('says that a whole storage is read-only: %s', async (operation, more) => {
	const storageId = by('id', 'stor-open-data');
	const { error } = await suite.run(fileNode(operation, { storageId, ...more }), { files });
	expect(error?.message).toBe('The storage "open-data" is read-only');
	expect(error?.description).toBe('Choose another storage.');
	expect(suite.requests.of('listStorages')).toHaveLength(1);
});

it.each([
	['a root', { folder: by('list', '/') }, 'hello.py'],
	['a folder that is not there yet', { folder: by('path', '/new/one/') }, 'new/one/hello.py'],
	['another name', { fileName: 'other name – ü%.py' }, 'jobs/other name – ü%.py'],
])('stores it in %s', async (_, more, path) => {
	await suite.succeeds(uploadNode(more), { files });
	expect(stored(path)?.content?.toString()).toBe(script);
});

it('stores a text as UTF-8, untrimmed', async () => {
	const fileText = '  größe\n';
	const text = { contentFrom: 'text', fileText, fileName: 'note.txt' };
	const { json } = await suite.run(uploadNode(text));
	expect(json[0]).toMatchObject({ size: 10, sha256: sha256(fileText) });
	expect(stored('jobs/note.txt')?.content?.toString()).toBe(fileText);
});

it("reads a file of n8n's store as a stream, whatever its size", async () => {
	const store = await useFileStore();
	for (const size of [0, 1, 3_000_000]) {
		const bytes = randomBytes(size);
		const input = [await store.add(bytes, `data-${size}.bin`)];
		const { json } = await suite.succeeds(uploadNode(), { files: input });
		expect(json[0]).toMatchObject({ size, sha256: sha256(bytes) });
		expect(stored(`jobs/data-${size}.bin`)?.sha256).toBe(sha256(bytes));
	}
});

it('names in an error what was uploaded for other items', async () => {
	suite.fails('createUploadUrl', 403, { skip: 1 });
	const two = [inMemory('1', 'one.py'), inMemory('2', 'two.py')];
	const { error } = await suite.run(uploadNode(), { files: two });
	expect(error?.description).toContain('s3://acme-jobs/jobs/one.py');
	expect(error?.context?.data).toMatchObject({
		alsoCreated: [{ itemIndex: 0, id: 's3://acme-jobs/jobs/one.py' }],
	});
});

it('lets one of two executions at the same moment upload', async () => {
	const both = await Promise.all([1, 2].map(async () => await suite.run(uploadNode(), { files })));
	expect(both.map(({ error }) => error?.message).filter(Boolean)).toEqual([
		'A file already exists at "jobs/hello.py"',
	]);
});

it.each(['', '..', 'a/b.py'])('does not take the name of the input file: %j', async (name) => {
	const { error } = await suite.run(uploadNode(), { files: [inMemory(script, name)] });
	expect(error?.message).toContain('the input file has no name that can be used');
	expect(suite.requests.count).toBe(0);
});

it('needs a name for a file without one', async () => {
	const unnamed = [inMemory(script, undefined)];
	const { error } = await suite.run(uploadNode(), { files: unnamed });
	expect(error?.message).toMatch(/^'File Name' must be set/);
	const named = await suite.run(uploadNode({ fileName: 'x.py' }), { files: unnamed });
	expect(named.error).toBeUndefined();
});

it('says once that there is no such storage', async () => {
	const node = { ...uploadNode(), operation: 'getAll', storageId: by('id', 'nowhere') };
	const { error } = await suite.run(node);
	expect(`${error?.message}\n${error?.description}`.match(/There is no storage/g)).toHaveLength(1);
});

it('says which storage, folder or permission is missing', async () => {
	const at = (storageId: string) => ({ ...uploadNode(), storageId: by('id', storageId) });
	const missing = await suite.run(at('nowhere'), { files });
	expect(missing.error?.message).toContain('There is no storage with the ID "nowhere"');
	suite.variants.myFiles = 'missing';
	const off = await suite.run(at('user_files::aws-us-west-2'), { files });
	expect(off.error?.message).toBe("'My Files' is not available to this account in this region");
	const protectedRoot = { ...at('stor-managed'), folder: by('list', '/') };
	const refused = await suite.run(protectedRoot, { files, onError: 'continueRegularOutput' });
	expect(errorOf(refused.items[0])).toMatchObject({ httpCode: 403, path: 'hello.py' });
	expect(errorOf(refused.items[0])?.description).toMatch(/\nChoose another folder or storage\.$/);
});

describe('a file that is there already', () => {
	const again = (ifFileExists?: string) =>
		uploadNode({ fileName: 'nightly_etl.py', ...(ifFileExists ? { ifFileExists } : {}) });
	const before = 'print("nightly")\n';
	const content = () => stored('jobs/nightly_etl.py')?.content?.toString();

	it('fails the node unless something else is chosen', async () => {
		const { error } = await suite.run(again(), { files });
		expect(error?.message).toBe('A file already exists at "jobs/nightly_etl.py"');
		expect(error?.description).toContain("change 'If the File Exists'");
		expect(error?.context?.data).toEqual({ storageId: 'stor-acme', path: 'jobs/nightly_etl.py' });
		expect(content()).toBe(before);
		expect(suite.requests.of('createUploadUrl')).toEqual([]);
	});

	it('is kept, and its address given', async () => {
		expect((await suite.run(again('keep'), { files })).json).toEqual([
			{
				storageId: 'stor-acme',
				path: 'jobs/nightly_etl.py',
				name: 'nightly_etl.py',
				destination: 's3://acme-jobs/jobs/nightly_etl.py',
				size: before.length,
				uploaded: false,
			},
		]);
		expect(content()).toBe(before);
		expect(suite.presigned.requests).toEqual([]);
	});

	it('is not named as uploaded in the error of another item', async () => {
		suite.fails('createUploadUrl', 403, { skip: 1 });
		const two = [inMemory('1', 'nightly_etl.py'), inMemory('2', 'two.py')];
		const keep = uploadNode({ ifFileExists: 'keep' });
		const { error } = await suite.run(keep, { files: two });
		expect(error?.context).toMatchObject({ itemIndex: 1 });
		expect(error?.context?.data).not.toHaveProperty('alsoCreated');
	});

	it('is replaced without a look', async () => {
		const { json } = await suite.run(again('replace'), { files });
		expect(json[0]).toMatchObject({ uploaded: true, size: script.length });
		expect(content()).toBe(script);
		expect(suite.requests.of('listDirectory')).toEqual([]);
	});

	it('is found on any page of a large folder', async () => {
		for (let n = 0; n < 2_100; n++) suite.store.storages.put('stor-acme', `jobs/f${n}`, '');
		expect((await suite.run(again(), { files })).error?.message).toMatch(/^A file already exists/);
		expect(suite.requests.of('listDirectory').map(({ query }) => query.limit)).toEqual([
			'1000',
			'1000',
			'1000',
		]);
	});

	it('is not taken for a folder of its name', async () => {
		suite.store.storages.put('stor-acme', 'jobs/hello.py/inner', '');
		await suite.succeeds(uploadNode(), { files });
	});

	it('is one that this execution has uploaded, when the node is retried', async () => {
		suite.fails('createUploadUrl', 403, { times: 1, skip: 1 });
		const two = [inMemory('1', 'one.py'), inMemory('2', 'two.py')];
		const { json } = await suite.succeeds(uploadNode(), { files: two, maxTries: 2 });
		expect(json.map(({ name }) => name)).toEqual(['one.py', 'two.py']);
		expect(suite.presigned.requests).toHaveLength(2);
	});
});
