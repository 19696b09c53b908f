/** Values from other nodes and from people, and what the service refuses. */
import type { INodeParameters } from 'n8n-workflow';

import { suiteWithSandbox } from '../../harness/suite';
import { pythonRun } from '../parameters';

const suite = suiteWithSandbox({ seed: 'empty' });

it('Spark settings that the service controls are sent, with a hint', async () => {
	const config = ['spark.driver.maxResultSize', 'spark.sql.shuffle.partitions'].map((key) => ({
		key,
		value: '8',
	}));
	const { hints } = await suite.succeeds({ ...pythonRun, options: { sparkConfigs: { config } } });
	expect(hints).toEqual([expect.stringMatching(/no effect: spark\.driver\.maxResultSize\.$/)]);
	expect((await suite.run(pythonRun)).hints).toEqual([]);
});

describe('checking before sending', () => {
	const byName = (value: string) => ({ __rl: true, mode: 'name', value });

	const choose = (type: string) => `: set 'Run Type' to '${type}' for it`;

	it.each<[INodeParameters, string]>([
		[{ pythonUri: 'https://x/y.py' }, "'Python File' must be an S3 path"],
		[{ pythonUri: 's3a://b/y.py' }, "'Python File' must begin with s3://"],
		[
			{ options: { fileDependencies: ['https://x/y.whl'] } },
			'\'File Dependencies\' has the entry "https://x/y.whl", which must be a path such as s3://bucket/folder/file, not a web address',
		],
		[{ pythonUri: 's3://b/jobs/' }, "'Python File' must be a file, not a folder"],
		[{ pythonUri: 'jobs/' }, "'Python File' must be a file: a slash at the end"],
		[{ pythonUri: 'jobs/etl.py' }, "'Storage' must not be empty"],
		[{ pythonUri: '/home/me/etl.py' }, 'not a file on a computer'],
		[{ pythonUri: 's3://b/stations.csv' }, "'Python File' must end with .py"],
		[{ runType: 'jar', jarUri: 's3://b/etl' }, "'JAR File' must end with .jar"],
		[{ pythonUri: 's3://b/etl.JAR' }, `'Python File' must not be a .jar file${choose('JAR')}`],
		[
			{ runType: 'jar', jarUri: 's3://b/etl.py' },
			`'JAR File' must not be a .py file${choose('Python')}`,
		],
		[
			{ runType: 'jar', jarUri: 's3://b/etl.jar', mainClass: 'com/example/Main.java' },
			"'Main Class' must be the name of a class such as com.example.NightlyEtl, not of a file",
		],
		[
			{ options: { sparkConfigs: { config: [1, 2].map((value) => ({ key: 'spark.a', value })) } } },
			'\'Spark Configuration\' has the key "spark.a" twice: remove one of them',
		],
		[
			{ region: byName('={{ $json.none }}') },
			"'Region' must not be empty: choose one from the list",
		],
		[{ runtime: byName('') }, "'Runtime' must not be empty: choose one from the list"],
		[
			{ options: { sparkConfigs: { config: [{ key: 'spark.a', value: '={{ ({ a: 1 }) }}' }] } } },
			"'Spark Configuration' has an object as 'Value' for \"spark.a\"",
		],
		[
			{ options: { environmentJson: '={{ ({ sparkConfigs: { "spark.a": { b: 1 } } }) }}' } },
			'\'Environment (JSON)\' has an object as "spark.a" in sparkConfigs',
		],
		[
			{ options: { environmentJson: '{"sparkConfig": {}}' } },
			'\'Environment (JSON)\' has "sparkConfig", which must be sparkConfigs',
		],
		[
			{ options: { sparkConfigs: { config: [{ key: 'spark executor memory', value: '8g' }] } } },
			'\'Spark Configuration\' has spaces in the key "spark executor memory"',
		],
		[{ region: byName('us-west-2') }, "'Region' must be a region of Wherobots Cloud"],
	])('refuses %j', async (change, message) => {
		expect((await suite.run({ ...pythonRun, ...change })).error?.message).toContain(message);
		expect(suite.requests.count).toBe(0);
	});
});

it('a hint says that an argument may be several', async () => {
	const { hints } = await suite.run({ ...pythonRun, arguments: ['-m a b', '--day 1 --mode full'] });
	expect(hints).toEqual([expect.stringContaining('Argument 2 looks like several')]);
});

const byDefault = { __rl: true, mode: 'list', value: 'organizationDefault' };

it('lists that n8n emptied when the credential was switched mean the default of the organization', async () => {
	const emptied = { ...byDefault, value: '', cachedResultName: '' };
	await suite.succeeds({ ...pythonRun, region: emptied, runtime: emptied });
	const [{ body, query }] = suite.requests.of('createRun');
	expect(body).not.toHaveProperty('runtime');
	expect(query).not.toHaveProperty('region');
});

it.each([
	['region', 'Region'],
	['runtime', 'Runtime'],
])('where the service has no default %s, the error says to choose one', async (name, label) => {
	Object.assign(suite.variants, { requireRegion: true, requireRuntime: true });
	const { error } = await suite.run({ ...pythonRun, [name]: byDefault });
	expect(error?.message).toContain(`'${label}': `);
	expect(error?.description).toContain('Choose one from the list.');
	expect(error?.httpCode).toBe('422');
	expect(suite.store.runs.size).toBe(0);
});

describe('refusals of the service', () => {
	const place = ['body', 'runPython', 'uri'];
	it.each([
		{ errors: [{ message: 'Not found', path: place.join('.'), field: 'uri' }] },
		{ errors: [{ message: 'Not found', path: '/runs', field: 'runPython.uri' }] },
		{ detail: [{ loc: place, msg: 'Not found' }] },
	])('begin with the label of the field: %j', async (body) => {
		suite.fails('createRun', { kind: 'replace', status: 422, body: JSON.stringify(body) });
		expect((await suite.run(pythonRun)).error?.message).toBe("'Python File': Not found");
	});

	it.each([
		[['region'], 'Choose one from the list.'],
		[['region', 'runPython.uri'], 'Choose from the lists.'],
		[['region', 'args'], 'Check the values of this node.'],
	])('advise to choose from a list if it is the only way: %j', async (fields, advice) => {
		const errors = fields.map((field) => ({ message: `No ${field}`, field }));
		suite.fails('createRun', { kind: 'status', status: 422, errors });
		expect((await suite.run(pythonRun)).error?.description).toMatch(new RegExp(`${advice}$`));
	});

	it('name the fields for the error branch', async () => {
		suite.variants.requireRegion = true;
		suite.variants.accountEndpoints = 'missing';
		expect(
			(await suite.run({ ...pythonRun, region: byDefault }, { onError: 'continueRegularOutput' }))
				.json[0].error,
		).toMatchObject({ httpCode: 422, fields: ['Region'] });
	});
});
