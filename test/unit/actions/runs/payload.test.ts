import { Failure } from '../../../../nodes/Wherobots/transport/failure';

import { readRunRequest } from '../../../../nodes/Wherobots/actions/runs/payload';
import { inputOf } from '../../../support/input';
import { ORGANIZATION_DEFAULT } from '../../../../nodes/Wherobots/service/deployment';

/** A run of a Python file, as the form describes it. */
const pythonRun = {
	name: 'nightly-etl',
	pythonUri: 's3://bucket/job.py',
	region: ORGANIZATION_DEFAULT,
	runtime: 'tiny',
};

const payloadOf = (more: object, tool = false) =>
	readRunRequest(inputOf({ ...pythonRun, ...more }, { tool })).payload;

/** The error for values that are not sent. */
function complaint(more: object, tool = false): string {
	try {
		return JSON.stringify(payloadOf(more, tool));
	} catch (error) {
		expect(error).toBeInstanceOf(Failure);
		return (error as Error).message;
	}
}

const NAME = 'must be the name of a Python package, without its version';
const VERSION = 'must be a version such as 2.1.0 or a specifier such as >=2,<3';
const FILE = 'must end with .jar, .whl, .zip or .json: put Python modules into a .zip file';

const argumentsOf = (payload: object) => (payload as { runPython: { args: unknown } }).runPython;

describe('the arguments of a program', () => {
	it.each([
		['JSON', ' ["--date", "2026-01-31", 7] ', ['--date', '2026-01-31', '7']],
		['blank text, for none', '  ', []],
		['nothing at all', undefined, []],
		['an empty object as text', '{}', []],
	])('from an AI agent may be %s', (_, argumentList, args) => {
		expect(argumentsOf(payloadOf({ argumentList }, true)).args).toEqual(args);
	});

	it.each([
		['--date', '"--date"'],
		['"--date"', '""--date""'],
		[{ date: 1 }, '{"date":1}'],
	])('from an AI agent are refused when they are not a list: %j', (argumentList, shown) => {
		expect(complaint({ argumentList }, true)).toBe(
			`'Arguments' must be a JSON array of strings, for example ["--date", "2026-01-31"], not ${shown}`,
		);
	});
});

describe('the dependencies of the form', () => {
	const packages = (...rows: object[]) => ({ 'options.pypiDependencies': { package: rows } });

	it('are sent without the spaces around them, and without a version that is empty', () => {
		const rows = packages(
			{ libraryName: ' rasterio ', libraryVersion: ' 1.4.3 ' },
			{ libraryName: 'shapely', libraryVersion: ' ' },
		);
		expect(payloadOf({ ...rows, 'options.fileDependencies': 's3://b/a.whl' }).environment).toEqual({
			dependencies: [
				{ sourceType: 'PYPI', libraryName: 'rasterio', libraryVersion: '1.4.3' },
				{ sourceType: 'PYPI', libraryName: 'shapely' },
				{ sourceType: 'FILE', filePath: 's3://b/a.whl' },
			],
		});
	});

	it.each([
		['no such', '', `"no such", which ${NAME}`],
		['shapely', 'the newest', `"the newest", which ${VERSION}`],
	])('are refused when the service would not recognize them: %s %s', (name, version, what) => {
		const row = { libraryName: name, libraryVersion: version };
		expect(complaint(packages(row))).toBe(`'PyPI Packages' has the entry ${what}`);
	});
});

describe('the environment as JSON', () => {
	const json = (environment: unknown) => ({
		'options.environmentJson': JSON.stringify(environment),
	});

	it.each<[string, object]>([
		['the smallest disks', { sparkDriverDiskGB: 1, sparkExecutorDiskGB: 1 }],
		['disks whose size is not set', { sparkDriverDiskGB: null, sparkExecutorDiskGB: 200 }],
		['no dependencies', { dependencies: [] }],
		[
			'dependencies of both kinds, with a version or without',
			{
				dependencies: [
					{ sourceType: 'PYPI', libraryName: 'rasterio', libraryVersion: '>=1,<2' },
					{ sourceType: 'PYPI', libraryName: 'shapely' },
					{ sourceType: 'PYPI', libraryName: 'shapely', libraryVersion: null },
					{ sourceType: 'FILE', filePath: 's3://bucket/libs/helpers.whl' },
				],
			},
		],
		['fields that this package does not know', { added: { by: 'the service' } }],
	])('is sent as given: %s', (_, environment) => {
		expect(payloadOf(json(environment)).environment).toEqual(environment);
	});

	it('has its Spark configuration as text, beside a list of dependencies', () => {
		const sparkConfigs = { 'spark.a': 4, 'spark.b': true, 'spark.c': 'x' };
		expect(payloadOf(json({ sparkConfigs })).environment).toEqual({
			sparkConfigs: { 'spark.a': '4', 'spark.b': 'true', 'spark.c': 'x' },
			dependencies: [],
		});
	});

	it.each([
		[{ sparkDriverDiskGB: 0 }, 'must have a whole number as sparkDriverDiskGB, not 0'],
		[{ sparkExecutorDiskGB: 1.5 }, 'must have a whole number as sparkExecutorDiskGB, not 1.5'],
		[{ sparkExecutorDiskGB: '200' }, 'must have a whole number as sparkExecutorDiskGB, not "200"'],
		[{ sparkConfigs: 7 }, 'must have an object as sparkConfigs'],
		[{ dependencies: { sourceType: 'PYPI' } }, 'must have a list as dependencies'],
		[
			{ dependencies: [['a.whl']] },
			'has the entry ["a.whl"], which must have PYPI or FILE as sourceType',
		],
	])('is refused with what is wrong with it: %j', (environment, what) => {
		expect(complaint(json(environment))).toBe(`'Environment (JSON)' ${what}`);
	});

	it.each([
		[{ sourceType: 'PYPI' }, '""', NAME],
		[{ sourceType: 'FILE', filePath: 'a.exe' }, '"a.exe"', FILE],
		[{ sourceType: 'FILE' }, '""', FILE],
		[{ sourceType: 'MAVEN' }, '{"sourceType":"MAVEN"}', 'must have PYPI or FILE as sourceType'],
		[{ sourceType: 'PYPI', libraryName: ['shapely'] }, '["shapely"]', 'must be text'],
		[{ sourceType: 'PYPI', libraryName: 'shapely', libraryVersion: 2 }, '2', 'must be text'],
		[{ sourceType: 'FILE', filePath: ['s3://b/a.whl'] }, '["s3://b/a.whl"]', 'must be text'],
	])('is refused for a dependency that breaks a rule: %j', (dependency, shown, what) => {
		expect(complaint(json({ dependencies: [dependency] }))).toBe(
			`'Environment (JSON)' has the entry ${shown}, which ${what}`,
		);
	});
});
