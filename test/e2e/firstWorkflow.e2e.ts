/**
 * The README, followed word for word in a fresh demo by somebody who sees nothing but the screen: no
 * identifiers of n8n's own, and fields are found by the label above them.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { REPOSITORY } from '../../scripts/lib/paths';
import { type Demo, useDemo } from './suite/demo';

const demo = useDemo();

const plusAtTheTopLeft = async ({ page }: Demo) => await page.mouse.click(20, 22);

type Steps = Record<string, (demo: Demo) => Promise<unknown>>;

const CREDENTIAL: Steps = {
	'In [Wherobots Cloud](https://cloud.wherobots.com), open **Settings → API Keys** and create a key. Copy it: it is shown only once.':
		async ({ told }) => {
			// The demo prints one.
			await Promise.resolve(told['API Key']);
		},
	'In n8n, select **+** at the top left, then **New credential**, choose **Wherobots API**, and select **Continue**.':
		async (shown) => {
			await plusAtTheTopLeft(shown);
			const { page } = shown;
			await page.getByRole('menuitem', { name: 'New credential', exact: true }).click();
			await page.getByPlaceholder('Search for app...').fill('wherobots');
			await page.getByRole('option', { name: 'Wherobots API' }).click();
			await page.getByRole('button', { name: 'Continue' }).click();
		},
	'Paste the key into **API Key**. Leave **Base URL** as it is, unless your organization has its own deployment.':
		async ({ editor, told }) => {
			await editor.field('API Key').fill(told['API Key']);
			await editor.field('Base URL').fill(told['Base URL']);
		},
	'Select **Save**. n8n tests the key and shows **Connection tested successfully**; if it fails, **More details** says why.':
		async ({ page }) => {
			await page.getByRole('button', { name: 'Save' }).click();
			await page.getByText('Connection tested successfully').waitFor();
			await page.keyboard.press('Escape');
		},
};

const FIRST_WORKFLOW: Steps = {
	'Select **+** at the top left, then **New workflow**. Select the **+** above **Add first step…** and choose **Trigger manually**.':
		async (shown) => {
			await plusAtTheTopLeft(shown);
			const { page } = shown;
			await page.getByRole('menuitem', { name: 'New workflow', exact: true }).click();
			const text = await page.getByText('Add first step…').boundingBox();
			await page.mouse.click(text!.x + text!.width / 2, text!.y - 60);
			await page.getByText('Trigger manually').click();
		},
	'Select the **+** after the trigger, search for **job run**, and choose **Wherobots**, then **Create job run**.':
		async ({ page }) => {
			const trigger = await page.getByText('When clicking ‘Execute workflow’').boundingBox();
			await page.mouse.click(trigger!.x + trigger!.width / 2 + 114, trigger!.y - 67);
			await page.getByPlaceholder('Search nodes...').fill('job run');
			await page.getByText('Wherobots', { exact: true }).click();
			await page.getByText('Create job run', { exact: true }).click();
		},
	'Check **Credential**: if you have several, n8n may have picked the wrong one.': async ({
		editor,
	}) => {
		expect(await editor.field('Credential').inputValue()).toEqual('Wherobots account');
	},
	'Choose the **Storage** and the **Python File** in it ([upload it](docs/files.md) if needed), and turn on **Wait for Completion**.':
		async ({ editor }) => {
			await editor.pick('storageId', 'acme-jobs');
			await editor.pick('pythonUri', 'jobs/nightly_etl.py');
			await editor.press('Wait for Completion');
		},
	'Select **Execute step**. A run takes minutes; when it has ended, the output shows its **status**: `COMPLETED`.':
		async ({ page }) => {
			await page.getByText('Execute step', { exact: true }).last().click();
			await page.getByText('COMPLETED').first().waitFor({ timeout: 200_000 });
		},
};

/** Does what a section of the README says, step by step. */
async function follow(heading: string, steps: Steps): Promise<void> {
	const readme = await readFile(path.join(REPOSITORY, 'README.md'), 'utf8');
	const section = readme.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
	const written = [...section.matchAll(/^\d\. (.*)$/gm)].map(([, text]) => text);
	expect(written).toEqual(Object.keys(steps));
	for (const [index, text] of written.entries()) {
		await steps[text](demo());
		await demo().editor.screenshot(`${heading} - ${index + 1}`);
	}
}

test('the first workflow of the README works as it is written', async () => {
	// The demo has a credential already; another one would have to be chosen.
	await follow('Your first workflow in five steps', FIRST_WORKFLOW);
	const { page, told } = demo();
	await page.goto(told.Open);
	await page.getByText('Submit and wait').first().waitFor();
	await follow('Credential', CREDENTIAL);
});
