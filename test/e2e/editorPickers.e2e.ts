import { type Locator, type Page } from 'playwright-core';

import { Editor } from './suite/editor';
import { sharedUrl } from './suite/sharedN8n';
import { people } from '../sandbox/model/people';
import { until } from '../support/until';
import { useStage } from './suite/workflowCases';

describe('In the editor, with a credential', () => {
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

	/** Opens the form of a node of a workflow. */
	async function openNode(
		file: string,
		node: string,
		parameters: Record<string, unknown> = {},
	): Promise<void> {
		const workflow = await stage().importWorkflow(file, { [node]: parameters });
		await editor.openNode(workflow, node);
	}

	const picker = (name: string): Locator => page.getByTestId(`resource-locator-${name}`);

	async function choose(name: string, entry: string | RegExp): Promise<void> {
		await picker(name).getByTestId('rlc-input').click();
		const item = page.getByTestId('rlc-item').getByText(entry, { exact: true });
		await item.waitFor();
		await editor.screenshot(`7 ${name} picker`);
		await item.click();
		await page.getByTestId('rlc-item').first().waitFor({ state: 'detached' });
	}

	test('a table is picked from its namespace, and that from its catalog', async () => {
		const nothing = { __rl: true, mode: 'list', value: '' };
		await openNode('test/e2e/workflows/resources/table.json', 'Get table', {
			catalogId: nothing,
			namespace: nothing,
			table: nothing,
		});
		await choose('catalogId', 'org_catalog');
		await choose('namespace', 'überblick 100%');
		await choose('table', 'städte');
		await page.getByTestId('node-execute-button').click();
		await page.getByText('2060').first().waitFor();
		const [{ path }] = stage().sandbox.requests.of('getTable');
		expect(decodeURIComponent(path)).toBe(
			'/catalogs/cat-org/namespaces/überblick 100%/tables/städte',
		);
	});

	test('a namespace that was typed stays when another catalog is chosen', async () => {
		await openNode('test/e2e/workflows/resources/table.json', 'Get table', {
			catalogId: { __rl: true, mode: 'list', value: 'cat-org' },
			namespace: { __rl: true, mode: 'name', value: 'sales' },
			table: { __rl: true, mode: 'list', value: '' },
		});
		await choose('catalogId', 'lake_glue');
		const typed = picker('namespace').getByTestId('rlc-input');
		await until(async () => (await typed.inputValue()) === 'sales');
		await choose('table', 'stores');
	});

	test('a file is picked from its storage', async () => {
		const nothing = { __rl: true, mode: 'list', value: '' };
		await openNode('test/e2e/workflows/resources/file.json', 'Download', {
			storageId: nothing,
			filePath: nothing,
		});
		await choose('storageId', 'acme-jobs');
		await choose('filePath', 'jobs/nightly_etl.py');
		await page.getByTestId('node-execute-button').click();
		await page.getByText('nightly_etl.py').first().waitFor();
		await until(() => stage().sandbox.presigned.requests.length > 0);
		expect(stage().sandbox.requests.of('downloadFile')[0].path).toBe(
			'/storage/stor-acme/files/jobs/nightly_etl.py',
		);
	});

	test('a SQL session is picked by its runtime and region, and shut down', async () => {
		const { sessions } = stage().sandbox.sql;
		const [chosen] = ['small', 'tiny'].map((runtimeId) =>
			sessions.findOrCreate({
				region: 'aws-us-west-2',
				ownerId: people.admin.id,
				payload: { runtimeId, sessionType: 'multi' },
			}),
		);
		await openNode('test/e2e/workflows/resources/sql-session.json', 'Shut down');
		await choose('sessionId', /^small, aws-us-west-2, /);
		await page.getByTestId('node-execute-button').click();
		await until(() => sessions.statusOf(chosen).startsWith('DESTROY'));
		await page.getByText(chosen.id).first().waitFor();
		expect(stage().sandbox.requests.of('deleteSqlSession')).toHaveLength(1);
	});

	test('a picker that cannot load says why', async () => {
		stage().sandbox.faults.add({
			endpoint: 'listCatalogs',
			fault: {
				kind: 'status',
				status: 403,
				errors: [{ message: 'Catalogs are not part of your plan' }],
			},
		});
		await openNode('test/e2e/workflows/resources/table.json', 'Get table', {
			catalogId: { __rl: true, mode: 'list', value: '' },
		});
		await picker('catalogId').getByTestId('rlc-input').click();
		const shown = page.getByText('Catalogs are not part of your plan').first();
		await shown.waitFor();
		await editor.screenshot('8 picker error');
		expect(await shown.innerText()).not.toContain('<br>');
	});

	test('an empty list says what was asked for, and how to get more', async () => {
		await openNode('test/e2e/workflows/list-runs.json', 'List', {
			filters: { name: 'nothing-*' },
		});
		await page.getByTestId('node-execute-button').click();
		await page.getByText("No job runs match 'Name' nothing-*.").first().waitFor();
		await editor.screenshot('15 empty list');
	});

	test('a run that fails shows its cause, place and traceback, line by line', async () => {
		await openNode('test/e2e/workflows/submit-and-wait.json', 'Submit', {
			pythonUri: 's3://my-bucket/jobs/fail.py',
		});
		await page.getByTestId('node-execute-button').click();
		const description = page.getByTestId('node-error-description');
		await description.waitFor();
		await editor.screenshot('9 failed run');
		expect(await description.innerText()).toMatch(/Run ID: \S+\nLocation: fail.py:31\n/);
		expect(await description.innerText()).toContain('in <module>');
	});

	test('the export shows its form and its output', async () => {
		await openNode('test/e2e/workflows/resources/audit-log.json', 'Export items', {
			output: 'file',
			timeRange: 'previousDay',
		});
		await editor.screenshot('10 export form');
		await page.getByTestId('node-execute-button').click();
		// What came out first is the file; beside it are the facts about it.
		await page
			.getByText(/\.csv$/)
			.first()
			.waitFor();
		await editor.screenshot('11 export file');
		await page.getByTestId('output-panel').getByText('JSON', { exact: true }).click();
		await page.getByText('sha256').first().waitFor();
		await editor.screenshot('12 export facts');
	});

	test('the trigger shows its form and fetches a test event', async () => {
		await openNode('test/e2e/workflows/trigger-runs.json', 'Run changed');
		await editor.screenshot('13 trigger form');
		await page.getByTestId('trigger-execute-button').click();
		await page.getByText('eventId').first().waitFor();
		await editor.screenshot('14 trigger test event');
	});
});
