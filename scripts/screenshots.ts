/**
 * The pictures of the README and of docs/, taken anew in a real n8n: `npm run screenshots`. Needs
 * Chromium, as the end-to-end tests do. Look at each before you commit it.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { type Page } from 'playwright-core';

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

/** How each picture is taken. */
const PICTURES: Record<string, (studio: Studio) => Promise<Buffer>> = {
	workflow: async ({ page, openExample }) => {
		// A file of this name fails in the stand-in for the service.
		await openExample('failed-run-second-try.json', {
			'First try': { pythonUri: 's3://my-bucket/jobs/fail.py' },
		});
		await page.getByRole('button', { name: 'Execute workflow' }).last().click();
		await page.getByText('Workflow executed successfully').waitFor({ timeout: 120_000 });
		return await drawing(page);
	},
	agent: async ({ page, openExample }) => {
		await openExample('agent-runs-and-explains.json');
		return await drawing(page);
	},
	'create-job-run': async ({ page, openExample }) => {
		await openExample('submit-and-wait.json');
		await openNode(page, 'Submit and wait');
		await page.getByText('Execute step', { exact: true }).last().click();
		await page.getByText('COMPLETED').first().waitFor({ timeout: 120_000 });
		return await form(page);
	},
	trigger: async ({ page, openExample }) => {
		await openExample('alert-on-failed-run.json');
		await openNode(page, 'Run failed');
		return await form(page);
	},
};

/** What lies over the drawing: buttons of the editor. */
const OVER_THE_DRAWING = [
	...['node-creator-plus-button', 'command-bar-button', 'add-sticky-button'],
	...['toggle-focus-panel-button', 'instance-ai-canvas-action-button'],
	...['zoom-to-fit', 'zoom-in-button', 'zoom-out-button', 'tidy-up-button'],
	'execute-workflow-button',
];
const MARGIN = 48;

/** The drawing alone, as large as it can be. */
async function drawing(page: Page): Promise<Buffer> {
	await page.getByTestId('zoom-to-fit').click();
	const hidden = OVER_THE_DRAWING.map((id) => `[data-test-id="${id}"]`).join();
	await page.addStyleTag({ content: `${hidden} { visibility: hidden }` });
	await settle(page);
	const nodes = await page.getByTestId('canvas-node').all();
	const boxes = await Promise.all(nodes.map(async (node) => await node.boundingBox()));
	const edges = boxes.flatMap((box) => (box ? [box] : []));
	const [left, top] = [edges.map(({ x }) => x), edges.map(({ y }) => y)].map((all) =>
		Math.max(0, Math.min(...all) - MARGIN),
	);
	const right = Math.max(...edges.map(({ x, width }) => x + width)) + 2 * MARGIN;
	const bottom = Math.max(...edges.map(({ y, height }) => y + height)) + 2 * MARGIN;
	return await page.screenshot({
		...STILL,
		clip: { x: left, y: top, width: right - left, height: bottom - top },
	});
}

/** The form of the node that is open, with what comes in and goes out. */
async function form(page: Page): Promise<Buffer> {
	await settle(page);
	return await page.getByTestId('ndv').screenshot(STILL);
}

const STILL = { animations: 'disabled', caret: 'hide' } as const;

/** Until no message lies over anything. */
async function settle(page: Page): Promise<void> {
	await page.locator('.el-notification').first().waitFor({ state: 'detached' });
	await page.mouse.move(0, 0);
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
	await writeFile(file, picture);
	const size = `${Math.round(picture.length / 1000)} KB`;
	process.stderr.write(`  ${path.relative(REPOSITORY, file)}  ${size}\n`);
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
