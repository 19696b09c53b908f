import { type Page } from 'playwright-core';

import { readWorkflow } from './n8n/workflows';
import { Editor } from './suite/editor';
import { sharedUrl } from './suite/sharedN8n';
import { useStage } from './suite/workflowCases';

const MEDIUM_HIMEM = /^medium.himem$/i;
const SMALL_GPU = /^small.a10.gpu$/i;

describe('In the editor', () => {
	const stage = useStage();
	let editor: Editor;
	let page: Page;

	beforeEach(async () => {
		const { n8n } = stage();
		// Not by the stage, which would bring a credential that the form then chooses.
		const workflow = await n8n.createWorkflow(await readWorkflow('test/e2e/workflows/empty.json'));
		editor = await Editor.open(sharedUrl(), n8n.sessionCookie);
		page = editor.page;
		await page.goto(`${sharedUrl()}/workflow/${workflow}`);
	});

	afterEach(async () => {
		await editor.screenshot(`${expect.getState().currentTestName} - end`);
		await editor.close();
	});

	/** From the canvas to the form of Job Run: Create. */
	async function addNode(): Promise<void> {
		await page.getByTestId('node-creator-plus-button').click();
		await page.getByTestId('node-creator-search-bar').fill('wherobots');
		const found = page
			.getByTestId('node-creator-item-name')
			.getByText('Wherobots', { exact: true });
		await found.first().waitFor();
		await editor.screenshot('1 node panel');
		await found.first().click();
		await page.getByText('Create job run', { exact: true }).waitFor();
		await editor.screenshot('2 actions');
		await page.getByText('Create job run', { exact: true }).click();
		await page.getByTestId('parameter-input-pythonUri').waitFor();
	}

	/** Fills the form of a new credential, or changes the one that is open, and saves it. */
	async function saveCredential(apiKey: string): Promise<void> {
		const field = (name: string) => page.getByTestId(`parameter-input-${name}`).locator('input');
		await field('apiKey').fill(apiKey);
		await field('baseUrl').fill(stage().sandbox.baseUrl);
		await page.getByTestId('credential-save-button').click();
	}

	test('the node is found in the panel and shows its form', async () => {
		await addNode();
		const form = page.getByTestId('node-parameters');
		for (const label of ['Name', 'Run Type', 'Python File', 'Arguments', 'Runtime', 'Region']) {
			await form.getByText(label, { exact: true }).first().waitFor();
		}
		await editor.screenshot('3 form');
		await page.getByTestId('parameter-input-runType').click();
		await page.getByRole('option', { name: 'JAR' }).click();
		await form.getByText('Main Class', { exact: true }).waitFor();
		expect(await form.getByText('Python File', { exact: true }).count()).toBe(0);
	});

	test('the test of a credential is red for a wrong key and green for a good one', async () => {
		await addNode();
		await page.getByText('Connect to Wherobots').click();
		await saveCredential('sandbox-key-of-nobody');
		await page.getByText('Couldn’t connect with these settings').waitFor();
		await page.getByText('More details').click();
		await page.getByText('Wherobots Cloud did not accept this key or token').waitFor();
		await editor.screenshot('4 wrong key');

		await saveCredential(stage().sandbox.credentials.admin.apiKey);
		// The dialog closes when the test passes; opening it again shows the verdict.
		await page.getByTestId('credential-save-button').waitFor({ state: 'detached' });
		await page.getByTestId('credential-edit-button').click();
		await page.getByText('Connection tested successfully').waitFor();
		await editor.screenshot('5 good key');
	});

	test('the runtime is picked from a list that can be searched', async () => {
		const workflow = await stage().importWorkflow('test/e2e/workflows/submit-and-wait.json');
		await page.goto(`${sharedUrl()}/workflow/${workflow}`);
		await page.getByTestId('canvas-node').filter({ hasText: 'Submit' }).dblclick();
		const picker = page.getByTestId('resource-locator-runtime');
		await picker.getByTestId('rlc-input').click();
		await page.getByTestId('rlc-item').filter({ hasText: MEDIUM_HIMEM }).first().waitFor();
		await page.getByTestId('rlc-search').fill('a10');
		await page
			.getByTestId('rlc-item')
			.filter({ hasText: MEDIUM_HIMEM })
			.first()
			.waitFor({ state: 'detached' });
		await page.getByTestId('rlc-item').filter({ hasText: SMALL_GPU }).first().waitFor();
		await editor.screenshot('6 runtimes');
		await page.getByTestId('rlc-item').filter({ hasText: SMALL_GPU }).first().click();
		await page.getByTestId('rlc-item').first().waitFor({ state: 'detached' });
		const shown = await picker
			.locator('input')
			.evaluateAll((inputs) => inputs.map((input) => (input as { value?: string }).value));
		expect(shown).toContainEqual(expect.stringMatching(SMALL_GPU));
	});
});
