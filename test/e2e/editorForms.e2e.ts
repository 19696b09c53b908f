/** What forms offer, in the editor: lists that are filled, labels that can be read. */
import { type INodeProperties, type INodeTypeDescription } from 'n8n-workflow';
import { type Locator, type Page } from 'playwright-core';

import { Editor } from './suite/editor';
import { sharedUrl } from './suite/sharedN8n';
import { useStage } from './suite/workflowCases';

describe('Forms, in the editor', () => {
	const stage = useStage();
	let editor: Editor;
	let page: Page;

	beforeEach(async () => {
		editor = await Editor.open(sharedUrl(), stage().n8n.sessionCookie);
		({ page } = editor);
	});

	afterEach(async () => {
		await editor.screenshot(`${expect.getState().currentTestName} - end`);
		await editor.close();
	});

	const output = (): Locator => page.getByTestId('output-panel');

	test('the status to filter by is the one that the output shows, also of timeouts reported as failures', async () => {
		const { store } = stage().sandbox;
		const plan = { pendingMs: 1_000, runningMs: 1_000 };
		const ended = { createTime: Date.now() - 600_000 };
		store.createRun({ ...ended, name: 'too-long', plan: { ...plan, outcome: 'FAILED_TIMEOUT' } });
		store.createRun({ ...ended, name: 'broken', plan: { ...plan, outcome: 'FAILED' } });
		const workflow = await stage().importWorkflow('test/e2e/workflows/list-runs.json', {
			List: { filters: { status: [] } },
		});
		await editor.openNode(workflow, 'List');
		await editor.choose('Status', 'Timed Out');
		await page.keyboard.press('Escape');
		await page.getByTestId('node-execute-button').click();
		await output().getByText('too-long').first().waitFor();
		await output().getByText('TIMED_OUT').first().waitFor();
		expect(await output().getByText('broken').count()).toBe(0);
	});

	test('actions of audit events are chosen from the recorded ones, or typed', async () => {
		for (const action_name of ['CREATE_API_KEY', 'DELETE_TABLE', 'CREATE_JOB_RUN']) {
			stage().sandbox.store.recordEvent({ action_name });
		}
		const workflow = await stage().importWorkflow('test/e2e/workflows/trigger-audit.json');
		await editor.openNode(workflow, 'Event recorded');
		await editor.addOption('Action Names or IDs');
		await editor.choose('Action Names or IDs', 'DELETE_TABLE');
		await page.keyboard.press('Escape');
		await editor.screenshot('18 action names');
		await page.getByTestId('trigger-execute-button').click();
		await output().getByText('DELETE_TABLE').first().waitFor();
		expect(await output().getByText('CREATE_JOB_RUN').count()).toBe(0);

		await editor.enterExpression('Action Names or IDs', 'create_job_run, REVOKE_API_KEY');
		await page.getByTestId('trigger-execute-button').click();
		await output().getByText('CREATE_JOB_RUN').first().waitFor();
		expect(await output().getByText('DELETE_TABLE').count()).toBe(0);
	});

	test('no label is cut, not even beside the buttons that appear when it is pointed at', async () => {
		const workflow = await stage().importWorkflow('test/e2e/workflows/resources/table.json', {
			'Get table': {
				operation: 'getRows',
				conditions: { condition: [{ operator: 'equals', value: '1' }] },
			},
		});
		await editor.openNode(workflow, 'Get table');
		const types = await stage().n8n.request<INodeTypeDescription[]>('GET', '/types/nodes.json');
		const own = types.filter(({ name }) => name.startsWith('n8n-nodes-wherobots.'));
		const form = own.flatMap(({ properties }) => properties);
		const tooLong = 'Cancel Job Run When the Execution Is Stopped';
		expect(await cut([tooLong, ...form.map(labelOf)], 'Must Match')).toEqual([tooLong]);
		const inner = form.flatMap(fieldsWithin).map(labelOf);
		expect(await cut([tooLong, ...inner], 'Condition')).toEqual([tooLong]);
	});

	const labelOf = ({ type, displayName }: INodeProperties) =>
		['notice', 'callout', 'hidden'].includes(type) ? '' : displayName;

	/** Those of the texts that are too long for the place of a label of the form. */
	const cut = async (texts: string[], label: string): Promise<string[]> =>
		await editor.label(label).evaluate(
			(element, all) => {
				// The type of what is in a page is not known here.
				const shown = element as unknown as Record<'textContent', string> &
					Record<'clientWidth' | 'scrollWidth', number>;
				return all.filter((text) => {
					shown.textContent = text;
					return shown.scrollWidth > shown.clientWidth;
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
