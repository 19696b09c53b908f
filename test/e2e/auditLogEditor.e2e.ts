import { recordSpan } from './suite/archive';
import { daysAgo } from './suite/calendar';
import { Editor } from './suite/editor';
import { sharedUrl } from './suite/sharedN8n';
import { useStage } from './suite/workflowCases';

describe('Audit Log: Export in the editor', () => {
	const stage = useStage();
	let editor: Editor;

	beforeEach(async () => {
		const { n8n, sandbox, importWorkflow } = stage();
		recordSpan(sandbox, daysAgo(2), daysAgo(0), 200);
		const id = await importWorkflow('test/e2e/workflows/export-day.json', {
			Export: {
				timeRange: 'lastDays',
				days: 2,
				split: 'day',
				options: { fileName: 'year={year}/month={month}/day={day}/audit-log', compress: true },
			},
		});
		editor = await Editor.open(sharedUrl(), n8n.sessionCookie);
		await editor.page.goto(`${sharedUrl()}/workflow/${id}`);
	});

	afterEach(async () => await editor.close());

	test('the form fits the choices, and the output names each file', async () => {
		const { page } = editor;
		await page.getByTestId('canvas-node').filter({ hasText: 'Export' }).dblclick();
		const form = page.getByTestId('node-parameters');
		for (const label of ['Time Range', 'Number of Days', 'Search Term', 'Output', 'Split Into']) {
			await form.getByText(label, { exact: true }).first().waitFor();
		}
		expect(await form.getByText('Start', { exact: true }).count()).toBe(0);
		expect(await form.getByText('Return All', { exact: true }).count()).toBe(0);
		await editor.screenshot('export 1 form');

		await page.getByTestId('node-execute-button').first().click();
		const output = page.getByTestId('output-panel');
		await output.getByText('audit-log.csv.gz').first().waitFor();
		await editor.screenshot('export 2 files');
		await output.getByText('JSON', { exact: true }).click();
		await output.getByText('sha256').first().waitFor();
		await editor.screenshot('export 3 facts');
	});
});
