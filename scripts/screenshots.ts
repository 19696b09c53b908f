/**
 * The pictures of the README and of docs/, taken anew in a real n8n: `npm run screenshots`. Needs
 * Chromium, as the end-to-end tests do. Look at each before you commit it.
 */
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

import { type Locator, type Page } from 'playwright-core';

import { packPackage } from '../test/e2e/n8n/pack';
import { step } from '../test/e2e/n8n/progress';
import {
	credentialData,
	readWorkflow,
	withCredential,
	withCredentialOfType,
	withParameters,
} from '../test/e2e/n8n/workflows';
import { startMail } from '../test/e2e/servers/mail';
import { Editor } from '../test/e2e/suite/editor';
import { REPOSITORY } from './lib/paths';
import { atEnd, openPlayground, type Playground, runCommand } from './lib/playground';

const FOLDER = path.join(REPOSITORY, 'docs', 'images');

/** Of the whole window; pictures are parts of it. GitHub shows them about 850 pixels wide. */
const VIEWPORT = { width: 1280, height: 720 };

interface Studio extends Playground {
	page: Page;
	/**
	 * Opens an example with all credentials chosen and without its notes, which are for those who
	 * import it.
	 */
	openExample(file: string, parameters?: Record<string, Record<string, unknown>>): Promise<void>;
}

/** What is in each picture: the part of the window, once it looks as it should. */
const PICTURES: Record<string, (studio: Studio) => Promise<Locator>> = {
	workflow: async ({ page, sandbox, openExample }) => {
		sandbox.plans.set(({ name }) => !name.endsWith('-large'), {
			outcome: 'FAILED',
			message: 'Job failed: OutOfMemoryError: Java heap space',
		});
		await openExample('failed-run-second-try.json');
		await page.getByRole('button', { name: 'Execute workflow' }).click();
		await page.getByText('Workflow executed successfully').waitFor({ timeout: 120_000 });
		sandbox.plans.clear();
		return await canvas(page);
	},
	agent: async ({ page, openExample }) => {
		await openExample('agent-runs-and-explains.json');
		return await canvas(page);
	},
	'create-job-run': async ({ page, openExample }) => {
		await openExample('submit-and-wait.json');
		await openNode(page, 'Submit and wait');
		await page.getByText('Execute step', { exact: true }).last().click();
		await page.getByText('COMPLETED').first().waitFor({ timeout: 120_000 });
		return page.getByTestId('ndv');
	},
	trigger: async ({ page, openExample }) => {
		await openExample('alert-on-failed-run.json');
		await openNode(page, 'Run failed');
		return page.getByTestId('ndv');
	},
	credential: async ({ page, openExample }) => {
		await openExample('submit-and-wait.json');
		await openNode(page, 'Submit and wait');
		await page.getByTestId('credential-edit-button').click();
		await page.getByText('Connection tested successfully').waitFor();
		return page.getByRole('dialog').last();
	},
};

/** The drawing alone, as large as it can be. */
async function canvas(page: Page): Promise<Locator> {
	await page.getByTestId('zoom-to-fit').click();
	return page.getByTestId('canvas');
}

async function openNode(page: Page, name: string): Promise<void> {
	await page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
	await page.getByTestId('node-parameters').waitFor();
}

/** A browser beside n8n, and credentials for every node of the examples that are shown. */
async function openStudio(): Promise<Studio> {
	const playground = await openPlayground({ tarball: await packPackage() });
	const { n8n, sandbox } = playground;
	const mail = await startMail();
	atEnd(mail.stop);
	const editor = await Editor.open(n8n.url, n8n.api.sessionCookie, VIEWPORT);
	atEnd(async () => await editor.close());
	const { page } = editor;
	const { apiKey } = sandbox.credentials.admin;
	await n8n.api.deleteCredentials();
	const service = await n8n.api.createCredential(credentialData(apiKey, sandbox.baseUrl));
	const others = [
		mail.credential,
		{ name: 'OpenAI account', type: 'openAiApi', data: { apiKey: 'any', header: false } },
	];
	const references = await Promise.all(
		others.map(async (other) => [other.type, await n8n.api.createCredential(other)] as const),
	);
	return {
		...playground,
		page,
		openExample: async (file, parameters = {}) => {
			const read = withParameters(await readWorkflow(`examples/${file}`), parameters);
			let workflow = withCredential(read, service);
			for (const [type, reference] of references) {
				workflow = withCredentialOfType(workflow, type, reference);
			}
			const nodes = workflow.nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');
			const id = await n8n.api.createWorkflow({ ...workflow, nodes });
			await page.goto(`${n8n.url}/workflow/${id}`);
			await page.getByTestId('canvas-node').first().waitFor();
		},
	};
}

async function takePicture(studio: Studio, name: string): Promise<void> {
	const picture = await PICTURES[name](studio);
	const file = path.join(FOLDER, `${name}.png`);
	// What slides in or fades out has come to rest, and no message lies over it.
	await studio.page.locator('.el-notification').first().waitFor({ state: 'detached' });
	await studio.page.mouse.move(0, 0);
	await picture.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
	const { size } = await stat(file);
	process.stderr.write(`  ${path.relative(REPOSITORY, file)}  ${Math.round(size / 1000)} KB\n`);
}

runCommand(async () => {
	await mkdir(FOLDER, { recursive: true });
	const chosen = process.argv.slice(2);
	const studio = await openStudio();
	for (const name of chosen.length > 0 ? chosen : Object.keys(PICTURES)) {
		await step(`Taking ${name}`, async () => await takePicture(studio, name));
	}
	return 'done';
});
