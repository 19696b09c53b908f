/** A list without records says what was asked for and how to get more. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { suiteWithSandbox } from '../harness/suite';
import { at } from './parameters';

const suite = suiteWithSandbox({ seed: 'empty' });

const empty = (parameters: INodeParameters, input: IDataObject[] = [{}]) =>
	suite.run(parameters, { input }).then(({ json, hints, error }) => {
		expect(error).toBeUndefined();
		expect(json).toEqual([]);
		return hints;
	});

const runs = { resource: 'jobRun', operation: 'getAll' };

it('names the filters, and no others', async () => {
	const filters = { name: 'nightly-*', region: '', statuses: ['FAILED', 'TIMED_OUT'] };
	expect(await empty({ ...runs, filters })).toEqual([
		"No job runs match 'Name' nightly-* and 'Statuses' FAILED or TIMED_OUT. Change or remove a filter to get results.",
	]);
});

it('says so when there is nothing at all', async () => {
	expect(await empty(runs)).toEqual(['There are no job runs that this account can see.']);
});

it('says it once for many items, and of which', async () => {
	const filters = { name: '={{ $json.name }}' };
	expect(await empty({ ...runs, filters }, [{ name: 'one-*' }, { name: 'two-*' }])).toEqual([
		expect.stringMatching(/^Item [01]: No job runs match 'Name' (one|two)-\*\./),
	]);
});

it.each([
	['auditLog', { filters: { searchTerm: 'nobody, at all' } }, "'Search Term' nobody, at all"],
	['apiKey', { filters: { customerId: 'nobody' } }, "'Owner ID' nobody"],
])('of %s, too', async (resource, more, asked) => {
	const [hint] = await empty({ resource, operation: 'getAll', ...more });
	expect(hint).toContain(asked);
});

it('of an export as items, with its range', async () => {
	const custom = {
		timeRange: 'custom',
		from: '2026-11-20T00:00:00Z',
		to: '2026-11-20T01:00:00Z',
	};
	const parameters = { resource: 'auditLog', operation: 'export', output: 'items', ...custom };
	const hints = await empty({ ...parameters, searchTerm: 'nobody' });
	expect(hints[0]).toMatch(
		/^No events from 2026-11-20T00:00:00Z to 2026-11-20T00:59:59\.999999Z match 'Search Term' nobody\. Change or remove a filter/,
	);
	expect((await empty(parameters))[0]).toMatch(
		/^There are no events from 2026-11-20T00:00:00Z to .* in the log\. Choose a longer range\.$/,
	);
	const earlier = { from: '2025-01-01T00:00:00Z', to: '2025-01-02T00:00:00Z' };
	expect(await empty({ ...parameters, ...earlier })).toEqual([
		expect.stringMatching(/^Wherobots Cloud keeps audit events for 90 days: those .* are gone\./),
	]);
});

it('of what is in a catalog and in a namespace, with where it looked', async () => {
	const { catalogs } = suite.store;
	const catalog = catalogs.create({ id: 'cat-new', name: 'new' });
	expect(await empty({ resource: 'namespace', operation: 'getAll', ...at('cat-new') })).toEqual([
		expect.stringContaining('namespaces in this catalog'),
	]);
	catalog.namespaces.set('bare', { entries: new Map() } as never);
	const tables = { resource: 'table', operation: 'getAll', ...at('cat-new', 'bare') };
	const asked: string[] = [];
	for (const include of ['TABLE', 'VIEW', 'all']) {
		asked.push(...(await empty({ ...tables, include })));
	}
	expect(asked).toEqual([
		expect.stringContaining('There are no tables in this namespace'),
		expect.stringContaining('There are no views in this namespace'),
		expect.stringContaining('There are no tables or views in this namespace'),
	]);
});
