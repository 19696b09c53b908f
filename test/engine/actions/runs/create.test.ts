import type { INodeParameters } from 'n8n-workflow';

import { suiteWithSandbox } from '../../harness/suite';
import { pythonRun } from '../parameters';

const suite = suiteWithSandbox({ seed: 'empty' });

describe('submitting', () => {
	it('submits a Python file and returns the pending run, simplified', async () => {
		expect((await suite.succeeds(pythonRun)).json).toMatchObject([
			{ name: 'nightly-etl-2026', status: 'PENDING', runtime: 'tiny', reused: false },
		]);
		const [request] = suite.requests.of('createRun');
		expect(request.query).toEqual({ region: 'aws-us-west-2' });
		expect(request.body).toEqual({
			name: 'nightly-etl-2026',
			runtime: 'tiny',
			runPython: { uri: 's3://bucket/jobs/nightly_etl.py', args: [] },
		});
		expect(request.headers['user-agent']).toMatch(/^n8n-nodes-wherobots\/\d+\.\d+\.\d+/);
	});

	it('takes a number as the ID for its digits', async () => {
		suite.edits('createRun', (run: object) => ({ ...run, id: 70_117 }));
		expect((await suite.succeeds(pythonRun)).json).toMatchObject([{ id: '70117' }]);
		expect(suite.requests.of('listRuns')).toEqual([]);
	});

	it('submits every field of the payload and its environment', async () => {
		await suite.succeeds(
			{
				...pythonRun,
				runType: 'jar',
				jarUri: 's3://bucket/jobs/etl.jar',
				mainClass: 'com.example.Etl',
				arguments: ['--date', '={{ $json.date }}', '={{ $json.more }}', ''],
				options: {
					sparkDriverDiskGB: 200,
					sparkExecutorDiskGB: 300,
					sparkConfigs: { config: [{ key: 'spark.sql.shuffle.partitions', value: '64' }] },
					pypiDependencies: { package: [{ libraryName: 'rasterio', libraryVersion: '>=1.4,<2' }] },
					fileDependencies: ['s3://bucket/libs/helpers.whl', '/opt/conf.json'],
					version: 'preview',
					timeoutMinutes: 120,
				},
			},
			{ input: [{ date: '2026-11-21', more: ['--fast', 3] }] },
		);
		expect(suite.requests.of('createRun')[0].body).toEqual({
			name: 'nightly-etl-2026',
			runtime: 'tiny',
			version: 'preview',
			timeoutSeconds: 7200,
			runJar: {
				uri: 's3://bucket/jobs/etl.jar',
				mainClass: 'com.example.Etl',
				args: ['--date', '2026-11-21', '--fast', '3', ''],
			},
			environment: {
				sparkDriverDiskGB: 200,
				sparkExecutorDiskGB: 300,
				sparkConfigs: { 'spark.sql.shuffle.partitions': '64' },
				dependencies: [
					{ sourceType: 'PYPI', libraryName: 'rasterio', libraryVersion: '>=1.4,<2' },
					{ sourceType: 'FILE', filePath: 's3://bucket/libs/helpers.whl' },
					{ sourceType: 'FILE', filePath: '/opt/conf.json' },
				],
			},
		});
	});

	it('leaves runtime and region to the organization in a new node', async () => {
		const chosen = { runtime: undefined, region: undefined };
		const parameters = JSON.parse(JSON.stringify({ ...pythonRun, ...chosen })) as INodeParameters;
		await suite.succeeds(parameters);
		const [request] = suite.requests.of('createRun');
		expect(request.query).toEqual({});
		expect(request.body).not.toHaveProperty('runtime');
	});
});
