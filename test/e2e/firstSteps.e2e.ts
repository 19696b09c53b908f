/** What a newcomer builds first, from nothing and by what the screen shows. */
import { type Locator } from 'playwright-core';

import { recordSpan } from './suite/archive';
import { daysAgo } from './suite/calendar';
import { credentialData } from './n8n/workflows';
import { useEditor } from './suite/useEditor';

describe('From nothing, in the editor', () => {
	const shown = useEditor();

	/** A credential that is there already, as after the first step. */
	async function haveCredential(): Promise<void> {
		const { n8n, sandbox } = shown();
		const { apiKey } = sandbox.credentials.admin;
		await n8n.createCredential(credentialData(apiKey, sandbox.baseUrl));
	}

	/** The box below a label of the credential. */
	const box = (label: string): Locator =>
		shown()
			.page.getByRole('dialog')
			.getByText(new RegExp(`^${label}\\s*\\*?$`))
			.last()
			.locator('xpath=ancestor::*[.//input][1]//input');

	const output = () => shown().page.getByTestId('output-panel');

	test('a credential: says where the key comes from and what the address has to be', async () => {
		const { editor, page, sandbox } = shown();
		await editor.addNode('job run', 'Create job run');
		await page.getByText('Connect to Wherobots').click();
		const origin = page.getByRole('link', { name: 'Settings > API Keys' });
		expect(await origin.getAttribute('href')).toBe('https://cloud.wherobots.com/settings#api-keys');
		await editor.screenshot('first 1 credential');

		await box('API Key').fill(sandbox.credentials.admin.apiKey);
		await box('Base URL').fill('cloud.wherobots.com');
		await page.getByRole('button', { name: 'Save', exact: true }).click();
		await page.getByText('More details').click();
		await page.getByText("'Base URL' must start with https://. Enter https://api.").waitFor();
		await editor.screenshot('first 2 wrong address');

		await box('Base URL').fill(sandbox.baseUrl);
		await box('API Key').fill('sandbox-key-of-nobody');
		await page.getByRole('button', { name: 'Save', exact: true }).click();
		await page.getByText('Wherobots Cloud did not accept this key or token').waitFor();

		await box('API Key').fill(sandbox.credentials.admin.apiKey);
		await page.getByRole('button', { name: 'Save', exact: true }).click();
		// The dialog closes when the test of the credential passes.
		await origin.waitFor({ state: 'detached' });
		await page.getByText('Python File', { exact: true }).waitFor();
		expect(sandbox.requests.of('listRuns').length).toBeGreaterThan(0);
	});

	test('a job run: one field is all there is to fill in', async () => {
		const { editor, page, sandbox } = shown();
		await haveCredential();
		await editor.addNode('spark', 'Create job run');
		await page.getByPlaceholder('e.g. s3://my-bucket/jobs/nightly_etl.py').fill('s3://b/jobs/a.py');
		await editor.screenshot('first 3 run');
		await page.getByText('Execute step', { exact: true }).first().click();
		await output().getByText('PENDING').first().waitFor();
		await editor.screenshot('first 4 run submitted');
		const [{ body }] = sandbox.requests.of('createRun');
		expect(body).toMatchObject({
			name: expect.stringMatching(/^job-run-20\d\d-\d\d-\d\d$/),
			runPython: { uri: 's3://b/jobs/a.py' },
		});
		// Runtime and region are those of the organization.
		expect(body).not.toHaveProperty('runtime');
	});

	test('a trigger: starts on finished runs, and shows one with its name first', async () => {
		const { editor, page, sandbox } = shown();
		const { store } = sandbox;
		store.createRun({ name: 'nightly-etl-done', status: 'COMPLETED' });
		store.createRun({ name: 'nightly-etl-going', status: 'RUNNING' });
		await haveCredential();
		await editor.addNode('job run', 'On job run status changed');
		await page.getByText('Finished (Any Outcome)').first().waitFor();
		await page.getByText('Select none to start on every status change').waitFor();
		await page.getByText('Fetch Test Event', { exact: true }).first().click();
		await output().getByText('nightly-etl-done').first().waitFor();
		await editor.screenshot('first 5 trigger');
		expect(await output().getByText('nightly-etl-going').count()).toBe(0);
		await output().getByText('Table', { exact: true }).click();
		const columns = await output().locator('th').allInnerTexts();
		expect(columns.map((text) => text.trim()).slice(0, 3)).toEqual(['name', 'id', 'status']);
	});

	test('an export: yesterday as a file, with nothing to fill in', async () => {
		const { editor, page, sandbox } = shown();
		recordSpan(sandbox, daysAgo(2), daysAgo(0), 50);
		await haveCredential();
		await editor.addNode('audit', 'Export audit log to archive');
		await page.getByText('Time Range', { exact: true }).waitFor();
		await page.getByText('Execute step', { exact: true }).first().click();
		await output().getByText('.csv').first().waitFor();
		await editor.screenshot('first 6 export');
		expect(sandbox.requests.of('exportAuditLog')).toHaveLength(1);
	});
});
