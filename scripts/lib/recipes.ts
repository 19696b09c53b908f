/** The recipes of the README as the demo has them: under the README's names, with all credentials. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import type { CredentialReference, WorkflowJson } from '../../test/e2e/n8n/apiTypes';
import type { N8nServer } from '../../test/e2e/n8n/server';
import {
	credentialData,
	withCredential,
	withCredentialOfType,
	withParameters,
} from '../../test/e2e/n8n/workflows';
import type { Sandbox } from '../../test/sandbox';
import { REPOSITORY } from './paths';
import { startStandIns, type StandIns } from './standIns';

const MAIN_RECIPE = 'submit-and-wait';
/** This recipe has to be published before its other part can be executed. */
const PUBLISHED = 'durable-wait-resume';

const DAY_MS = 86_400_000;
const seconds = (amount: number) => ({ amount, unit: 'seconds' });
/** The stand-in's log is complete within a second; the real service gets half a minute. */
const LATE = { lateSeconds: 3 };

/** Changes by recipe and node: what people would set, and pauses that would take too long. */
const CHANGES: Record<string, Record<string, Record<string, unknown>>> = {
	[MAIN_RECIPE]: { 'Read its log': { options: LATE } },
	'nightly-run': { 'Keep its log': { options: { fileName: '={{ $json.name }}.log', ...LATE } } },
	// A file with this name makes the run fail in the stand-in for the service.
	'failed-run-second-try': { 'First try': { pythonUri: 's3://my-bucket/jobs/fail.py' } },
	'long-run-one-workflow': { Sleep: seconds(3) },
	'customer-onboarding': { 'Wait an hour': seconds(5) },
	'script-from-git': {
		'Upload script': {
			storageId: {
				__rl: true,
				mode: 'list',
				value: 'stor-managed',
				cachedResultName: 'Wherobots Managed Storage',
			},
		},
	},
};

/** The recipes in the order of the README. */
async function recipesOfTheReadme(): Promise<string[]> {
	const readme = await readFile(path.join(REPOSITORY, 'README.md'), 'utf8');
	const linked = [...readme.matchAll(/\]\(examples\/(.+?)\.json\)/g)].map(([, name]) => name);
	const there = (await readdir(path.join(REPOSITORY, 'examples')))
		.filter((file) => file.endsWith('.json'))
		.map((file) => file.slice(0, -'.json'.length));
	return [...new Set([...linked, ...there])];
}

/** @returns credentials by the type of credential */
async function createCredentials(
	{ api, url }: N8nServer,
	standIns: StandIns,
): Promise<Array<[type: string, CredentialReference]>> {
	const n8n = {
		name: 'This n8n',
		type: 'n8nApi',
		data: { apiKey: api.session.apiKey, baseUrl: `${url}/api/v1` },
	};
	const created: Array<[string, CredentialReference]> = [];
	for (const credential of [...standIns.credentials, n8n]) {
		created.push([credential.type, await api.createCredential(credential)]);
	}
	return created;
}

export interface Recipes {
	/** ID of the main recipe in n8n. */
	mainId: string;
	/** The recipes as they were imported, by the README's names. */
	recipes: Map<string, WorkflowJson>;
	stop(): Promise<void>;
}

export async function importRecipes(n8n: N8nServer, sandbox: Sandbox): Promise<Recipes> {
	const standIns = await startStandIns();
	writeResults(sandbox);
	// Close enough to its expiry for rotate-api-key to replace it.
	const { key } = sandbox.store.apiKeys.create({
		name: 'n8n-demo',
		expiresAt: sandbox.clock.now() + 7 * DAY_MS,
	});
	const service = await n8n.api.createCredential(credentialData(key, sandbox.baseUrl));
	const others = await createCredentials(n8n, standIns);
	const recipes = new Map<string, WorkflowJson>();
	const ids = new Map<string, string>();
	// n8n lists the newest workflow first.
	for (const name of (await recipesOfTheReadme()).reverse()) {
		const text = (await readFile(path.join(REPOSITORY, 'examples', `${name}.json`), 'utf8'))
			.replaceAll('http://localhost:5678', n8n.url)
			.replaceAll('YOUR_CREDENTIAL_ID', service.id)
			.replaceAll('https://raw.githubusercontent.com', standIns.gitUrl);
		const read = { ...(JSON.parse(text) as WorkflowJson), name };
		let workflow = withCredential(withParameters(read, CHANGES[name] ?? {}), service);
		for (const [type, credential] of others) {
			workflow = withCredentialOfType(workflow, type, credential);
		}
		recipes.set(name, workflow);
		ids.set(name, await n8n.api.createWorkflow(workflow));
	}
	await n8n.api.activate(ids.get(PUBLISHED)!);
	return { mainId: ids.get(MAIN_RECIPE)!, recipes, stop: async () => await standIns.stop() };
}

/** Writes the results of jobs with an argument `--output=ADDRESS` to that address. */
function writeResults({ requests, store }: Sandbox): void {
	requests.listen(({ endpoint, body }) => {
		if (endpoint !== 'createRun') return;
		const args = (body as { runPython?: { args?: string[] } } | undefined)?.runPython?.args ?? [];
		const output = args.map((arg) => /^--output=(.*)$/.exec(arg)?.[1]).find(Boolean);
		const storage = store.storages.get('stor-managed');
		if (!output || !storage) return;
		const key = output.slice(`${storage.draft.path}/`.length);
		store.storages.put(storage.id, key, 'region,count\nwest,3\neast,4\n');
	});
}
