import { loadOptions, pick } from '../../harness/pickers';
import { at } from '../parameters';
import { suiteWithTable } from './tables';

const { suite } = suiteWithTable();

describe('the form of Get Rows', () => {
	const table = { resource: 'table', operation: 'getRows', ...at('cat-org', 'surveys', 'places') };

	it('offers the columns of the table with their types', async () => {
		const columns = await loadOptions(suite.sandbox, 'getColumns', table);
		expect(columns.slice(0, 2)).toEqual([
			{ name: 'id', value: 'id', description: 'whole number' },
			{ name: 'name', value: 'name', description: 'text' },
		]);
	});

	it('has no columns to offer before a table is chosen', async () => {
		for (const value of ['', { __rl: true, mode: 'list', value: '' }]) {
			const unchosen = { ...table, table: value };
			expect(await loadOptions(suite.sandbox, 'getColumns', unchosen)).toEqual([]);
		}
		const chosenLater = { ...table, table: '={{ $json.table }}' };
		await expect(loadOptions(suite.sandbox, 'getColumns', chosenLater)).rejects.toThrow(
			"Choose a value for 'Table' first",
		);
	});

	it('offers tags and snapshots, newest first', async () => {
		const { results } = await pick(suite.sandbox, 'searchVersions', { parameters: table });
		expect(results.map(({ name }) => name)).toEqual([
			'20261118 (tag)',
			'2026-11-18.0 (tag)',
			expect.stringMatching(/^9223372036854775807 \(.*append\)$/),
			expect.stringMatching(/^13 \(.*replace\)$/),
			expect.stringMatching(/^12 \(/),
			expect.stringMatching(/^11 \(/),
		]);
	});
});
