/** Every recipe of docs/recipes.md but those of agents and assistants, opened in the demo by its name and executed. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { type Page } from 'playwright-core';

import { REPOSITORY } from '../../scripts/lib/paths';
import { until } from '../support/until';
import { useDemo } from './suite/demo';

/** An execution that sleeps is woken up by a trigger that looks once a minute. */
const PATIENCE_MS = 200_000;

/** The last node that each recipe reaches; those after a filter that lets nothing pass stay idle. */
const REACHES: Record<string, string> = {
	'submit-and-wait': 'Read its log',
	'nightly-run': 'Keep its log',
	'failed-run-second-try': 'Try again',
	'notebook-every-morning': 'Mail the result',
	'alert-on-failed-run': 'Send it',
	'run-exceeds-duration': 'Send it',
	'scheduled-task-failed': 'Send it',
	'copy-task-results-to-s3': 'Store it',
	'one-trigger-for-many': 'Whose run?',
	'handle-ended-run': 'Send it',
	'chain-runs': 'Submit B',
	'skip-without-new-rows': 'Build tiles',
	'new-s3-file-to-run': 'Remember it',
	'script-from-git': 'Read the rows',
	'weekly-cost-report': 'Send the report',
	'cancel-orphaned-runs': 'Active runs',
	'sql-result-to-data-table': 'Write the row',
	'weekly-map-by-mail': 'Mail the map',
	'new-rows-map-by-mail': 'Mail the map',
	'form-to-table': 'Insert row',
	'form-updates-table': 'Insert or update row',
	'nightly-csv-to-table': 'Mail the number of rows',
	'weekly-geoparquet-export': 'Mail where it is',
	'long-run-one-workflow': 'Completed',
	'job-calls-back': 'Result',
	'durable-wait-submit': 'Go on',
	'durable-wait-resume': 'Find waiting workflows',
	'audit-log-daily-to-s3': 'Store its manifest',
	'audit-log-hourly-to-sftp': 'Store it',
	'audit-log-catch-up-s3': 'Store its manifest',
	'audit-log-catch-up': 'Store it',
	'audit-log-verify-archive': 'Compute its SHA-256',
	'audit-log-to-postgres': 'Insert the events',
	'audit-events-to-data-table': 'Write the row',
	'alert-on-audit-actions': 'Send it',
	'rotate-api-key': 'Let old key expire tomorrow',
	'alert-on-expiring-keys': 'Send it',
	'alert-on-idle-notebooks': 'Send it',
	'catalog-inventory': 'Write the row',
	'customer-onboarding': 'Mail that it works',
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

const demo = useDemo();

const RECIPES = [
	...readFileSync(path.join(REPOSITORY, 'docs/recipes.md'), 'utf8').matchAll(
		/\]\(\.\.\/examples\/(?!agent-|mcp-)(.+?)\.json\)/g,
	),
].map(([, name]) => name);

test.each([...new Set(RECIPES)])(
	'%s runs when it is clicked',
	async (name) => {
		const { told, page } = demo();
		const { origin } = new URL(told.Open);
		await page.goto(`${origin}/home/workflows`);
		await page.getByPlaceholder('Search').first().fill(name);
		await page.getByText(name, { exact: true }).first().click();
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
	expect(demo().printed()).toMatch(/^Mail to data-team@example.com: Job run \S+: FAILED$/m);
	expect(demo().printed()).toMatch(/^Mail to data-team@example.com: Stations: 3 rows loaded$/m);
	expect(demo().printed()).toMatch(/^Mail to sales@example.com: acme is connected$/m);
	expect(demo().printed()).toMatch(
		/^Mail to data-team@example.com: Hail from .+\n +Open file:\S+-map\.png$/m,
	);
});

/** Fills in a form, which n8n opens in a window of its own. */
async function fillIn(form: Page, answers: Record<string, string>): Promise<void> {
	for (const [label, value] of Object.entries(answers)) {
		await form.getByLabel(label, { exact: false }).first().fill(value);
	}
	await form.getByRole('button', { name: 'Submit' }).click();
}
