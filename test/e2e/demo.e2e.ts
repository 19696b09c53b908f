/**
 * The recipes in the demo: they are published, and each of docs/recipes.md but those of agents and
 * assistants is opened by its title and executed.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import axios from 'axios';
import { type Page } from 'playwright-core';

import { REPOSITORY } from '../../scripts/lib/paths';
import { until } from '../support/until';
import { N8nApi } from './n8n/api';
import type { WorkflowJson } from './n8n/apiTypes';
import { useDemo } from './suite/demo';

/** An execution that sleeps is woken up by a trigger that looks once a minute. */
const PATIENCE_MS = 200_000;

/** The last node that each recipe reaches; those after a filter that lets nothing pass stay idle. */
const REACHES: Record<string, string> = {
	'submit-and-wait': 'Read log',
	'nightly-run': 'Read log',
	'failed-run-second-try': 'Send report',
	'notebook-every-morning': 'Send result',
	'alert-on-failed-run': 'Send alert',
	'run-exceeds-duration': 'Send alert',
	'scheduled-task-failed': 'Send alert',
	'copy-task-results-to-s3': 'Upload file',
	'one-trigger-for-many': 'Whose run?',
	'handle-ended-run': 'Send report',
	'chain-runs': 'Submit job B',
	'skip-without-new-rows': 'Submit second job',
	'new-s3-file-to-run': 'Insert row',
	'script-from-git': 'Read rows',
	'weekly-cost-report': 'Send report',
	'cancel-orphaned-runs': 'List active runs',
	'sql-result-to-data-table': 'Insert or update row',
	'weekly-map-by-mail': 'Send map',
	'new-rows-map-by-mail': 'Send map',
	'form-to-table': 'Insert row',
	'form-updates-table': 'Insert or update row',
	'nightly-csv-to-table': 'Send number of rows',
	'weekly-geoparquet-export': 'Send location',
	'long-run-one-workflow': 'Completed',
	'job-calls-back': 'Result',
	'durable-wait-submit': 'Get outcome',
	'durable-wait-resume': 'List waiting workflows',
	'audit-log-daily-to-s3': 'Upload manifest',
	'audit-log-hourly-to-sftp': 'Upload file',
	'audit-log-catch-up-s3': 'Upload manifest',
	'audit-log-catch-up-sftp': 'Upload file',
	'audit-log-verify-archive': 'Count verified files',
	'audit-log-to-postgres': 'Insert rows',
	'audit-events-to-data-table': 'Insert or update row',
	'alert-on-audit-actions': 'Send alert',
	'rotate-api-key': 'Let old key expire tomorrow',
	'alert-on-expiring-keys': 'Send alert',
	'alert-on-idle-notebooks': 'Send alert',
	'catalog-inventory': 'Insert or update row',
	'customer-onboarding': 'Send confirmation',
	'alert-on-failed-workflow': 'Send alert',
};

/** What is written into the forms that recipes begin with, by label. */
const FORMS: Record<string, Record<string, string>> = {
	'customer-onboarding': {
		Customer: 'acme',
		'AWS account ID': '123456789012',
		'Email of the customer': 'cloud@acme.example',
		'Your email': 'sales@example.com',
	},
	'form-to-table': {
		Address: '1 Main Street, Seattle',
		Latitude: '47.6062',
		Longitude: '-122.3321',
	},
	'form-updates-table': {
		Site: 'S-17',
		Status: 'open',
		Latitude: '47.6062',
		Longitude: '-122.3321',
	},
};

/** A person starts them, and nothing else: n8n publishes no such workflow. */
const STARTED_BY_HAND = [
	...['durable-wait-submit', 'job-calls-back', 'long-run-one-workflow', 'script-from-git'],
	'submit-and-wait',
];

/** The recipes that report failed runs, with their triggers. */
const WATCHING = [
	['alert-on-failed-run', 'Run failed'],
	['failed-run-second-try', 'Run failed'],
];

/** What the demo calls a recipe. */
const titleOf = (recipe: string): string => {
	const text = readFileSync(path.join(REPOSITORY, 'examples', `${recipe}.json`), 'utf8');
	return (JSON.parse(text) as WorkflowJson).name;
};

const demo = useDemo();

test('every recipe has a tag, and is published if anything but a person starts it', async () => {
	const workflows = await listWorkflows(await signIn());
	const idle = workflows.filter(({ active }) => !active).map(({ name }) => name);
	expect(idle.sort()).toEqual(STARTED_BY_HAND.map(titleOf).sort());
	expect(workflows).toHaveLength(readdirSync(path.join(REPOSITORY, 'examples')).length);
	expect(workflows.filter(({ tags }) => tags?.length !== 1).map(({ name }) => name)).toEqual([]);
});

test(
	'a run that fails is mailed by both recipes that watch it, and run again once',
	async () => {
		const name = 'hail-report-by-hand';
		const again = `${name}-\\S+-again`;
		await axios.post(
			`${demo().told['Base URL']}/runs`,
			{ name, runtime: 'tiny', runPython: { uri: 's3://my-bucket/jobs/fail.py' } },
			{ headers: { 'X-API-Key': demo().told['API Key'] }, proxy: false },
		);
		const mails = (run: string) =>
			demo()
				.printed()
				.match(new RegExp(`^Mail to \\S+: Job run ${run} failed$`, 'gm')) ?? [];
		await until(() => mails(again).length === 2, { timeoutMs: PATIENCE_MS });
		expect(mails(name)).toHaveLength(2);
		const n8n = await signIn();
		const workflows = await listWorkflows(n8n);
		const reports = async (recipe: string, trigger: string) => {
			const { id } = workflows.find((workflow) => workflow.name === titleOf(recipe))!;
			const ended = (await n8n.executions(id)).filter(({ hasEnded }) => hasEnded);
			expect(ended.filter(({ status }) => status !== 'success').map(String)).toEqual([]);
			const runs = ended.flatMap((each) => each.json(trigger)).map((run) => String(run.name));
			return runs.filter((run) => run.startsWith(name));
		};
		const each = [name, expect.stringMatching(`^${again}$`)];
		// A mail is printed a moment before its execution ends.
		for (const [recipe, trigger] of WATCHING) {
			await until(async () => (await reports(recipe, trigger)).length > 1, { timeoutMs: 10_000 });
			expect(await reports(recipe, trigger)).toEqual(each);
		}
	},
	2 * PATIENCE_MS,
);

const RECIPES = [
	...readFileSync(path.join(REPOSITORY, 'docs/recipes.md'), 'utf8').matchAll(
		/\]\(\.\.\/examples\/(?!agent-|mcp-)(.+?)\.json\)/g,
	),
].map(([, name]) => name);

test.each([...new Set(RECIPES)])(
	'%s runs when it is clicked',
	async (name) => {
		const { told, page } = demo();
		const title = titleOf(name);
		const { origin } = new URL(told.Open);
		await page.goto(`${origin}/home/workflows`);
		await page.getByPlaceholder('Search').first().fill(title);
		await page.getByText(title, { exact: true }).first().click();
		await page.getByTestId('canvas-node').first().waitFor();
		const form = name in FORMS ? page.waitForEvent('popup') : undefined;
		await page.getByRole('button', { name: 'Execute workflow' }).last().click();
		if (form) await fillIn(await form, FORMS[name]);
		await page.bringToFront();
		await page
			.locator(`[data-test-id="canvas-node"][data-node-name="${REACHES[name]}"]`)
			.getByTestId('canvas-node-status-success')
			.waitFor({ timeout: PATIENCE_MS });
		const executing = page.getByText('Executing workflow');
		await until(async () => (await executing.count()) === 0, { timeoutMs: PATIENCE_MS });
		expect(await page.getByTestId('canvas-node-status-error').count()).toBe(0);
	},
	2 * PATIENCE_MS,
);

test('mails are printed where the demo was started', () => {
	expect(demo().printed()).toMatch(
		/^Workflow: Email why a job run failed\nMail to data-team@example.com: Job run \S+ failed$/m,
	);
	expect(demo().printed()).toMatch(/^Mail to data-team@example.com: Stations: 3 rows loaded$/m);
	expect(demo().printed()).toMatch(/^Mail to sales@example.com: acme is connected$/m);
	expect(demo().printed()).toMatch(
		/^Mail to data-team@example.com: Hail from .+\n +Open file:\S+-map\.png$/m,
	);
});

/** n8n's interfaces, with the login that was printed. */
async function signIn(): Promise<N8nApi> {
	const { told } = demo();
	const account = { email: told.Email, password: told.Password };
	const n8n = await N8nApi.signIn(new URL(told.Open).origin, account);
	await n8n.useNewApiKey();
	return n8n;
}

const listWorkflows = async (n8n: N8nApi) =>
	await n8n.rest<Array<{ id: string; name: string; active: boolean; tags?: unknown[] }>>(
		'GET',
		'/rest/workflows?take=100',
	);

/** Fills in a form, which n8n opens in a window of its own. */
async function fillIn(form: Page, answers: Record<string, string>): Promise<void> {
	for (const [label, value] of Object.entries(answers)) {
		await form.getByLabel(label, { exact: false }).first().fill(value);
	}
	await form.getByRole('button', { name: 'Submit' }).click();
}
