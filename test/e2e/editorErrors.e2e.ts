import { type Page } from 'playwright-core';

import { Editor } from './suite/editor';
import { sharedUrl } from './suite/sharedN8n';
import { useStage } from './suite/workflowCases';

describe('Errors of the service, in the editor', () => {
	const stage = useStage({ seed: 'demo' });
	let editor: Editor;
	let page: Page;

	beforeEach(async () => {
		editor = await Editor.open(sharedUrl(), stage().n8n.sessionCookie);
		page = editor.page;
	});

	afterEach(async () => {
		await editor.screenshot(`${expect.getState().currentTestName} - end`);
		await editor.close();
	});

	async function openNode(file: string, node: string, parameters: object): Promise<void> {
		const workflow = await stage().importWorkflow(file, { [node]: { ...parameters } });
		await editor.openNode(workflow, node);
	}

	async function run(): Promise<{ title: string; description: string }> {
		await page.getByTestId('node-execute-button').click();
		const message = page.getByTestId('node-error-message');
		await message.waitFor();
		const description = page.getByTestId('node-error-description');
		const isThere = (await description.count()) > 0;
		return {
			title: (await message.innerText()).trim(),
			description: isThere ? (await description.innerText()).trim() : '',
		};
	}

	/** What stands under "Error details", opened. */
	async function details(): Promise<string> {
		await page.locator('.node-error-view__details-summary').first().click();
		return await page.locator('.node-error-view__details').first().innerText();
	}

	test('what does not exist has a title and a next step, and the rest is under the details', async () => {
		await openNode('test/e2e/workflows/list-runs.json', 'List', {
			operation: 'get',
			runId: { __rl: true, mode: 'id', value: 'npqy9q19q4wlm3' },
		});
		expect(await run()).toEqual({
			title: 'There is no job run with this ID',
			description:
				'Choose a job run from the list, or enter its ID, not its name. Task runs are another resource.',
		});
		const shown = await details();
		await editor.screenshot('16 missing run');
		expect(shown).toContain('404');
		expect(shown).toContain('NOT_FOUND_ERROR');
		expect(shown).toMatch(/"requestId": "\S+"/);
		expect(shown).toContain("There is no run 'npqy9q19q4wlm3'.");
	});

	test('a refused value is named by its field, once', async () => {
		await openNode('test/e2e/workflows/submit-and-wait.json', 'Submit', {
			region: { __rl: true, mode: 'name', value: 'aws-mars-1' },
		});
		const { title, description } = await run();
		expect(title).toMatch(/^'Region': Must be one of /);
		expect(description).toBe('Choose one from the list.');
		await editor.screenshot('17 refused region');
	});
});
