import { by, inMemory } from '../../../support/files';
import { type NodeOptions, ok, suiteWithSandbox } from '../../harness/suite';
import { pythonRun } from '../parameters';

const suite = suiteWithSandbox();
const script = 'print("hello")\n';
const files = [inMemory(script, 'hello.py')];
const destination = 's3://acme-jobs/jobs/hello.py';

const parameters = {
	...pythonRun,
	pythonUri: '',
	programFrom: 'input',
	storageId: by('id', 'stor-acme'),
	folder: by('path', 'jobs'),
};
const submit = async (more: object = {}, options: NodeOptions = {}) =>
	await suite.run({ ...parameters, ...more }, { files, ...options });
const uploads = () => suite.presigned.requests.filter(({ method }) => method === 'PUT');

it('uploads a Python file and runs it', async () => {
	const { json } = ok(await submit());
	expect(json[0]).toMatchObject({ name: parameters.name, program: destination, reused: false });
	const [{ body }] = suite.requests.of('createRun');
	expect(body).toMatchObject({ runPython: { uri: destination } });
	const stored = suite.storage().files.get('jobs/hello.py');
	expect(stored?.content?.toString()).toBe(script);
	expect(suite.requests.all().at(-1)?.endpoint).toBe('createRun');
});

it('replaces an existing file unless something else is chosen', async () => {
	suite.store.storages.put('stor-acme', 'jobs/hello.py', 'old');
	expect((await submit({ ifFileExists: 'fail' })).error?.message).toMatch(/^A file already exists/);
	expect(suite.requests.of('createRun')).toEqual([]);
	expect((await submit({ ifFileExists: 'keep' })).error).toBeUndefined();
	expect(uploads()).toEqual([]);
	expect((await submit()).error).toBeUndefined();
	expect(uploads()).toHaveLength(1);
});

it('uploads nothing for a run that already exists', async () => {
	const reuse = { ifNameExists: 'useActive' };
	await submit(reuse);
	expect((await submit(reuse)).json[0]).toMatchObject({ reused: true });
	expect(uploads()).toHaveLength(1);
});

it.each([1, 3])('names the file in the error of another item, after %i tries', async (maxTries) => {
	suite.fails('createRun', 422, { skip: 1 });
	const name = '=nightly-etl-{{ $itemIndex }}';
	const two = [...files, ...files];
	const { error } = await submit({ name }, { files: two, ...(maxTries > 1 ? { maxTries } : {}) });
	expect(error?.context?.data).toMatchObject({
		uploaded: [destination],
		alsoCreated: [
			{ itemIndex: 0, id: destination },
			{ itemIndex: 0, name: 'nightly-etl-0' },
		],
	});
	expect(uploads()).toHaveLength(1);
});

it('a run that may have been submitted is named in the error of another item, beside its file', async () => {
	suite.variants.runListLagMs = 3_600_000;
	suite.plans.set('nightly-etl-0', { outcome: 'FAILED' });
	suite.fails('createRun', { kind: 'reset', when: 'after' }, { skip: 1, times: 1 });
	const two = [...files, ...files];
	const waiting = { name: '=nightly-etl-{{ $itemIndex }}', waitForCompletion: true };
	const { error } = await submit(waiting, { files: two });
	expect(error?.message).toContain('Job run "nightly-etl-0" failed');
	expect(error?.context?.data).toMatchObject({
		alsoAmbiguous: [{ itemIndex: 1, name: 'nightly-etl-1' }],
	});
});

it('checks all items before the first is uploaded', async () => {
	const name = '={{ ["good-name-1", "bad"][$itemIndex] }}';
	const { error } = await submit({ name }, { files: [...files, ...files] });
	expect(error?.message).toMatch(/^'Name' must be 8 to 255/);
	expect(suite.requests.count).toBe(0);
});

it.each([
	['python', 'a.JAR', script, "must not be a .jar file: set 'Run Type' to 'JAR' for it"],
	['jar', 'a.py', script, "must not be a .py file: set 'Run Type' to 'Python' for it"],
	['python', 'x.csv', script, 'must end with .py'],
	['python', 'a.py', '', 'is empty'],
])('refuses for a %s run the file %s with %j', async (runType, name, content, why) => {
	const { error } = await submit({ runType }, { files: [inMemory(content, name)] });
	expect(error?.message).toBe(`'Input Binary Field' has the file "${name}", which ${why}`);
	expect(suite.requests.count).toBe(0);
});

it('names the field with the name of the file where that is what is wrong', async () => {
	const { error } = await submit({ fileName: 'hello' });
	expect(error?.message).toBe("'File Name' must end with .py");
});

describe('of several items', () => {
	const named = ['jobs-one', 'jobs-two'].map((name) => ({ name }));
	const submitted = () => suite.requests.of('createRun').length;
	const both = async (texts: string[]) =>
		await submit(
			{ name: '={{ $json.name }}' },
			{ input: named, files: texts.map((text) => inMemory(text, 'hello.py')), maxTries: 2 },
		);

	it('one file is uploaded once', async () => {
		const { json } = await both([script, script]);
		expect(json).toMatchObject([{ program: destination }, { program: destination }]);
		expect(uploads()).toHaveLength(1);
		expect(submitted()).toBe(2);
	});

	it('a different file of the same name does not replace the one that another run needs', async () => {
		const { error } = await both([script, 'print("other")\n']);
		expect(error?.message).toBe('Another item has uploaded a different file to "jobs/hello.py"');
		expect(error?.description).toMatch(/File Name.*\nAlready created for other items: .*jobs-one/s);
		expect(uploads()).toHaveLength(1);
		expect(submitted()).toBe(1);
	});
});

describe('dependencies', () => {
	const wheel = { ...inMemory('wheel', 'helpers-1.0.whl').data };
	const json = { ...inMemory('{"a":1}', 'settings.json').data };
	const withAll = [{ ...files[0], helpers: wheel, settings: json }];
	const dependencyFields = 'helpers, settings';
	const paths = [
		's3://acme-jobs/jobs/dependencies/helpers-1.0.whl',
		's3://acme-jobs/jobs/dependencies/settings.json',
	];
	const sent = () => {
		const [{ body }] = suite.requests.of('createRun');
		return (body as { environment?: { dependencies?: unknown } }).environment?.dependencies;
	};
	const asFiles = paths.map((filePath) => ({ sourceType: 'FILE', filePath }));

	it('of the input are uploaded with the program and named in the request', async () => {
		const { json: out } = ok(await submit({ dependencyFields }, { files: withAll }));
		expect(sent()).toEqual(asFiles);
		expect(out[0]).toMatchObject({ program: destination, dependencies: paths });
		const stored = suite.storage().files;
		expect(stored?.get('jobs/dependencies/helpers-1.0.whl')?.content?.toString()).toBe('wheel');
	});

	it('go beside the scripts in the default directory of the storage', async () => {
		const own = { storageId: by('id', 'stor-managed'), folder: undefined };
		ok(await submit({ ...own, dependencyFields }, { files: withAll }));
		const { defaultDirectory } = suite.storage('stor-managed').draft;
		const keys = [...suite.storage('stor-managed').files.keys()];
		expect(keys).toEqual(
			expect.arrayContaining([
				`${defaultDirectory}/scripts/hello.py`,
				`${defaultDirectory}/dependencies/helpers-1.0.whl`,
				`${defaultDirectory}/dependencies/settings.json`,
			]),
		);
	});

	it.each([
		['fields', { fileDependencies: ['s3://acme-jobs/a.jar', paths[0]] }],
		[
			'JSON',
			{
				environmentJson: {
					dependencies: [
						{ sourceType: 'FILE', filePath: 's3://acme-jobs/a.jar' },
						{ sourceType: 'FILE', filePath: paths[0] },
					],
				},
			},
		],
	])('are added to those that the options name, each once (%s)', async (_, options) => {
		ok(await submit({ dependencyFields, options }, { files: withAll }));
		expect(sent()).toEqual([{ sourceType: 'FILE', filePath: 's3://acme-jobs/a.jar' }, ...asFiles]);
	});

	it('are uploaded once for all attempts, from the one that failed on', async () => {
		suite.fails('createUploadUrl', 422, { skip: 2, times: 1 });
		suite.fails('createRun', 422, { times: 1 });
		ok(await submit({ dependencyFields }, { files: withAll, maxTries: 3 }));
		expect(uploads()).toHaveLength(3);
		expect(suite.requests.of('createRun')).toHaveLength(2);
		const bodies = suite.requests.of('createRun').map(({ body }) => body);
		expect(bodies[1]).toEqual(bodies[0]);
		expect(sent()).toEqual(asFiles);
	});

	it('that were uploaded are named when the run is not submitted', async () => {
		suite.fails('createUploadUrl', 403, { skip: 2 });
		const { error } = await submit({ dependencyFields }, { files: withAll });
		expect(error?.description).toContain(
			`Its files had already been uploaded: ${destination}, ${paths[0]}.`,
		);
		expect(error?.context?.data).toMatchObject({ uploaded: [destination, paths[0]] });
		expect(suite.requests.of('createRun')).toEqual([]);
	});

	it('belong to the run that is found again after a lost response', async () => {
		suite.fails('createRun', { kind: 'reset', when: 'after' }, { times: 1 });
		const { json: out } = await submit({ dependencyFields }, { files: withAll });
		expect(out[0]).toMatchObject({ recovered: true, dependencies: paths });
	});

	it.each([
		[
			'other',
			/'Dependency Binary Fields' must name a field that holds a file: .* no file in "other"$/,
		],
		[
			'data',
			/the name of the file in "data", "hello\.py", must end with \.jar, \.whl, \.zip or \.json: /,
		],
		[
			'helpers, helpers',
			/'Dependency Binary Fields' must not name two files called "helpers-1\.0\.whl"$/,
		],
	])('are checked before anything is sent: %s', async (fields, message) => {
		const { error } = await submit({ dependencyFields: fields }, { files: withAll });
		expect(error?.message).toMatch(message);
		expect(suite.requests.count).toBe(0);
	});
});

describe('a program in a storage', () => {
	const chosen = {
		...pythonRun,
		storageId: by('list', 'stor-acme'),
		pythonUri: by('list', 'jobs/nightly_etl.py'),
	};

	it('is run by its S3 path, for which storages are listed once', async () => {
		expect((await suite.succeeds(chosen, { input: [{}, {}] })).json).toHaveLength(2);
		expect(suite.requests.of('listStorages')).toHaveLength(1);
		const uris = suite.requests.of('createRun').map(({ body }) => body);
		const program = { uri: 's3://acme-jobs/jobs/nightly_etl.py' };
		expect(uris).toMatchObject(Array(2).fill({ runPython: program }));
	});

	it('is not run where its storage has no S3 path', async () => {
		const { error } = await suite.run({ ...chosen, storageId: by('id', 'nowhere') });
		expect(error?.message).toMatch(/^'Storage' has no known S3 path: .* lacks "nowhere"$/);
		expect(suite.requests.of('createRun')).toEqual([]);
	});
});
