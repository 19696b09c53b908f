import { by, fileNode } from '../../../support/files';
import { type NodeOptions, ok, suiteWithSandbox } from '../../harness/suite';

const suite = suiteWithSandbox();
const path = 'jobs/nightly_etl.py';
const rename = async (newName: string, more: object = {}, options: NodeOptions = {}) =>
	await suite.run(fileNode('rename', { filePath: by('path', path), newName, ...more }), options);
const files = () => [...suite.storage().files.keys()];
const requests = () => suite.requests.of('renameFile');
const renamed = {
	storageId: 'stor-acme',
	path: 'jobs/etl v2 – ü.py',
	name: 'etl v2 – ü.py',
	previousPath: path,
};

it('gives a file another name in its folder', async () => {
	const { json } = ok(await rename('etl v2 – ü.py'));
	expect(json).toEqual([renamed]);
	expect(files()).toContain('jobs/etl v2 – ü.py');
	expect(files()).not.toContain(path);
	expect(requests()[0].query).toEqual({ new_name: 'etl v2 – ü.py' });
});

it('replaces no other file', async () => {
	suite.store.storages.put('stor-acme', 'jobs/other.py', 'mine');
	const { error } = await rename('other.py');
	expect(error?.message).toBe('A file already exists at "jobs/other.py"');
	expect(error?.description).toBe('Nothing was renamed. Choose another name.');
	expect(requests()).toEqual([]);
});

it.each(['a\nb.py', 'a\u0000.py'])('refuses a name that no file should have: %j', async (name) => {
	expect((await rename(name)).error?.message).toBe(
		"'New Name' must be a name without a folder: it must not contain a slash, line breaks or other control characters",
	);
	expect(suite.requests.count).toBe(0);
});

describe('when the response is lost', () => {
	it('is done if the folder shows that, and is sent once', async () => {
		suite.fails('renameFile', { kind: 'reset', when: 'after' }, { times: 1 });
		const { json } = ok(await rename('etl v2 – ü.py'));
		expect(json).toEqual([{ ...renamed, recovered: true }]);
		expect(requests()).toHaveLength(1);
	});

	it('is not sent again by Retry On Fail', async () => {
		suite.fails('renameFile', { kind: 'reset', when: 'before' });
		const { error } = await rename('new.py', {}, { maxTries: 3 });
		expect(error?.description).toContain('Retry On Fail did not send it again');
		expect(requests()).toHaveLength(1);
	});
});

it('is not done again for an item that an earlier attempt has renamed', async () => {
	suite.fails('renameFile', 403, { skip: 1, times: 1 });
	const { json } = ok(
		await rename(
			'={{ ["a.py", "b.md"][$itemIndex] }}',
			{ filePath: by('path', `={{ ["${path}", "README.md"][$itemIndex] }}`) },
			{ input: [{}, {}], maxTries: 2 },
		),
	);
	expect(json.map(({ path: to }) => to)).toEqual(['jobs/a.py', 'b.md']);
	expect(requests()).toHaveLength(3);
});
