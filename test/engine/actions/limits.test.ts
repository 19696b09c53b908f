/** Lists give no more than their limit, whole or simplified. */
import { suiteWithSandbox } from '../harness/suite';
import { at } from './parameters';

const suite = suiteWithSandbox();

it.each([
	['API keys', { resource: 'apiKey', operation: 'getAll' }],
	['catalogs', { resource: 'catalog', operation: 'getAll' }],
	['hierarchies', { resource: 'catalog', operation: 'getHierarchy', output: 'catalogs' }],
	['tables of hierarchies', { resource: 'catalog', operation: 'getHierarchy', output: 'tables' }],
	['cloud connections', { resource: 'cloudConnection', operation: 'getAll' }],
	['presets', { resource: 'environmentOverridePreset', operation: 'getAll' }],
	['job runs', { resource: 'jobRun', operation: 'getAll' }],
	['namespaces', { resource: 'namespace', operation: 'getAll', ...at('cat-org') }],
	['tables', { resource: 'table', operation: 'getAll', ...at('cat-org', 'noaa'), include: 'all' }],
])('of %s', async (_, list) => {
	const all = await suite.run({ ...list, returnAll: true });
	const first = await suite.run({ ...list, limit: 1 });
	expect(all.json.length).toBeGreaterThan(1);
	expect(first.json).toEqual(all.json.slice(0, 1));
	expect(first.hints).toEqual([]);
});
