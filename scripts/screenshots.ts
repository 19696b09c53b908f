/**
 * Retakes the pictures of the README and of docs/ in a real n8n: `npm run screenshots`. Needs Chromium,
 * as the end-to-end tests do. Look at each picture before you commit it.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { type Page } from 'playwright-core';

import { packedPackage } from './lib/packedPackage';
import { step } from './lib/progress';
import { withParameters } from '../test/e2e/n8n/workflows';
import { Editor } from '../test/e2e/suite/editor';
import { animation } from './lib/animation';
import { REPOSITORY } from './lib/paths';
import { atEnd, openPlayground, type Playground, runCommand } from './lib/playground';

const FOLDER = path.join(REPOSITORY, 'docs', 'images');

/** The size of the whole window; pictures are parts of it. GitHub shows them about 850 pixels wide. */
const VIEWPORT = { width: 1280, height: 720 };
/** Shows a long form from end to end. */
const TALL = { width: 1280, height: 1600 };
/** The size of the animation, which shows the whole window. */
const SMALL = { width: 1200, height: 720 };

/** A job run takes seconds here, and the first SQL statement waits for its session. */
const PATIENCE_MS = 180_000;
const picked = (value: string, cachedResultName = value) => ({
	...{ __rl: true, mode: 'list' },
	...{ value, cachedResultName },
});
const IN_STORAGE = {
	storageId: picked('stor-acme', 'acme-jobs'),
	pythonUri: picked('jobs/nightly_etl.py'),
};
/** A file with this name makes the run fail in the stand-in for the service. */
const FAILING = { ...IN_STORAGE, pythonUri: picked('jobs/fail.py') };
const STORMS = {
	catalogId: picked('cat-org', 'org_catalog'),
	namespace: picked('noaa'),
	table: picked('hail'),
};
const REPORTS = {
	catalogId: picked('cat-org', 'org_catalog'),
	namespace: picked('surveys'),
	table: picked('reports'),
};
const BY_HAND = {
	...REPORTS,
	row: {
		mappingMode: 'defineBelow',
		value: {
			address: '={{ $json.Address }}',
			location: '=POINT ({{ $json.Longitude }} {{ $json.Latitude }})',
		},
	},
	options: {},
};

interface Studio extends Playground {
	editor: Editor;
	page: Page;
	/**
	 * Opens a copy of a recipe without its notes, which are for those who import it.
	 *
	 * @param parameters changes by node name
	 * @param names new names of nodes by their old ones
	 */
	openRecipe(
		name: string,
		parameters?: Record<string, Record<string, unknown>>,
		names?: Record<string, string>,
	): Promise<void>;
}

/** How each picture is taken; the extension of its file name says what it is. */
const PICTURES: Record<string, (studio: Studio) => Promise<Buffer>> = {
	'first-workflow.gif': firstWorkflow,
	'workflow.png': async ({ page, openRecipe }) => {
		await openRecipe('failed-run-second-try');
		return await executed(page);
	},
	'agent.png': async ({ page, openRecipe }) => {
		await openRecipe('agent-runs-and-explains');
		return await drawing(page);
	},
	'create-job-run.png': async ({ page, openRecipe }) => {
		await openRecipe('submit-and-wait', { 'Submit and wait': IN_STORAGE });
		return await stepOf(page, 'Submit and wait', 'COMPLETED');
	},
	'failed-run.png': async ({ page, openRecipe }) => {
		await openRecipe('submit-and-wait', { 'Submit and wait': FAILING });
		return await stepOf(page, 'Submit and wait', 'Return code: 1');
	},
	'sql.png': async ({ page, openRecipe }) => {
		await openRecipe('sql-result-to-data-table');
		return await stepOf(page, 'Query', 'largest');
	},
	'archive.png': async ({ page, openRecipe }) => {
		await openRecipe('audit-log-daily-to-s3');
		return await executed(page);
	},
	'cost-report.png': async ({ page, openRecipe }) => {
		await openRecipe('weekly-cost-report');
		await executeStep(page, 'Report', 'costliest');
		// In a table, the costliest runs would be cut off at the right.
		await page.getByTestId('output-panel').getByText('Schema', { exact: true }).click();
		return await form(page);
	},
	'insert-rows.png': async ({ page, openRecipe }) => {
		await openRecipe('form-to-table', { 'Insert row': BY_HAND });
		return await fieldsOf(page, 'Insert row', 'reported_at (date and time)');
	},
	'upsert-rows.png': async ({ page, openRecipe }) => {
		const row = { ...BY_HAND.row, matchingColumns: ['address'] };
		await openRecipe('form-to-table', {
			'Insert row': { ...BY_HAND, row, operation: 'upsertRows' },
		});
		return await fieldsOf(page, 'Insert row', 'reported_at (date and time)');
	},
	'delete-rows.png': async ({ page, openRecipe }) => {
		const condition = [
			{ column: 'reported_at', operator: 'less', value: '={{ $now.minus({ days: 90 }) }}' },
		];
		await openRecipe('form-to-table', {
			'Insert row': { ...REPORTS, operation: 'deleteRows', conditions: { condition } },
		});
		return await fieldsOf(page, 'Insert row', 'Spatial Filter');
	},
	'run-output.png': async ({ page, openRecipe }) => {
		await openRecipe('skip-without-new-rows');
		await executeStep(page, 'Submit first job and wait', '12480');
		await page.keyboard.press('Escape');
		await openNode(page, 'New rows?');
		const input = page.getByTestId('ndv-input-panel');
		await input.getByText('Schema', { exact: true }).click();
		await input.getByText('rows', { exact: true }).first().scrollIntoViewIfNeeded();
		return await form(page);
	},
	'api-request.png': async ({ page, openRecipe }) => {
		const node = { resource: 'api', operation: 'request', apiRequest: picked('GET /task-runs') };
		const names = { 'Submit and wait': 'List task runs' };
		await openRecipe('submit-and-wait', { 'Submit and wait': node }, names);
		await executeStep(page, 'List task runs', 'taskRunId');
		await page.getByTestId('output-panel').getByText('Schema', { exact: true }).click();
		return await form(page);
	},
	'run-again.png': async ({ page, openRecipe }) => {
		const changes = { name: '={{ $json.name }}-again', runtime: picked('medium', 'Medium') };
		await openRecipe('failed-run-second-try', { 'Submit again': { changes } });
		return await fieldsOf(page, 'Submit again', 'Simplify');
	},
	'table-changed.png': async ({ page, openRecipe }) => {
		await openRecipe('new-rows-map-by-mail', { 'Table changed': STORMS });
		await openNode(page, 'Table changed');
		await page.getByTestId('trigger-execute-button').click();
		const output = page.getByTestId('output-panel');
		await output.getByText('eventId').first().waitFor({ timeout: PATIENCE_MS });
		await output.getByText('Schema', { exact: true }).click();
		return await form(page);
	},
	'map.png': async ({ page, openRecipe }) => {
		await openRecipe('weekly-map-by-mail');
		await page.setViewportSize({ width: 1600, height: 760 });
		await executeStep(page, 'Query and map', 'map.png');
		const output = page.getByTestId('output-panel');
		await output.getByText('Binary', { exact: true }).click();
		await output.getByTestId('ndv-view-binary-data').first().click();
		await output.locator('img').waitFor();
		return await form(page);
	},
	'trigger.png': async ({ page, openRecipe }) => {
		await openRecipe('alert-on-failed-run');
		await openNode(page, 'Run failed');
		return await form(page);
	},
};

/** The five steps of the README, from an empty workflow to the completed run. */
async function firstWorkflow({ editor, page, n8n }: Studio): Promise<Buffer> {
	const frames: Array<{ picture: Buffer; ms: number }> = [];
	const keep = async (ms = 1_600) => {
		await settle(page);
		frames.push({ picture: await page.screenshot(STILL), ms });
	};
	await page.setViewportSize(SMALL);
	await page.goto(`${n8n.url}/workflow/new`);
	await page.getByText('Add first step…').waitFor();
	await keep();
	await page.getByTestId('node-creator-plus-button').click();
	await page.getByText('Trigger manually').click();
	await page.getByTestId('canvas-node').first().waitFor();
	await keep();
	await page.getByTestId('canvas-handle-plus').first().click();
	await page.getByPlaceholder('Search nodes...').fill('job run');
	await page.getByText('Wherobots', { exact: true }).first().waitFor();
	await keep();
	await page.getByText('Wherobots', { exact: true }).first().click();
	await page.getByText('Create job run', { exact: true }).first().waitFor();
	await keep();
	await page.getByText('Create job run', { exact: true }).first().click();
	await editor.pick('storageId', 'acme-jobs');
	await editor.pick('pythonUri', 'jobs/nightly_etl.py');
	await keep();
	await editor.press('Wait for Completion');
	await keep();
	await page.getByText('Execute step', { exact: true }).last().click();
	await page.getByTestId('output-panel').getByText('COMPLETED').first().waitFor({
		timeout: PATIENCE_MS,
	});
	await readyAgain(page);
	await keep(3_500);
	return animation(frames);
}

/** What covers the drawing: buttons of the editor. */
const OVER_THE_DRAWING = [
	...['node-creator-plus-button', 'command-bar-button', 'add-sticky-button'],
	...['toggle-focus-panel-button', 'instance-ai-canvas-action-button'],
	...['zoom-to-fit', 'zoom-in-button', 'zoom-out-button', 'tidy-up-button'],
	'execute-workflow-button',
];
const MARGIN = 48;

/** Only the drawing, as large as possible. */
async function drawing(page: Page): Promise<Buffer> {
	await page.getByTestId('zoom-to-fit').click();
	// It leaves no room for what follows the last node: how many items it output.
	await page.getByTestId('zoom-out-button').click();
	const hidden = OVER_THE_DRAWING.map((id) => `[data-test-id="${id}"]`).join();
	await page.addStyleTag({ content: `${hidden} { visibility: hidden }` });
	await settle(page);
	const nodes = await page.getByTestId('canvas-node').all();
	const boxes = await Promise.all(nodes.map(async (node) => await node.boundingBox()));
	const edges = boxes.flatMap((box) => (box ? [box] : []));
	const [left, top] = [edges.map(({ x }) => x), edges.map(({ y }) => y)].map((all) =>
		Math.max(0, Math.min(...all) - MARGIN),
	);
	const right = Math.max(...edges.map(({ x, width }) => x + width)) + 2.5 * MARGIN;
	const bottom = Math.max(...edges.map(({ y, height }) => y + height)) + 1.5 * MARGIN;
	const clip = { x: left, y: top, width: right - left, height: bottom - top };
	if (right > VIEWPORT.width) throw new Error('The drawing is cut off at the right');
	return await page.screenshot({ ...STILL, clip });
}

/** The drawing after its workflow was executed. */
async function executed(page: Page): Promise<Buffer> {
	await page.getByRole('button', { name: 'Execute workflow' }).last().click();
	await page.getByText('Workflow executed successfully').waitFor({ timeout: PATIENCE_MS });
	return await drawing(page);
}

/** The form of a node that was executed on its own, with its input and output. */
async function stepOf(page: Page, name: string, outcome: string): Promise<Buffer> {
	await executeStep(page, name, outcome);
	return await form(page);
}

/** Opens a node and executes it on its own. @param outcome what its output then shows */
async function executeStep(page: Page, name: string, outcome: string): Promise<void> {
	await openNode(page, name);
	await page.getByText('Execute step', { exact: true }).last().click();
	const output = page.getByTestId('output-panel');
	await output.getByText(outcome).first().waitFor({ timeout: PATIENCE_MS });
	await readyAgain(page);
}

/** While a step is executed, the button says so, except that it says nothing for a moment. */
async function readyAgain(page: Page): Promise<void> {
	await page.getByText('Execute step', { exact: true }).last().waitFor();
	await page.getByTestId('ndv').locator('[aria-busy="true"]').waitFor({ state: 'detached' });
}

/** The form of the open node, with its input and output. */
async function form(page: Page): Promise<Buffer> {
	await settle(page);
	return await page.getByTestId('ndv').screenshot(STILL);
}

/** The fields of a node alone, all of them. @param last a text that is there once all is loaded */
async function fieldsOf(page: Page, name: string, last: string): Promise<Buffer> {
	await page.setViewportSize(TALL);
	await openNode(page, name);
	const fields = page.locator('.parameter-input-list-wrapper').first();
	await fields.getByText(last, { exact: true }).first().waitFor();
	await settle(page);
	return await fields.screenshot(STILL);
}

const STILL = { animations: 'disabled', caret: 'hide' } as const;

/** Keeps messages from covering anything; those about errors would stay until they are closed. */
async function settle(page: Page): Promise<void> {
	await page.addStyleTag({ content: '.el-notification { display: none !important }' });
	await page.mouse.move(0, 0);
}

async function openNode(page: Page, name: string): Promise<void> {
	await page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
	await page.getByTestId('node-parameters').waitFor();
}

/** Starts the demo with a browser. */
async function openStudio(): Promise<Studio> {
	const playground = await openPlayground(await packedPackage());
	const { n8n, recipes } = playground;
	const editor = await Editor.open(n8n.url, n8n.api.sessionCookie, VIEWPORT);
	atEnd(async () => await editor.close());
	const { page } = editor;
	return {
		...playground,
		editor,
		page,
		openRecipe: async (name, parameters = {}, names = {}) => {
			const recipe = recipes.get(name);
			if (!recipe) throw new Error(`There is no recipe ${name}`);
			const text = Object.entries(names).reduce(
				(before, [from, to]) => before.replaceAll(`"${from}"`, `"${to}"`),
				JSON.stringify(withParameters(recipe, parameters)),
			);
			const workflow = JSON.parse(text) as typeof recipe;
			const nodes = workflow.nodes.filter((node) => node.type !== 'n8n-nodes-base.stickyNote');
			const id = await n8n.api.createWorkflow({ ...workflow, nodes });
			await page.setViewportSize(VIEWPORT);
			await page.goto(`${n8n.url}/workflow/${id}`);
			await page.getByTestId('canvas-node').first().waitFor();
		},
	};
}

async function takePicture(studio: Studio, name: string): Promise<void> {
	const picture = await PICTURES[name](studio);
	const file = path.join(FOLDER, name);
	await writeFile(file, picture);
	process.stderr.write(`  ${file}  ${Math.round(picture.length / 1000)} KB\n`);
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
