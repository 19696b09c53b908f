/** What docs/demo.md says to try, done in the demo's editor, where nothing is there but what is on the screen. */
import { PNG } from 'pngjs';
import { type Locator, type Page } from 'playwright-core';

import { DEMO_MS, type Demo, startDemo } from './suite/demo';
import { type Editor } from './suite/editor';

/** A session starts with the first statement, and the database of the demo as well. */
const SQL_MS = 120_000;

const LAND = '#fbfaf7';
const SEA = '#e6eef4';

let demo: Demo;
let editor: Editor;
let page: Page;

beforeAll(async () => {
	demo = await startDemo();
	({ editor } = demo);
	({ page } = editor);
}, DEMO_MS + 10_000);

afterEach(async () => await editor?.screenshot(`by hand - ${expect.getState().currentTestName}`));
afterAll(async () => await demo?.stop());

const output = (): Locator => page.getByTestId('output-panel');

const execute = async () => await page.getByText('Execute step', { exact: true }).first().click();

async function enterQuery(text: string): Promise<void> {
	await page.getByTestId('sql-editor-container').locator('.cm-content').click();
	await editor.type(text);
}

/** The colors of a picture on the screen, each with its share of the pixels. */
async function colorsOf(picture: Locator): Promise<(color: string) => number> {
	const { data } = PNG.sync.read(await picture.screenshot());
	const counts = new Map<string, number>();
	for (let at = 0; at < data.length; at += 4) {
		const color = `#${data.subarray(at, at + 3).toString('hex')}`;
		counts.set(color, (counts.get(color) ?? 0) + 1);
	}
	return (color) => (4 * (counts.get(color) ?? 0)) / data.length;
}

test(
	'a query has rows, a mistake in it is shown where it is, and its map lies over land',
	async () => {
		await editor.addNode('sql', 'Execute SQL query for rows or map');
		await enterQuery('SELECT name, population FROM demo.cities WHERE population > 1000000');
		await execute();
		await output().getByText('Chicago').first().waitFor({ timeout: SQL_MS });
		await editor.screenshot('by hand 1 rows');

		await enterQuery('SELEC name FROM demo.cities');
		await execute();
		await output().getByText('Correct the statement').first().waitFor({ timeout: SQL_MS });
		await editor.screenshot('by hand 2 mistake');

		await enterQuery('SELECT name, population, location FROM demo.cities');
		await editor.choose('Output', 'GeoJSON File');
		await editor.addOption('Draw Map');
		await editor.press('Draw Map');
		await execute();
		await output().getByText('map.png').first().waitFor({ timeout: SQL_MS });
		await output().getByTestId('ndv-view-binary-data').last().click();
		const picture = output().locator('img');
		await picture.waitFor();
		const shareOf = await colorsOf(picture);
		expect(shareOf(LAND)).toBeGreaterThan(0.1);
		expect(shareOf(SEA)).toBeGreaterThan(0.1);
	},
	3 * SQL_MS,
);

test('a key that is created is an event, which the trigger shows', async () => {
	await editor.addNode('api key', 'Create API key');
	await editor.field('Name').fill('made-by-hand');
	await execute();
	await output().getByText('made-by-hand').first().waitFor();

	await editor.addNode('audit event', 'On audit event recorded');
	await page.getByText('Fetch Test Event', { exact: true }).first().click();
	// As a schema, n8n shows only the first of the events.
	await output().getByText('Table', { exact: true }).click();
	await output().getByText('CREATE_API_KEY').first().waitFor();
	await output().getByText('made-by-hand').first().waitFor();
});
