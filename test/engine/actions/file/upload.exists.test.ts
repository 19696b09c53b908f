import { inMemory, uploadNode } from '../../../support/files';
import { suiteWithSandbox } from '../../harness/suite';

const suite = suiteWithSandbox();
const script = 'print("hello")\n';
const files = [inMemory(script, 'hello.py')];
const stored = (path: string) => suite.store.storages.get('stor-acme')?.files.get(path);

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
		const { json } = await suite.run(again('keep'), { files });
		expect(json).toEqual([
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
		const { error } = await suite.run(again(), { files });
		expect(error?.message).toMatch(/^A file already exists/);
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
