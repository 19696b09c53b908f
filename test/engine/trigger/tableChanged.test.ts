import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { CatalogRecord, TableRecord } from '../../sandbox/model/catalogs';
import { by } from '../../support/files';
import { at } from '../actions/parameters';
import { suiteWithTrigger, type ActiveTrigger, type TriggerOptions } from '../harness/polling';

const MINUTE = 60_000;

const {
	suite,
	pass,
	active: activated,
} = suiteWithTrigger({
	...{ event: 'tableChanged', ...at('cat-org', 'noaa') },
});
const catalogs = () => suite.store.catalogs;

let catalog: CatalogRecord;
let hail: TableRecord;

beforeEach(() => {
	catalog = catalogs().create({ id: 'cat-org', name: 'org_catalog' });
	hail = catalogs().addTable(catalog, 'noaa', { name: 'hail' });
	catalogs().commit(hail, { addedRows: 40 });
});

const HAIL = { table: by('name', 'hail') };
const ANY = { watch: 'namespace' };

const active = async (parameters: INodeParameters = HAIL, options?: TriggerOptions) =>
	await activated(parameters, options);

async function found(trigger: ActiveTrigger, after = MINUTE): Promise<IDataObject[]> {
	pass(after);
	await trigger.poll();
	return trigger.take();
}

const ids = async (trigger: ActiveTrigger, after?: number) =>
	(await found(trigger, after)).map(({ snapshotId }) => snapshotId);

describe.each(['classic', 'durable'] as const)('on the %s engine', (engine) => {
	test('each new snapshot comes once, oldest first, and those from before do not', async () => {
		const before = catalogs().commit(hail);
		const trigger = await active(HAIL, { engine });
		expect(await found(trigger)).toEqual([]);
		const first = catalogs().commit(hail, { addedRows: 2 });
		hail.tags = { '2026-03-01.0': first, latest: first, older: before };
		pass(MINUTE);
		const second = catalogs().commit(hail, { operation: 'overwrite', deletedRows: 3 });
		const place = {
			...{ catalogId: 'cat-org', namespace: 'noaa', table: 'hail', missedSince: null },
			...{ catalog: 'org_catalog', sqlName: 'org_catalog.noaa.hail' },
		};
		const items = await found(trigger);
		expect(Object.keys(items[0]).slice(0, 3)).toEqual(['table', 'operation', 'committedAt']);
		expect(items).toEqual([
			{
				...place,
				snapshotId: first,
				previousSnapshotId: before,
				operation: 'append',
				committedAt: '2026-03-01T12:01:00Z',
				addedRecords: 2,
				deletedRecords: 0,
				totalRecords: 43,
				tags: ['2026-03-01.0', 'latest'],
				eventId: `table/cat-org/noaa/hail/${first}`,
			},
			expect.objectContaining({
				...{ snapshotId: second, previousSnapshotId: first, operation: 'overwrite' },
				...{ addedRecords: 1, deletedRecords: 3, totalRecords: 41, tags: [] },
			}),
		]);
		expect(first).toMatch(/^\d{19}$/);
		expect(await found(trigger)).toEqual([]);
	});
});

describe('the name for SQL', () => {
	test('is null where Spark would read another one', async () => {
		const odd = catalogs().addTable(catalog, 'noaa', { name: 'a${b}' });
		const trigger = await active(ANY);
		catalogs().commit(odd);
		expect(await found(trigger)).toMatchObject([{ catalog: 'org_catalog', sqlName: null }]);
	});

	test('is null where catalogs cannot be listed, and the change is still reported', async () => {
		const trigger = await active();
		suite.fails('listCatalogs', 403);
		const id = catalogs().commit(hail);
		expect(await found(trigger)).toMatchObject([{ snapshotId: id, catalog: null, sqlName: null }]);
	});
});

describe('one table', () => {
	test('costs one request a poll', async () => {
		const trigger = await active();
		suite.requests.clear();
		expect(await found(trigger)).toEqual([]);
		expect(suite.requests.count).toBe(1);
	});

	test('when snapshots expired meanwhile, those that are left come, and it is said since when some are missing', async () => {
		const trigger = await active();
		const last = catalogs().commit(hail);
		expect(await ids(trigger)).toEqual([last]);
		const made = Array.from({ length: 5 }, () => catalogs().commit(hail));
		catalogs().expire(hail, 1);
		expect(await found(trigger)).toMatchObject([
			{ snapshotId: made[4], previousSnapshotId: made[3], missedSince: last },
		]);
		const next = catalogs().commit(hail);
		expect(await found(trigger)).toMatchObject([{ snapshotId: next, missedSince: null }]);
	});

	test('a rollback comes once, and what was there before does not come again', async () => {
		const [first] = hail.snapshots;
		const trigger = await active();
		const second = catalogs().commit(hail);
		expect(await ids(trigger)).toEqual([second]);
		catalogs().rollBack(hail, first.id);
		expect(await found(trigger)).toEqual([]);
		const eventId = `table/cat-org/noaa/hail/${first.id}/rollback/${second}`;
		const event = {
			snapshotId: first.id,
			previousSnapshotId: second,
			operation: 'rollback',
			eventId,
		};
		expect(await found(trigger, 5 * MINUTE)).toMatchObject([event]);
		expect(await found(trigger, 5 * MINUTE)).toEqual([]);
	});

	test('without snapshots, it comes when it was updated', async () => {
		const stores = catalogs().addTable(catalog, 'noaa', { name: 'stores', format: 'DELTA' });
		stores.updateTime = suite.clock.now();
		const trigger = await active({ table: by('name', 'stores') });
		expect(await found(trigger)).toEqual([]);
		stores.updateTime = suite.clock.now();
		expect(await found(trigger)).toMatchObject([
			{
				...{ table: 'stores', snapshotId: null, operation: null, addedRecords: null, tags: [] },
				committedAt: '2026-03-01T12:01:00Z',
				eventId: 'table/cat-org/noaa/stores/2026-03-01T12%3A01%3A00Z',
			},
		]);
		expect(await found(trigger)).toEqual([]);
	});

	test('that does not exist fails when the workflow is published, and says so', async () => {
		const missing = active({ table: by('name', 'snow') });
		await expect(missing).rejects.toThrow('There is no table');
	});
});

describe('any table of a namespace', () => {
	test('each table is read once, then those that were updated', async () => {
		for (let made = 0; made < 30; made++) {
			catalogs().commit(catalogs().addTable(catalog, 'noaa', { name: `tile_${made}` }));
		}
		pass(60 * MINUTE);
		const trigger = await active(ANY);
		expect(suite.requests.of('getTable')).toHaveLength(31);
		suite.requests.clear();
		expect(await found(trigger)).toEqual([]);
		expect(suite.requests.count).toBe(1);
		const made = catalogs().commit(hail);
		suite.requests.clear();
		expect(await found(trigger)).toMatchObject([{ table: 'hail', snapshotId: made }]);
		expect(suite.requests.of('getTable')).toHaveLength(1);
	});

	test('a new table comes with each of its snapshots, a view does not come', async () => {
		const trigger = await active(ANY);
		const snow = catalogs().addTable(catalog, 'noaa', { name: 'snow' });
		const made = [catalogs().commit(snow), catalogs().commit(snow)];
		catalogs().addView(catalog, 'noaa', { name: 'recent', definition: 'SELECT 1', updateTime: 1 });
		expect(await ids(trigger)).toEqual(made);
	});

	test('of more than a thousand tables is refused', async () => {
		for (let made = 0; made < 1_000; made++) {
			catalogs().addTable(catalog, 'noaa', { name: `tile_${made}` });
		}
		await expect(active(ANY)).rejects.toThrow('The namespace has 1001 tables; at most 1000');
	});
});

describe('a service that shows less', () => {
	test.each([HAIL, ANY])('without references, the newest snapshot counts (%j)', async (watched) => {
		suite.variants.tableSnapshots = 'withoutRefs';
		suite.variants.tableUpdateTime = 'list';
		const trigger = await active(watched);
		const made = [catalogs().commit(hail), catalogs().commit(hail)];
		expect(await ids(trigger)).toEqual(made);
		for (let polls = 0; polls < 7; polls++) expect(await found(trigger)).toEqual([]);
		suite.requests.clear();
		expect(await found(trigger)).toEqual([]);
		expect(suite.requests.count).toBe(1);
	});

	test('without snapshots when it is published, only what is new since then comes', async () => {
		const trigger = await active();
		const rewrite = (text: string) => text.replace(/"snapshots":\[[^\]]*\]/, '"snapshots":null');
		const rule = suite.fails('getTable', { kind: 'rewrite', rewrite });
		const late = await active();
		rule.remove();
		const made = catalogs().commit(hail);
		expect(await ids(trigger)).toEqual([made]);
		expect(await ids(late)).toEqual([made]);
	});

	test('errors in place of details are a failed read, not a table without snapshots', async () => {
		const rewrite = () => JSON.stringify({ errors: [{ code: 'BUSY', message: 'Busy' }] });
		suite.fails('getTable', { kind: 'rewrite', rewrite });
		await expect(active()).rejects.toThrow('Busy');
	});

	test('a count that is no number is not made up', async () => {
		const trigger = await active();
		catalogs().commit(hail);
		const rewrite = (text: string) =>
			text.replace(/"added-records":"\d+"/g, '"added-records":"many"');
		suite.fails('getTable', { kind: 'rewrite', rewrite });
		expect(await found(trigger)).toMatchObject([{ addedRecords: null, deletedRecords: 0 }]);
	});

	test('a time that is missing is not made up, and tags may be in capitals', async () => {
		const trigger = await active();
		const made = catalogs().commit(hail);
		hail.tags = { release: made };
		const rewrite = (text: string) =>
			text.replace(/"timestamp-ms":\d+/g, '"timestamp-ms":null').replace('"tag"', '"TAG"');
		suite.fails('getTable', { kind: 'rewrite', rewrite });
		expect(await found(trigger)).toMatchObject([{ committedAt: null, tags: ['release'] }]);
	});
});

describe('a test of the trigger', () => {
	test.each([HAIL, ANY])('shows the newest snapshot (%j)', async (parameters) => {
		const old = catalogs().addTable(catalog, 'noaa', { name: 'old' });
		catalogs().commit(old);
		pass();
		const made = catalogs().commit(hail);
		const trigger = await active(parameters);
		expect(await trigger.test()).toMatchObject([{ table: 'hail', snapshotId: made }]);
	});

	test('passes over a table that cannot be read, unless there is no other', async () => {
		const wind = catalogs().addTable(catalog, 'noaa', { name: 'wind' });
		pass();
		catalogs().commit(wind);
		const trigger = await active(ANY);
		suite.fails('getTable', 404, { path: /wind$/ });
		expect(await trigger.test()).toMatchObject([{ table: 'hail' }]);
		suite.fails('getTable', 404);
		await expect(trigger.test()).rejects.toMatchObject({ httpCode: '404' });
	});
});
