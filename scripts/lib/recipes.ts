/** The recipes as the demo has them: under their titles, with all credentials, tagged by section. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import axios from 'axios';

import type { CredentialReference, WorkflowJson } from '../../test/e2e/n8n/apiTypes';
import type { N8nServer } from '../../test/e2e/n8n/server';
import {
	credentialData,
	n8nCredential,
	withCredential,
	withParameters,
} from '../../test/e2e/n8n/workflows';
import type { Sandbox } from '../../test/sandbox';
import { FLOODED } from '../../test/support/notebooks';
import { REPOSITORY } from './paths';
import { startStandIns, type StandIns } from './standIns';

const MAIN_RECIPE = 'submit-and-wait';
/** One recipe calls the other one. */
const [CALLING, CALLED] = ['one-trigger-for-many', 'handle-ended-run'];
/** It tells when another one fails; the last one of the page, so that it is imported first. */
const TELLING = 'alert-on-failed-workflow';
/** These have to be published before their other parts can be executed. */
const PUBLISHED = ['durable-wait-resume', CALLED, TELLING];

const DAY_MS = 86_400_000;
const seconds = (amount: number) => ({ amount, unit: 'seconds' });
/** The stand-in's log is complete within a second; the real service gets half a minute. */
const LATE = { lateSeconds: 3 };

/** For the recipe whose tools assistants call. */
const TOKEN_OF_ASSISTANTS = { name: 'Token', type: 'httpBearerAuth', data: { token: 'demo' } };

const inStorage = (value: string, cachedResultName: string) => ({
	storageId: { __rl: true, mode: 'list', value, cachedResultName },
});

const IN_CATALOG = {
	catalogId: { __rl: true, mode: 'list', value: 'cat-org', cachedResultName: 'org_catalog' },
};

/**
 * What can be done only once is left to whoever selects *Execute workflow*: the published recipe does it
 * when the demo has been up for most of an hour.
 */
const LATER_MS = 50 * 60_000;
const minute = new Date(Date.now() + LATER_MS).getUTCMinutes();
const HOURLY = {
	poll: { item: [{ mode: 'everyHour', minute }] },
	schedule: { rule: { interval: [{ field: 'hours', triggerAtMinute: minute }] } },
};

/** Changes by recipe and node: what people would set, shorter pauses, and what keeps published recipes apart. */
const CHANGES: Record<string, Record<string, Record<string, unknown>>> = {
	[MAIN_RECIPE]: { 'Read log': { options: LATE } },
	'nightly-run': { 'Read log': { options: { fileName: '={{ $json.name }}.log', ...LATE } } },
	// Whoever has a run fail sees one mail about it. Of this name is one that fails within five minutes.
	'failed-run-second-try': { 'Run failed': { filters: { name: 'hail-report-*' } } },
	// The names of submit-and-wait's runs begin the same and end with a date, not with an execution's ID.
	'cancel-orphaned-runs': {
		'List active runs': { filters: { name: 'long-run-*', statuses: ['PENDING', 'RUNNING'] } },
	},
	'run-exceeds-duration': { 'Run takes too long': { pollTimes: HOURLY.poll } },
	'new-s3-file-to-run': { 'Every 5 minutes': HOURLY.schedule },
	'rotate-api-key': { 'Every day': HOURLY.schedule },
	'notebook-every-morning': {
		'Download notebook': inStorage('stor-acme', 'acme-jobs'),
		'Submit and wait': inStorage('stor-acme', 'acme-jobs'),
		'Read log': {
			options: { followMinutes: 60, leaveOutPlatformLines: true, ...LATE },
		},
	},
	'long-run-one-workflow': { Wait: seconds(3) },
	'customer-onboarding': { 'Wait an hour': seconds(5) },
	'script-from-git': { 'Upload script': inStorage('stor-managed', 'Wherobots Managed Storage') },
	'copy-task-results-to-s3': {
		'Task run succeeded': {
			filters: { taskName: { __rl: true, mode: 'name', value: 'build_mosaic' } },
		},
		'Download folder': inStorage('stor-rasterflow', 'RasterFlow'),
		'Download file': inStorage('stor-rasterflow', 'RasterFlow'),
	},
	'new-rows-map-by-mail': { 'Table changed': IN_CATALOG },
	'form-to-table': { 'Insert row': IN_CATALOG },
	'mcp-server': { 'Read rows': IN_CATALOG },
	'form-updates-table': { 'Insert or update row': IN_CATALOG },
	'nightly-csv-to-table': {
		'Load file': { ...IN_CATALOG, ...inStorage('stor-acme', 'acme-jobs') },
	},
	'weekly-geoparquet-export': { 'Write files': inStorage('stor-acme', 'acme-jobs') },
};

/** The recipes in the order of docs/recipes.md, each with its section there. */
async function listRecipes(): Promise<Map<string, string>> {
	const page = await readFile(path.join(REPOSITORY, 'docs/recipes.md'), 'utf8');
	const listed = page.split(/^## /m).flatMap((part) => {
		const [section] = part.split('\n');
		const linked = part.matchAll(/\]\(\.\.\/examples\/(.+?)\.json\)/g);
		return [...linked].map(([, name]) => [name, section] as const);
	});
	return new Map(listed);
}

/** @returns credentials by the type of credential */
async function createCredentials(
	{ api, url }: N8nServer,
	standIns: StandIns,
): Promise<Array<[type: string, CredentialReference]>> {
	const created: Array<[string, CredentialReference]> = [];
	const own = [n8nCredential(url, api.session.apiKey), TOKEN_OF_ASSISTANTS];
	for (const credential of [...standIns.credentials, ...own]) {
		created.push([credential.type, await api.createCredential(credential)]);
	}
	return created;
}

export interface Recipes {
	/** ID of the main recipe in n8n. */
	mainId: string;
	/** The recipes as they were imported, by the names of their files. */
	recipes: Map<string, WorkflowJson>;
	/** Publishes all recipes but those that only a person starts, which n8n does not publish. */
	publish(): Promise<void>;
	stop(): Promise<void>;
}

export async function importRecipes(n8n: N8nServer, sandbox: Sandbox): Promise<Recipes> {
	const standIns = await startStandIns();
	writeResults(sandbox);
	callBack(sandbox);
	addResults(sandbox);
	// Close enough to its expiry for rotate-api-key to replace it.
	const { key } = sandbox.store.apiKeys.create({
		name: 'n8n-demo',
		expiresAt: sandbox.clock.now() + 7 * DAY_MS,
	});
	const service = await n8n.api.createCredential(credentialData(key, sandbox.baseUrl));
	const others = await createCredentials(n8n, standIns);
	const recipes = new Map<string, WorkflowJson>();
	const ids = new Map<string, string>();
	const listed = await listRecipes();
	const tags = new Map<string, string>();
	for (const section of new Set(listed.values())) {
		tags.set(section, await n8n.api.createTag(section));
	}
	// n8n lists the newest workflow first.
	for (const [name, section] of [...listed].reverse()) {
		const text = (await readFile(path.join(REPOSITORY, 'examples', `${name}.json`), 'utf8'))
			.replaceAll('http://localhost:5678', n8n.url)
			.replaceAll('YOUR_CREDENTIAL_ID', service.id)
			.replaceAll('https://raw.githubusercontent.com', standIns.gitUrl);
		const read = JSON.parse(text) as WorkflowJson;
		const called = { workflowId: { __rl: true, mode: 'id', value: ids.get(CALLED) } };
		const changes =
			name === CALLING ? { 'Tell Ingest': called, 'Tell Tiles': called } : CHANGES[name];
		let workflow = withCredential(withParameters(withSender(read), changes ?? {}), service);
		for (const [type, credential] of others) {
			workflow = withCredential(workflow, credential, type);
		}
		const errorWorkflow = ids.get(TELLING);
		if (errorWorkflow) workflow.settings = { ...workflow.settings, errorWorkflow };
		recipes.set(name, workflow);
		const id = await n8n.api.createWorkflow(workflow);
		ids.set(name, id);
		await n8n.api.tag(id, tags.get(section)!);
	}
	for (const name of PUBLISHED) await n8n.api.activate(ids.get(name)!);
	// All at once takes half as long as one after the other.
	const publish = async () => {
		const others = [...recipes].filter(([name]) => !PUBLISHED.includes(name));
		const able = others.filter(([, { nodes }]) => nodes.some(isPublishable));
		await Promise.all(able.map(async ([name]) => await n8n.api.activate(ids.get(name)!)));
	};
	return {
		mainId: ids.get(MAIN_RECIPE)!,
		recipes,
		publish,
		stop: async () => await standIns.stop(),
	};
}

/** Its mails have the workflow as their sender, so that whoever reads them knows which one wrote each. */
const withSender = (workflow: WorkflowJson): WorkflowJson => {
	const mailing = workflow.nodes.filter(({ parameters }) => 'fromEmail' in parameters);
	const sender = { fromEmail: `"${workflow.name}" <n8n@example.com>` };
	return withParameters(workflow, Object.fromEntries(mailing.map(({ name }) => [name, sender])));
};

/** A manual trigger is none for n8n, which refuses to publish a workflow without one. */
const isPublishable = ({ type }: WorkflowJson['nodes'][number]): boolean =>
	type.endsWith('Trigger') && type !== 'n8n-nodes-base.manualTrigger';

/** Tells of each job that is submitted with arguments. */
function onSubmission({ requests }: Sandbox, tell: (args: string[]) => void): void {
	requests.listen(({ endpoint, body }) => {
		if (endpoint !== 'createRun') return;
		tell((body as { runPython?: { args?: string[] } } | undefined)?.runPython?.args ?? []);
	});
}

/** Writes the results of jobs with an argument `--output=ADDRESS` to that address. */
export function writeResults(sandbox: Sandbox): void {
	onSubmission(sandbox, (args) => {
		const output = args.map((arg) => /^--output=(.*)$/.exec(arg)?.[1]).find(Boolean);
		const { storages } = sandbox.store;
		const storage = storages.get('stor-managed');
		if (!output || !storage) return;
		const key = output.slice(`${storage.draft.path}/`.length);
		storages.put(storage.id, key, 'region,count\nwest,3\neast,4\n');
	});
}

/** Calls n8n as jobs with an argument `--callback-url` do, once the execution is asleep. */
function callBack(sandbox: Sandbox): void {
	onSubmission(sandbox, (args) => {
		const at = args.indexOf('--callback-url');
		if (at < 0) return;
		const call = async () => {
			await sleep(5_000);
			await axios.post(
				args[at + 1],
				{ kind: 'result', result: { rows: 12_480 } },
				{ proxy: false },
			);
		};
		// The execution may have been stopped meanwhile.
		void call().catch(() => undefined);
	});
}

/** What a partner delivers for nightly-csv-to-table. */
export const STATIONS = `station;name;opened;lon;lat
S-1;"Kaş; harbour";1998-05-01;29.6417;36.2018
S-2;Bonn;;7.0982;50.7374
S-3;Seattle;2004-11-30;-122.3321;47.6062
`;

/** Files in the storages, and a task run for copy-task-results-to-s3 with its results. */
function addResults({ store: { storages, tasks } }: Sandbox): void {
	storages.create({ id: 'stor-rasterflow', name: 'RasterFlow', path: 's3://my-storage' });
	storages.put('stor-acme', 'notebooks/flooded.ipynb', FLOODED);
	storages.put('stor-acme', 'incoming/stations.csv', STATIONS);
	storages.put('stor-rasterflow', 'tmp/roofs.parquet', 'PAR1');
	const results = { o0: 's3://my-storage/tmp/roofs.parquet' };
	tasks.createRun({ taskName: 'build_mosaic', state: 'SUCCEEDED', results });
}
