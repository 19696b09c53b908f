/** What docs/demo.md says to try, done in the demo's editor, where nothing is there but what is on the screen. */
import { type Locator } from 'playwright-core';

import { useDemo } from './suite/demo';

/** A session starts with the first statement, and the database of the demo as well. */
const SQL_MS = 200_000;

const demo = useDemo();

const output = (): Locator => demo().page.getByTestId('output-panel');

const execute = async () =>
	await demo().page.getByText('Execute step', { exact: true }).first().click();

test(
	'a query has rows, a mistake in it is shown where it is, and its map is a picture',
	async () => {
		const { editor, page } = demo();
		const enterQuery = async (text: string) => {
			await page.getByTestId('sql-editor-container').locator('.cm-content').click();
			await editor.type(text);
		};
		await editor.addNode('sql', 'Execute SQL query for rows or maps');
		await enterQuery('SELECT name, population FROM demo.cities WHERE population > 1000000');
		await execute();
		await output().getByText('Chicago').first().waitFor({ timeout: SQL_MS });

		await enterQuery('SELEC name FROM demo.cities');
		await execute();
		await output().getByText('Correct the statement').first().waitFor({ timeout: SQL_MS });

		await enterQuery('SELECT name, population, location FROM demo.cities');
		await editor.choose('Output', 'GeoJSON File');
		await editor.press('Draw Map');
		await execute();
		await output().getByText('map.png').first().waitFor({ timeout: SQL_MS });
		await output().getByTestId('ndv-view-binary-data').last().click();
		await output().locator('img').waitFor();
	},
	3 * SQL_MS,
);

test('a key that is created is an event, which the trigger shows', async () => {
	const { editor, page } = demo();
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
