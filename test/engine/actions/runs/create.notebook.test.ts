import { by, inMemory } from '../../../support/files';
import { FLOODED, notebookOf } from '../../../support/notebooks';
import { type NodeOptions, ok, suiteWithSandbox } from '../../harness/suite';
import { pythonRun } from '../parameters';

const suite = suiteWithSandbox();
const flooded = inMemory(FLOODED, 'flooded.ipynb');
const maps = notebookOf(['SedonaKepler.create_map(df=frame)', 'print(1)']);

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

const parameters = {
	...pythonRun,
	pythonUri: '',
	programFrom: 'notebook',
	storageId: by('id', 'stor-acme'),
	folder: by('path', 'jobs'),
};
const submit = async (more: object = {}, options: NodeOptions = {}) =>
	await suite.run({ ...parameters, ...more }, { files: [flooded], ...options });
const stored = () => {
	const files = suite.storage().files;
	return [...files.entries()].filter(([key]) => key.startsWith('jobs/flooded'));
};

it('runs a notebook as a script, and says what of it does not run', async () => {
	const { json, hints } = ok(await submit({ notebookParameters: '{"day": "2026-11-26"}' }));
	const [[key, { content }]] = stored();
	expect(key).toMatch(/^jobs\/flooded-[0-9a-f]{8}\.py$/);
	expect(content?.toString()).toContain('# Parameters\nday = "2026-11-26"\n');
	const [{ body }] = suite.requests.of('createRun');
	expect(body).toMatchObject({ runPython: { uri: `s3://acme-jobs/${key}` } });
	expect(json[0]).toMatchObject({ program: `s3://acme-jobs/${key}` });
	expect(hints.map(String)).toEqual([
		"Left out of flooded.ipynb: cell 2: %pip install h3 · cell 4: sedona.table? · cell 5: SedonaKepler.create_map(df=sedona.table('demo.buildings')) · cell 6: %%sql · cell 7: !ls data. Add what it installs to 'PyPI Packages'.",
	]);
});

it('keeps the scripts of items with other parameters apart', async () => {
	ok(
		await submit(
			{ name: '={{ "flooded-" + $json.day }}', notebookParameters: '={{ { day: $json.day } }}' },
			{ input: [{ day: '2026-11-25' }, { day: '2026-11-26' }], files: [flooded, flooded] },
		),
	);
	expect(stored()).toHaveLength(2);
	const uris = suite.requests
		.of('createRun')
		.map(({ body }) => (body as { runPython: { uri: string } }).runPython.uri);
	expect(uris.sort()).toEqual(
		stored()
			.map(([key]) => `s3://acme-jobs/${key}`)
			.sort(),
	);
});

it('hands a text that looks like one of its own over as it is', async () => {
	await submit({ notebookParameters: '{"day": "\\u0000123"}' });
	expect(stored()[0][1].content?.toString()).toContain('day = "\\u0000123"\n');
});

it('gives the script the name that the form has', async () => {
	await submit({ fileName: 'flooded_job.py' });
	expect(stored().map(([key]) => key)).toEqual(['jobs/flooded_job.py']);
});

it('keeps cells with maps when that is wanted', async () => {
	const files = [inMemory(maps, 'flooded.ipynb')];
	await submit({ leaveOutMapCells: false }, { files });
	expect(stored()[0][1].content?.toString()).toContain('create_map');
	await submit({ leaveOutMapCells: true }, { files });
	expect(stored().map(([, { content }]) => content?.includes('create_map'))).toEqual([true, false]);
});

it('names the first ten things that do not run, and how many more there are', async () => {
	const many = notebookOf(['x = 1', ...Array.from({ length: 12 }, () => '!ls')]);
	const { hints } = await submit({}, { files: [inMemory(many, 'many.ipynb')] });
	expect(hints[0]).toMatch(/cell 11: !ls and 2 more\.$/);
});

it('says nothing about a notebook that runs as a whole', async () => {
	const { hints } = await submit({}, { files: [inMemory(notebookOf(['x = 1']), 'a.ipynb')] });
	expect(hints).toEqual([]);
});

describe('refuses before anything is sent', () => {
	afterEach(() => expect(suite.requests.count).toBe(0));

	const TOO_DEEP = "'Notebook Parameters' must not be nested more than 100 levels deep";

	it.each([
		[{ runType: 'jar' }, "'Run Type' must be Python for a notebook"],
		[{ notebookParameters: `{"a": ${nested(20_000)}}` }, TOO_DEEP],
		[{ notebookParameters: '={{ JSON.parse($json.deep) }}' }, TOO_DEEP],
		[
			{ notebookParameters: '={{ { day: 12345678901234567890 } }}' },
			/^'Notebook Parameters' has a number in day that n8n cannot hold exactly/,
		],
		[
			{ programFrom: 'storage', pythonUri: 's3://bucket/a.IPYNB' },
			/^'Python File' is a notebook, which cannot be run as it is: .*'Notebook From Input'$/,
		],
		[
			{ programFrom: 'input' },
			/^'Input Binary Field' has the notebook "flooded\.ipynb", .*'Notebook From Input'$/,
		],
	])('%j', async (change, message) => {
		const input = [{ deep: `{"a": ${nested(150)}}` }];
		expect((await submit(change, { input })).error?.message).toMatch(message);
	});

	it('a notebook with a cell that Python cannot run', async () => {
		const { error } = await submit({}, { files: [inMemory(notebookOf(['await x']), 'a.ipynb')] });
		expect(error?.message).toBe(
			`'Input Binary Field' has the file "a.ipynb", which Python cannot run: cell 1 has "await" outside of a function on line 1. Correct the cell, or give it the tag "skip-execution"`,
		);
	});
});
