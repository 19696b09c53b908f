/** What makes something, uses it in every way, and removes it again: only with `--spend`. */
import type { INodeParameters } from 'n8n-workflow';

import { inMemory } from '../../test/support/files';
import { find, learn, text, use, type Case } from './case';
import { removeNamed, removeWith } from './known';
import { pollMade } from './reads';

/** How long an output may be, nearly. */
const LONG = 60_000;

const SCRIPTS = {
	/** Returns an output whose line is long. */
	ingest: `print("n8n live check")
print("N8N_OUTPUT", '{"rows": 12480, "filler": "' + "x" * ${LONG} + '"}')
`,
	fail: `print("n8n live check")
raise ValueError("n8n live check: this failure is expected")
`,
	timeout: `import time
time.sleep(600)
`,
};

/** A JAR of `class LiveCheck { … main(…) { System.out.println("N8N_OUTPUT {\"rows\": 12480}"); } }`. */
const JAR =
	'UEsDBBQAAAAIAAAAIVyGt+t2BwEAAGIBAAAPAAAATGl2ZUNoZWNrLmNsYXNzbZDLTsJQEIb/w+3QWpWLRWWFrIqbqmFBxLhh2wAJl40Lc8QTPEBbU44YY3woXWjiwgfwoYzT6kITZjF/Zub7Z5L5/Hr/ANBE1UQKaY6MhSxyDIWZWAl3IYKp27uayYlmyJ2pQOlzhrTTGBvIw+AwLWzA+ocPHpZa+kSFd2SyvWSiQrcfqUAPdCSF385ji6HabXUve6NhfzSsPdaj8H5ZP60dnzRbR08mCihylCyUscNQXrODgd/G1SKgI473576m9rTdGHNUGAxPrWTnRk7mDJlOeC1JfKHIVHEu1rlwAJteEUcKLH4G5V2qiqSMNHv4BvacAAb2sP87thOcei/gpc1XbP8g+AZQSwECFAMUAAAACAAAACFchrfrdgcBAABiAQAADwAAAAAAAAAAAAAAgAEAAAAATGl2ZUNoZWNrLmNsYXNzUEsFBgAAAAABAAEAPQAAADQBAAAAAA==';

/** The service stops a job run after this. */
const RUN_MINUTES = 15;
const hours = RUN_MINUTES / 60;

const storage = { storageId: '@id {managed storage}' };
const ownFolder = { ...storage, folder: '@path {own folder}' };
const below = { ...storage, folderPath: '{own folder}/below' };
const fileIn = (name: string) => ({ ...storage, filePath: `@path {own folder}/${name}` });

const upload = (fileName: string, fileText: string, special = fileName): Case => {
	const form = { ...ownFolder, fileName, contentFrom: 'text', fileText, ifFileExists: 'replace' };
	return use(`file upload (${special})`, form, ({ json: [{ destination }] }, known) => {
		known.learn({ [fileName]: destination });
		const isThere = text(destination).endsWith(`/${known.get('own folder')}/${fileName}`);
		return isThere || 'its address is not the path in the storage';
	});
};

const NOTE = 'n8n live check\n';
const CSV = 'id,name,geometry\n10,ten,POINT (7.1 50.7)\n11,"a ""quoted"", name",POINT (7.2 50.8)\n';
const point = { type: 'Point', coordinates: [7.3, 50.9] };
const feature = { type: 'Feature', properties: { id: 12, name: 'twelve' }, geometry: point };
const GEOJSON = JSON.stringify({ type: 'FeatureCollection', features: [feature] });

const OWN_FILES = ['below', 'fail.py', 'in.csv', 'in.geojson', 'ingest.py', 'timeout.py'].join();

const files: Case[] = [
	{
		...use('file createFolder (below a missing one)', {
			...{ ...storage, folderPath: '{own folder}/below/another' },
		}),
		makes: [
			'the folder {own folder}',
			removeWith('file delete', { ...ownFolder, deleteWhat: 'folder', recursive: true }),
		],
	},
	use('file createFolder (that exists)', below, ({ json: [item] }) => {
		return item.created === false || 'it is said to be new, but was there';
	}),
	upload('ingest.py', SCRIPTS.ingest),
	upload('fail.py', SCRIPTS.fail),
	upload('fail.py', SCRIPTS.fail, 'over an existing file'),
	upload('timeout.py', SCRIPTS.timeout),
	upload('in.csv', CSV),
	upload('in.geojson', GEOJSON),
	upload('notes.txt', NOTE),
	use('file rename', { ...fileIn('notes.txt'), newName: 'renamed.txt' }),
	use('file download (what was uploaded)', fileIn('renamed.txt'), ({ file }) => {
		return file?.toString() === NOTE || 'it has another content';
	}),
	use('file getLink (own file)', fileIn('renamed.txt')),
	use('file delete', fileIn('renamed.txt')),
	use('file download (a missing file)', fileIn('renamed.txt'), /nothing at|not found/i),
	use('file getAll (own folder)', { ...ownFolder, returnAll: true }, ({ json }) => {
		const names = json.map(({ name }) => text(name)).sort();
		return names.join() === OWN_FILES || 'other entries than were made';
	}),
];

/** A job run of this name may go on although its submission had no response. */
const makeRun = (name: string): Pick<Case, 'hours' | 'makes'> => {
	const filters = { name, statuses: ['PENDING', 'RUNNING'] };
	return {
		hours,
		makes: [`the job run ${name}`, removeNamed('jobRun cancel', 'runId', { filters })],
	};
};

const submit = (
	special: string,
	script: keyof typeof SCRIPTS,
	more: INodeParameters,
	expect: Case['expect'],
): Case => {
	const program = { name: `{own name}-${script}`, pythonUri: `@path {${script}.py}` };
	const options = { timeoutMinutes: RUN_MINUTES };
	const form = { ...program, runtime: '@name {runtime}', options, ...more };
	return { ...use(`jobRun create (${special})`, form, expect), ...makeRun(program.name) };
};

/** Uploads its program itself. */
const ofJar: INodeParameters = {
	...{ name: '{own name}-jar', runType: 'jar', programFrom: 'input', mainClass: 'LiveCheck' },
	...{ ...ownFolder, runtime: '@name {runtime}' },
	...{ options: { timeoutMinutes: RUN_MINUTES }, waitForCompletion: true },
	waitOptions: { includeOutput: true },
};

const sparkConfigs = { config: [{ key: 'spark.n8n.liveCheck', value: 'true' }] };
const failing = { timeoutMinutes: RUN_MINUTES, sparkConfigs };
const tooLong = { options: { timeoutMinutes: 1 }, waitForCompletion: true };
const ownRun = { runId: '@id {own job run}' };
const waitOptions = { includeOutput: true, includeCost: true, maxWaitMinutes: 30 };
const untilItEnds = { ...ownRun, waitOptions };
const failedRun = { runId: '@id {own failed run}' };
const secondRun = { runId: '@id {own second run}' };
const filters = { name: '{own name}-*' };
const changes = { name: '{own name}-again' };
const options = { followMinutes: 60 };

const runs: Case[] = [
	submit('in the default region', 'ingest', {}, learn('own job run', 'id')),
	submit('whose name runs already', 'ingest', { ifNameExists: 'useActive' }, ({ json: [item] }) => {
		return item.reused === true || 'it was submitted again';
	}),
	use('jobRun waitForCompletion (with its output)', untilItEnds, ({ json: [item] }) => {
		const { rows, filler } = (item.output ?? {}) as { rows?: number; filler?: string };
		if (rows !== 12_480) return 'without the output that the script returned';
		return filler === undefined || filler.length === LONG || 'the output is cut';
	}),
	submit('that fails', 'fail', { options: failing, waitForCompletion: true }, /ValueError/),
	use('jobRun getAll (by a pattern)', { limit: 5, filters }, ({ json }, known) => {
		const { id } = find(json, ({ status }) => status === 'FAILED');
		known.learn({ 'own failed run': id });
		return (json.length === 2 && id !== undefined) || `${json.length} runs, not the two`;
	}),
	use('jobRun getLogs (of a failed run)', { ...failedRun, lines: 'all', options }, ({ json }) => {
		const hasReason = json.some(({ line }) => text(line).startsWith('Traceback'));
		return hasReason || 'without the traceback of the failure';
	}),
	{
		...use('jobRun rerun', { ...failedRun, changes }, learn('own second run', 'id')),
		...makeRun(changes.name),
	},
	use('jobRun cancel', { ...secondRun, waitUntilCancelled: true }, ({ json: [item] }) => {
		return !/PENDING|RUNNING/.test(text(item.status)) || 'it still runs';
	}),
	use('jobRun cancel (a run that has ended)', ownRun, /409/),
	{
		...use('jobRun create (a JAR)', ofJar, ({ json: [{ output }] }) => {
			return Object(output).rows === 12_480 || 'without the output of the program';
		}),
		...{
			...makeRun('{own name}-jar'),
			files: [inMemory(Buffer.from(JAR, 'base64'), 'ingest.jar')],
		},
	},
	submit('that takes too long', 'timeout', tooLong, /timed out/i),
	pollMade('runStatusChanged', 'id', 'own failed run'),
];

/** What has a name, and is removed by its ID. */
export const makeNamed = (
	...[name, form, remove, field]: [string, INodeParameters, string, string]
): Case => {
	const [resource] = name.split(' ');
	return {
		...use(name, { name: '{own name}', ...form }, learn(`own ${resource}`, 'id')),
		makes: [`the ${resource} {own name}`, removeNamed(`${resource} ${remove}`, field)],
	};
};

const expireIn = (days: number) => ({ expiry: 'inDays', expiresInDays: days });
const ownKey = { apiKeyId: '@id {own apiKey}' };
const ownConnection = { connectionId: '@id {own cloudConnection}' };

const taskName = '@name {task to run (--task)}';
const inputsJson = '{inputs of a task (--task-inputs)}';

const records: Case[] = [
	makeNamed('apiKey create', expireIn(1), 'revoke', 'apiKeyId'),
	use('apiKey update', { ...ownKey, ...expireIn(2) }),
	use('apiKey revoke', ownKey),
	use('apiKey getAll (after that)', { returnAll: true }, ({ json }, known) => {
		const { revoked = true } = find(json, ({ id }) => id === known.get('own apiKey'));
		return revoked === true || 'the key is not revoked';
	}),
	makeNamed('cloudConnection create', { awsAccountId: '123456789012' }, 'delete', 'connectionId'),
	use('cloudConnection verify', { ...ownConnection, onFailure: 'return' }),
	use('cloudConnection delete', ownConnection),
	use(
		'taskRun create',
		{ taskName, inputsFrom: 'json', inputsJson },
		learn('own task run', 'taskRunId'),
	),
	use('taskRun cancel', { taskRunId: '@id {own task run}' }),
	use('catalog create', { name: '{name for a catalog (--catalog)}' }),
	{
		...use('jobRun getAll (when the rate is used up)', { limit: 1 }),
		async work(account, parameters) {
			await Promise.all(Array.from({ length: 120 }, () => account.fetch('/organization')));
			return await account.execute('jobRun getAll', parameters);
		},
	},
];

/** The cases of each need each other; those after the first also need its files. */
export const spending: Case[][] = [files, runs, records];
