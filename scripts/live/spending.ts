/** What makes something, uses it in every way, and removes it again: only with `--spend`. */
import type { INodeParameters } from 'n8n-workflow';

import { learn, spend, text, unless, type Case, type Expect } from './case';
import { listWith, removeWith } from './known';

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
};

type Script = keyof typeof SCRIPTS;

/** The service stops a job run after this. */
const RUN_MINUTES = 15;
const hours = RUN_MINUTES / 60;

const storage = { storageId: '@id {managed storage}' };
const fileIn = (name: string) => ({ ...storage, filePath: `@path {own folder}/${name}` });

const upload = (fileName: string, fileText: string, use = fileName): Case =>
	spend(
		'file upload',
		{
			...{ ...storage, folder: '@path {own folder}', fileName },
			...{ contentFrom: 'text', fileText, ifFileExists: 'replace' },
		},
		({ json: [json] }, known) => {
			known.learn({ [fileName]: json.destination });
			const isThere = text(json.destination).endsWith(`/${known.get('own folder')}/${fileName}`);
			return unless(isThere, 'its address is not the path in the storage');
		},
		{ use },
	);

const NOTE = 'n8n live check\n';
const CSV = 'id,name,geometry\n10,ten,POINT (7.1 50.7)\n11,"a ""quoted"", name",POINT (7.2 50.8)\n';
const GEOJSON =
	'{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"id": 12, "name": "twelve"}, "geometry": {"type": "Point", "coordinates": [7.3, 50.9]}}]}';

const ownFolder = {
	...storage,
	deleteWhat: 'folder',
	recursive: true,
	folder: '@path {own folder}',
};
const OWN_FILES = ['below', 'fail.py', 'in.csv', 'in.geojson', 'ingest.py'].join();

const files: Case[] = [
	spend('file createFolder', { ...storage, folderPath: '{own folder}/below/another' }, undefined, {
		use: 'below a missing one',
		makes: ['the folder {own folder}', removeWith('file delete', ownFolder)],
	}),
	spend(
		'file createFolder',
		{ ...storage, folderPath: '{own folder}/below' },
		({ json: [json] }) => unless(json.created === false, 'it is said to be new, but was there'),
		{ use: 'that exists' },
	),
	...(Object.keys(SCRIPTS) as Script[]).map((name) => upload(`${name}.py`, SCRIPTS[name])),
	upload('fail.py', SCRIPTS.fail, 'over an existing file'),
	...[upload('in.csv', CSV), upload('in.geojson', GEOJSON), upload('notes.txt', NOTE)],
	spend('file rename', { ...fileIn('notes.txt'), newName: 'renamed.txt' }),
	spend(
		'file download',
		fileIn('renamed.txt'),
		({ file }) => unless(file?.toString() === NOTE, 'it has another content'),
		{ use: 'what was uploaded' },
	),
	spend('file getLink', fileIn('renamed.txt'), undefined, { use: 'own file' }),
	spend('file delete', fileIn('renamed.txt')),
	spend('file download', fileIn('renamed.txt'), undefined, {
		...{ use: 'a missing file', failsWith: /nothing at|not found/i },
	}),
	spend(
		'file getAll',
		{ ...storage, folder: '@path {own folder}', returnAll: true },
		({ json }) => {
			const names = json.map(({ name }) => text(name)).sort();
			return unless(names.join() === OWN_FILES, 'other entries than were made');
		},
		{ use: 'own folder' },
	),
];

/** Cancels what runs under this name, whose submission may have had no response. */
const cancelNamed =
	(name: string): NonNullable<Case['makes']>[1] =>
	async (account, known) => {
		const filters = { name: `${known.name}-${name}` };
		for (const { id, status } of await listWith(account, 'jobRun getAll', { filters })) {
			const isActive = /PENDING|RUNNING/.test(text(status));
			if (isActive) await removeWith('jobRun cancel', { runId: `@id ${text(id)}` })(account, known);
		}
	};

const submit = (
	script: Script,
	use: string,
	more: INodeParameters,
	expect?: Expect,
	failsWith?: RegExp,
): Case => {
	const program = { name: `{own name}-${script}`, pythonUri: `{${script}.py}` };
	const options = { timeoutMinutes: RUN_MINUTES };
	return spend(
		'jobRun create',
		{ ...program, runtime: '@name {runtime}', options, ...more },
		expect,
		{
			...{ hours, use, ...(failsWith && { failsWith }) },
			makes: [`the job run {own name}-${script}`, cancelNamed(script)],
		},
	);
};

const sparkConfigs = { config: [{ key: 'spark.n8n.liveCheck', value: 'true' }] };
const ownRun = { runId: '@id {own job run}' };
const failedRun = { runId: '@id {own failed run}' };

const runs: Case[] = [
	submit('ingest', 'in the default region', {}, learn('own job run', 'id')),
	submit('ingest', 'whose name runs already', { ifNameExists: 'useActive' }, ({ json: [json] }) =>
		unless(json.reused === true, 'it was submitted again'),
	),
	spend(
		'jobRun waitForCompletion',
		{ ...ownRun, waitOptions: { includeOutput: true, includeCost: true, maxWaitMinutes: 30 } },
		({ json: [json] }) => {
			const { rows, filler } = (json.output ?? {}) as { rows?: number; filler?: string };
			if (rows !== 12_480) return 'without the output that the script returned';
			return unless(filler === undefined || filler.length === LONG, 'the output is cut');
		},
		{ use: 'with its output' },
	),
	submit(
		...(['fail', 'that fails'] as const),
		{ options: { timeoutMinutes: RUN_MINUTES, sparkConfigs }, waitForCompletion: true },
		...[undefined, /ValueError/],
	),
	spend(
		'jobRun getAll',
		{ limit: 5, filters: { name: '{own name}-*' } },
		({ json }, known) => {
			const failed = json.find(({ status }) => status === 'FAILED');
			known.learn({ 'own failed run': failed?.id });
			return unless(json.length === 2 && failed !== undefined, `${json.length} runs, not the two`);
		},
		{ use: 'by a pattern' },
	),
	spend(
		'jobRun getLogs',
		{ ...failedRun, lines: 'all', options: { follow: true } },
		({ json }) =>
			unless(
				json.some(({ line }) => text(line).startsWith('Traceback')),
				'without the traceback of the failure',
			),
		{ use: 'of a failed run' },
	),
	spend(
		'jobRun rerun',
		{ ...failedRun, changes: { name: '{own name}-again' } },
		learn('own second run', 'id'),
		{ hours, makes: ['the job run {own name}-again', cancelNamed('again')] },
	),
	spend(
		'jobRun cancel',
		{ runId: '@id {own second run}', waitUntilCancelled: true },
		({ json: [json] }) => unless(!/PENDING|RUNNING/.test(text(json.status)), 'it still runs'),
	),
	spend('jobRun cancel', ownRun, undefined, { use: 'a run that has ended', failsWith: /409/ }),
];

/** What is made and removed by its ID, which may not be known where the response was lost. */
function record(
	resource: string,
	[create, parameters]: [string, INodeParameters],
	[remove, field]: [string, string],
	between: Case[] = [],
): Case[] {
	const own = `own ${resource}`;
	return [
		spend(`${resource} ${create}`, { name: '{own name}', ...parameters }, learn(own, 'id'), {
			makes: [
				`the ${resource} {own name}`,
				async (account, known) => {
					const all = await listWith(account, `${resource} getAll`, { returnAll: true });
					for (const { id, name, revoked } of all) {
						if (name !== known.name || revoked === true) continue;
						await removeWith(`${resource} ${remove}`, { [field]: `@id ${text(id)}` })(
							account,
							known,
						);
					}
				},
			],
		}),
		...between,
		spend(`${resource} ${remove}`, { [field]: `@id {${own}}` }),
	];
}

const expiry = (days: number) => ({ expiry: 'inDays', expiresInDays: days });

const records: Case[] = [
	...record(
		'apiKey',
		['create', expiry(1)],
		['revoke', 'apiKeyId'],
		[spend('apiKey update', { apiKeyId: '@id {own apiKey}', ...expiry(2) })],
	),
	...record(
		'environmentOverridePreset',
		['upsert', { options: { driverDiskSize: 200 } }],
		['delete', 'presetId'],
	),
	...record(
		'cloudConnection',
		['create', { awsAccountId: '123456789012' }],
		['delete', 'connectionId'],
		[
			spend('cloudConnection verify', {
				...{ connectionId: '@id {own cloudConnection}', onFailure: 'return' },
			}),
		],
	),
	spend(
		'taskRun create',
		{
			...{ taskName: '@name {task to run (--task)}', inputsFrom: 'json' },
			inputsJson: '{inputs of a task (--task-inputs)}',
		},
		learn('own task run', 'taskRunId'),
	),
	spend('taskRun cancel', { taskRunId: '@id {own task run}' }),
	spend('catalog create', { name: '{name for a catalog (--catalog)}' }),
];

/** The cases of each need each other; those after the first also need its files. */
export const spending: Case[][] = [files, runs, records];
