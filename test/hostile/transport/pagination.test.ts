import type { IDataObject } from 'n8n-workflow';

import { LIST_LIMITS, fetchList } from '../../../nodes/Wherobots/transport/records';
import { failureOf, withClient } from '../../engine/harness/probe';
import { suiteWithSharedSandbox } from '../../engine/harness/suite';

const suite = suiteWithSharedSandbox({ seed: 'empty' });

beforeAll(() => {
	for (let i = 0; i < 250; i++) suite.store.createRun({ status: 'COMPLETED' });
});

const list = async () =>
	await withClient(suite.sandbox, async (client) => await fetchList(client, 'listRuns'));

describe('a list of runs', () => {
	it.each([
		['the cursor that was just used', 'repeat', 'already been read', 2],
		['empty pages with a next one', 'emptyWithNext', '21 pages in a row contained nothing new', 22],
		['pages without end', 'endless', 'did not end after 7 pages', 7],
	] as const)('does not loop on %s', async (_, how, what, requests) => {
		suite.fails('listRuns', { kind: 'cursor', how }, { skip: 1 });
		jest.replaceProperty(LIST_LIMITS, 'pages', how === 'endless' ? 7 : 30);
		const error = await failureOf(list());
		expect(error.message).toBe('The list could not be read to the end');
		expect(error.description).toContain(what);
		expect(suite.requests.of('listRuns')).toHaveLength(requests);
	});

	it('with errors is a failed read, however empty and successful its page', async () => {
		const body = { errors: [{ code: 'X', message: 'The list is being rebuilt' }], items: [] };
		suite.responds('listRuns', body);
		const error = await failureOf(list());
		expect(error.message).toBe('The list is being rebuilt');
	});

	it.each([
		['null', null],
		['a list', []],
		['text', 'items'],
		['no items', { next_page: null }],
		['items that are no list', { items: { a: 1 }, next_page: null }],
	])('is not made of %s: another server responded, unless pages came before', async (_, body) => {
		suite.responds('listRuns', body, { skip: 1 });
		expect((await failureOf(list())).message).toBe('The list could not be read to the end');
		suite.responds('listRuns', body);
		const { message, description } = await failureOf(list());
		expect(message).toBe('Wherobots Cloud returned an unexpected response');
		expect(description).toMatch(/: something other than Wherobots Cloud responded\.$/);
		expect(suite.requests.of('listRuns')).toHaveLength(3);
	});

	it('is not made of items that are no records', async () => {
		suite.responds('listRuns', { items: [1, null, 'x'], next_page: null });
		expect((await failureOf(list())).message).toBe('The list could not be read to the end');
		expect(suite.requests.of('listRuns')).toHaveLength(1);
	});

	it.each(['', null, undefined, 0, '0'])('ends where the next page is %j', async (next_page) => {
		suite.responds('listRuns', { items: [{ id: 'a' }], next_page });
		expect(await list()).toEqual([{ id: 'a' }]);
	});

	const full = (from: number) => Array.from({ length: 100 }, (_, i) => ({ id: `r${from + i}` }));
	const answer = (items: object[], total: number, next_page: string | null, times?: number) =>
		suite.responds('listRuns', { items, total, next_page }, { times });

	it.each([
		['a full page', full(0)],
		['an empty page', []],
	])('says so when %s ends it before its total', async (_, early) => {
		answer(full(0), 200, 'next', 1);
		answer(early, 200, null);
		const error = await failureOf(list());
		expect(error.description).toContain('it ended after 100 of 200 records');
		expect(suite.requests.of('listRuns')).toHaveLength(2);
	});

	it.each([
		['the last page is not full, so the total may be of something else', full(0).slice(1), 200],
		['all have come', full(0), 100],
		['more have come than there were at first', full(0), 7],
	])('ends where %s', async (_, items, total) => {
		answer(items, total, null);
		expect(await list()).toEqual(items);
		expect(suite.requests.of('listRuns')).toHaveLength(1);
	});

	it('that grows while it is read counts by its first total', async () => {
		answer(full(0), 200, 'next', 1);
		answer(full(100), 205, null, 1);
		expect(await list()).toHaveLength(200);
	});

	it('continues after empty pages', async () => {
		const pages = [[{ id: 'a' }], ...Array.from({ length: 20 }, () => []), [{ id: 'b' }]];
		pages.forEach((items, index) => {
			const next_page = index === pages.length - 1 ? null : `page-${index}`;
			suite.responds('listRuns', { items, next_page }, { times: 1 });
		});
		expect(await list()).toEqual([{ id: 'a' }, { id: 'b' }]);
	});

	it('returns a record once that several pages repeat, and all that have no ID', async () => {
		const pages = [
			[{ id: 'a' }, { id: 7 }, { name: 'x' }],
			[{ id: 7 }, { id: 'b' }, { name: 'x' }, { event_id: 'b' }, { id: '' }, { id: '' }],
		];
		pages.forEach((items, index) => {
			const next_page = index === 1 ? null : 'more';
			suite.responds('listRuns', { items, next_page }, { times: 1 });
		});
		expect(await list()).toEqual([
			...[{ id: 'a' }, { id: 7 }, { name: 'x' }],
			...[{ id: 'b' }, { name: 'x' }, { event_id: 'b' }, { id: '' }, { id: '' }],
		]);
	});

	it('accepts cursors of any kind as they are', async () => {
		for (const next_page of [7, '9007199254740993', 'a b&c=d/ü+%']) {
			suite.requests.clear();
			suite.responds('listRuns', { items: [{ id: 'a' }], next_page }, { times: 1 });
			suite.responds('listRuns', { items: [{ id: 'b' }], next_page: null }, { times: 1 });
			expect(await list()).toHaveLength(2);
			expect(suite.requests.of('listRuns')[1].query.cursor).toBe(String(next_page));
			suite.faults.clear();
		}
	});

	it('returns no more than the limit, even when pages are larger than requested', async () => {
		const items = Array.from({ length: 80 }, (_, id): IDataObject => ({ id }));
		suite.responds('listRuns', { items, next_page: 'more' });
		const got = await withClient(
			suite.sandbox,
			async (client) => await fetchList(client, 'listRuns', { limit: 30 }),
		);
		expect(got).toHaveLength(30);
		expect(suite.requests.of('listRuns')).toHaveLength(1);
	});
});
