/** What only the editor shows: pickers, errors, and forms whose labels can be read. */
import { type INodeProperties, type INodeTypeDescription } from 'n8n-workflow';
import { type Locator } from 'playwright-core';

import { until } from '../support/until';
import { Editor } from './suite/editor';
import { sharedUrl } from './suite/sharedN8n';
import { useStage } from './suite/stage';

const MEDIUM_HIMEM = /^medium.himem$/i;
const SMALL_GPU = /^small.a10.gpu$/i;

const SUBMIT = 'test/e2e/workflows/submit-and-wait.json';
const TABLE = 'test/e2e/workflows/resources/table.json';
const NOTHING = { __rl: true, mode: 'list', value: '' };

const stage = useStage({ seed: 'demo' });
let editor: Editor;

beforeEach(async () => {
	editor = await Editor.open(sharedUrl(), stage().n8n.sessionCookie);
});

// What is on the screen at the end of each test is kept among the artifacts.
afterEach(async () => {
	await editor.screenshot(`${expect.getState().currentTestName} - end`);
	await editor.close();
});

/** The stage of the test that is running, and the editor of its n8n in a browser. */
const shown = () => ({ ...stage(), editor, page: editor.page });

/** Opens the form of a node of a workflow. */
async function openNode(file: string, node: string, parameters: object = {}): Promise<void> {
	const { editor, importWorkflow } = shown();
	await editor.openNode(await importWorkflow(file, { [node]: { ...parameters } }), node);
}

const picker = (name: string): Locator => shown().page.getByTestId(`resource-locator-${name}`);
const items = (): Locator => shown().page.getByTestId('rlc-item');
const output = (): Locator => shown().page.getByTestId('output-panel');
const execute = async () => await shown().page.getByTestId('node-execute-button').click();

describe('A picker', () => {
	async function choose(name: string, entry: string): Promise<void> {
		await picker(name).getByTestId('rlc-input').click();
		await items().getByText(entry, { exact: true }).click();
		await items().first().waitFor({ state: 'detached' });
	}

	test('of tables goes by the namespace, and that by the catalog', async () => {
		await openNode(TABLE, 'Get table', { catalogId: NOTHING, namespace: NOTHING, table: NOTHING });
		await choose('catalogId', 'org_catalog');
		await choose('namespace', 'überblick 100%');
		await choose('table', 'städte');
		await execute();
		await shown().page.getByText('2060').first().waitFor();
		const [{ path }] = shown().sandbox.requests.of('getTable');
		expect(decodeURIComponent(path)).toBe(
			'/catalogs/cat-org/namespaces/überblick 100%/tables/städte',
		);
	});

	test('keeps a namespace that was typed when another catalog is chosen', async () => {
		await openNode(TABLE, 'Get table', {
			catalogId: { __rl: true, mode: 'list', value: 'cat-org' },
			namespace: { __rl: true, mode: 'name', value: 'sales' },
			table: NOTHING,
		});
		await choose('catalogId', 'lake_glue');
		const typed = picker('namespace').getByTestId('rlc-input');
		await until(async () => (await typed.inputValue()) === 'sales');
		await choose('table', 'stores');
	});

	test('of runtimes can be searched', async () => {
		await openNode(SUBMIT, 'Submit');
		await picker('runtime').getByTestId('rlc-input').click();
		const [himem, gpu] = [MEDIUM_HIMEM, SMALL_GPU].map((hasText) =>
			items().filter({ hasText }).first(),
		);
		await himem.waitFor();
		await shown().page.getByTestId('rlc-search').fill('a10');
		await himem.waitFor({ state: 'detached' });
		await gpu.click();
		await items().first().waitFor({ state: 'detached' });
		expect(await picker('runtime').getByTestId('rlc-input').inputValue()).toMatch(SMALL_GPU);
	});

	test('that cannot load says why', async () => {
		const errors = [{ message: 'Catalogs are not part of your plan' }];
		const fault = { kind: 'status', status: 403, errors } as const;
		shown().sandbox.faults.add({ endpoint: 'listCatalogs', fault });
		await openNode(TABLE, 'Get table', { catalogId: NOTHING });
		await picker('catalogId').getByTestId('rlc-input').click();
		const told = shown().page.getByText('Catalogs are not part of your plan').first();
		await told.waitFor();
		expect(await told.innerText()).not.toContain('<br>');
	});
});

describe('An error', () => {
	test('of what does not exist has a title and a next step, and the rest under its details', async () => {
		await openNode('test/e2e/workflows/list-runs.json', 'List', {
			operation: 'get',
			runId: { __rl: true, mode: 'id', value: 'npqy9q19q4wlm3' },
		});
		await execute();
		const { page } = shown();
		const textOf = async (id: string) => (await page.getByTestId(id).innerText()).trim();
		expect(await textOf('node-error-message')).toBe(
			'There is no job run with the ID "npqy9q19q4wlm3"',
		);
		expect(await textOf('node-error-description')).toBe(
			'Choose one from the list, or enter its ID, not its name. If it is the ID of a task run, use the resource Task Run.',
		);
		await page.locator('.node-error-view__details-summary').first().click();
		const details = await page.locator('.node-error-view__details').first().innerText();
		expect(details).toContain('404');
		expect(details).toContain('NOT_FOUND_ERROR');
		expect(details).toMatch(/"requestId": "\S+"/);
		expect(details).toContain("There is no run 'npqy9q19q4wlm3'.");
	});

	test('of a run that fails shows its cause, place and traceback, line by line', async () => {
		await openNode(SUBMIT, 'Submit', {
			pythonUri: { __rl: true, mode: 'path', value: 's3://my-bucket/jobs/fail.py' },
		});
		await execute();
		const description = await shown().page.getByTestId('node-error-description').innerText();
		expect(description).toMatch(/Run ID: \S+\nLocation: fail.py:31\n/);
		expect(description).toContain('in <module>');
	});
});

test('A credential says where the key comes from and what the address has to be', async () => {
	const { editor, page, sandbox } = shown();
	/** The box below a label of the credential. */
	const box = (label: string): Locator =>
		page
			.getByRole('dialog')
			.getByText(new RegExp(`^${label}\\s*\\*?$`))
			.last()
			.locator('xpath=ancestor::*[.//input][1]//input');
	const save = async () => await page.getByRole('button', { name: 'Save', exact: true }).click();
	await editor.addNode('job run', 'Create job run');
	await page.getByText('Connect to Wherobots').click();
	const origin = page.getByRole('link', { name: 'Settings > API Keys' });
	expect(await origin.getAttribute('href')).toBe('https://cloud.wherobots.com/settings#api-keys');

	await box('API Key').fill(sandbox.credentials.admin.apiKey);
	await box('Base URL').fill('cloud.wherobots.com');
	await save();
	await page.getByText('More details').click();
	await page.getByText("'Base URL' must start with https://. Enter https://api.").waitFor();

	await box('Base URL').fill(sandbox.baseUrl);
	await box('API Key').fill('sandbox-key-of-nobody');
	await save();
	await page.getByText('Wherobots Cloud did not accept the API key or token').waitFor();

	await box('API Key').fill(sandbox.credentials.admin.apiKey);
	await save();
	// The dialog closes when the test of the credential passes.
	await origin.waitFor({ state: 'detached' });
	await page.getByText('Python File', { exact: true }).waitFor();
	expect(sandbox.requests.of('listRuns').length).toBeGreaterThan(0);
});

describe('A form', () => {
	test('offers the actions of recorded audit events, and takes others that are typed', async () => {
		const { editor, page, sandbox } = shown();
		for (const action_name of ['LOGIN', 'DELETE_TABLE', 'READ_FILE']) {
			sandbox.store.recordEvent({ action_name });
		}
		await openNode('test/e2e/workflows/trigger-audit.json', 'Event recorded');
		const fetch = async () => await page.getByTestId('trigger-execute-button').click();
		await editor.addOption('Action Names or IDs');
		await editor.choose('Action Names or IDs', 'LOGIN');
		await page.keyboard.press('Escape');
		await fetch();
		await output().getByText('LOGIN').first().waitFor();
		expect(await output().getByText('READ_FILE').count()).toBe(0);

		await editor.enterExpression('Action Names or IDs', 'read_file, REVOKE_NOTHING');
		await fetch();
		await output().getByText('READ_FILE').first().waitFor();
		expect(await output().getByText('LOGIN').count()).toBe(0);
	});

	test('cuts no label, not even beside the buttons that appear when it is pointed at', async () => {
		await openNode(TABLE, 'Get table', {
			operation: 'getRows',
			conditions: { condition: [{ operator: 'equals', value: '1' }] },
		});
		const types = await shown().n8n.request<INodeTypeDescription[]>('GET', '/types/nodes.json');
		const own = types.filter(({ name }) => name.startsWith('n8n-nodes-wherobots.'));
		const form = own.flatMap(({ properties }) => properties);
		const tooLong = 'Cancel Job Run When the Execution Is Stopped';
		expect(await cut([tooLong, ...form.map(labelOf)], 'Must Match')).toEqual([tooLong]);
		const inner = form.flatMap(fieldsWithin).map(labelOf);
		expect(await cut([tooLong, ...inner], 'Condition')).toEqual([tooLong]);
	});

	test('lists its own operations alone: n8n adds no Custom API Call', async () => {
		const types = await shown().n8n.request<INodeTypeDescription[]>('GET', '/types/nodes.json');
		const own = types.filter(({ name }) => name.startsWith('n8n-nodes-wherobots.'));
		const chosen = own
			.flatMap(({ properties }) => properties)
			.filter(({ name }) => ['resource', 'operation'].includes(name))
			.flatMap(({ options = [] }) => options.map(({ name }) => name));
		expect(chosen).toContain('Job Run');
		expect(chosen).not.toContain('Custom API Call');
	});

	const labelOf = ({ type, displayName }: INodeProperties) =>
		['notice', 'callout', 'hidden'].includes(type) ? '' : displayName;

	/** Those of the texts that are too long for the place of a label of the form. */
	const cut = async (texts: string[], label: string): Promise<string[]> =>
		await shown()
			.editor.label(label)
			.evaluate(
				(element, all) => {
					// The type of what is in a page is not known here.
					const place = element as unknown as Record<'textContent', string> &
						Record<'clientWidth' | 'scrollWidth', number>;
					return all.filter((text) => {
						place.textContent = text;
						return place.scrollWidth > place.clientWidth;
					});
				},
				[...new Set(texts)],
			);
});

/** The fields of collections, at any depth. */
function fieldsWithin(entry: INodeProperties): INodeProperties[] {
	return (entry.options ?? []).flatMap((option) => {
		const fields = 'values' in option ? option.values : 'type' in option ? [option] : [];
		return fields.flatMap((field) => [field, ...fieldsWithin(field)]);
	});
}
