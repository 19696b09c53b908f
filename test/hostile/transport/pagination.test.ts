import type { IDataObject } from 'n8n-workflow';

import { collect, pages } from '../../../nodes/Wherobots/transport/pagination';
import { RunLog } from '../../../nodes/Wherobots/transport/jobRuns/runLog';
import { failureOf, withClient } from '../../engine/harness/probe';
import { suiteWithSharedSandbox } from '../../engine/harness/suite';
import type { Fault, Sandbox } from '../../sandbox';

const suite = suiteWithSharedSandbox({ seed: 'empty' });
let sandbox: Sandbox;
let runId: string;

beforeAll(() => {
	({ sandbox } = suite);
	for (let i = 0; i < 250; i++) runId = sandbox.store.createRun({ status: 'COMPLETED' }).id;
	sandbox.store.runs.appendLog(
		runId,
		Array.from({ length: 700 }, (_, i) => `line ${i}`),
	);
});

const list = async (maxPages?: number) =>
	await withClient(sandbox, async (client) => await collect(client, 'listRuns', { maxPages }));

async function log(): Promise<string[]> {
	return await withClient(sandbox, async (client) => {
		const raw: string[] = [];
		for await (const lines of new RunLog(client, runId).available()) {
			raw.push(...lines.map((line) => line.raw));
		}
		return raw;
	});
}

const replace = (body: unknown): Fault => ({ kind: 'replace', body: JSON.stringify(body) });

describe('a list of runs', () => {
	it('is read to the end', async () => {
		expect(await list()).toHaveLength(250);
		expect(sandbox.requests.of('listRuns')).toHaveLength(3);
	});

	it.each([
		['the cursor that was just used', 'repeat', 'already been read', 2],
		['empty pages with a next one', 'emptyWithNext', '21 pages in a row contained nothing new', 22],
		['pages without end', 'endless', 'did not end after 7 pages', 7],
	] as const)('does not loop on %s', async (_, how, what, requests) => {
		sandbox.faults.add({ endpoint: 'listRuns', skip: 1, fault: { kind: 'cursor', how } });
		const error = await failureOf(list(how === 'endless' ? 7 : 30));
		expect(error.message).toBe('The list could not be read to the end');
		expect(error.description).toContain(what);
		expect(sandbox.requests.of('listRuns')).toHaveLength(requests);
	});

	it.each([
		['null', null],
		['a list', []],
		['text', 'items'],
		['no items', { next_page: null }],
		['items that are no list', { items: { a: 1 }, next_page: null }],
		['items that are no records', { items: [1, null, 'x'], next_page: null }],
	])('is not made of %s', async (_, body) => {
		sandbox.faults.add({ endpoint: 'listRuns', fault: replace(body) });
		const error = await failureOf(list());
		expect(error.message).toBe('The list could not be read to the end');
		expect(sandbox.requests.of('listRuns')).toHaveLength(1);
	});

	it.each(['', null, undefined, 0, '0'])('ends where the next page is %j', async (next_page) => {
		sandbox.faults.add({
			endpoint: 'listRuns',
			fault: replace({ items: [{ id: 'a' }], next_page }),
		});
		expect(await list()).toEqual([{ id: 'a' }]);
	});

	const full = (from: number) => Array.from({ length: 100 }, (_, i) => ({ id: `r${from + i}` }));
	const answer = (items: object[], total: number, next_page: string | null, times?: number) =>
		sandbox.faults.add({
			endpoint: 'listRuns',
			times,
			fault: replace({ items, total, next_page }),
		});

	it.each([
		['a full page', full(0)],
		['an empty page', []],
	])('is read on when %s ends it before its total', async (_, early) => {
		answer(full(0), 200, 'next', 1);
		answer(early, 200, null, 2);
		answer(full(100), 200, null, 1);
		expect(await list()).toEqual([...full(0), ...full(100)]);
	});

	it('that ends before its total says so', async () => {
		answer(full(0), 200, null);
		const error = await failureOf(list());
		expect(error.description).toContain('it ended after 100 of 200 records');
		expect(sandbox.requests.of('listRuns')).toHaveLength(3);
	});

	it.each([
		['the last page is not full, so the total may be of something else', full(0).slice(1), 200],
		['all have come', full(0), 100],
		['more have come than there were at first', full(0), 7],
	])('ends where %s', async (_, items, total) => {
		answer(items, total, null);
		expect(await list()).toEqual(items);
		expect(sandbox.requests.of('listRuns')).toHaveLength(1);
	});

	it('that grows while it is read counts by its first total', async () => {
		answer(full(0), 200, 'next', 1);
		answer(full(100), 205, null, 1);
		expect(await list()).toHaveLength(200);
	});

	it('goes on behind empty pages', async () => {
		const pages = [[{ id: 'a' }], ...Array.from({ length: 20 }, () => []), [{ id: 'b' }]];
		pages.forEach((items, index) => {
			const next_page = index === pages.length - 1 ? null : `page-${index}`;
			sandbox.faults.add({ endpoint: 'listRuns', times: 1, fault: replace({ items, next_page }) });
		});
		expect(await list()).toEqual([{ id: 'a' }, { id: 'b' }]);
	});

	it('gives a record once that several pages repeat, and all that have no ID', async () => {
		const pages = [
			[{ id: 'a' }, { id: 7 }, { name: 'x' }],
			[{ id: 7 }, { id: 'b' }, { name: 'x' }, { event_id: 'b' }, { id: '' }, { id: '' }],
		];
		pages.forEach((items, index) => {
			const next_page = index === 1 ? null : 'more';
			sandbox.faults.add({ endpoint: 'listRuns', times: 1, fault: replace({ items, next_page }) });
		});
		expect(await list()).toEqual([
			...pages[0],
			...[{ id: 'b' }, { name: 'x' }, { id: '' }, { id: '' }],
		]);
	});

	it('takes cursors of any kind as they are', async () => {
		for (const next_page of [7, '9007199254740993', 'a b&c=d/ü+%']) {
			sandbox.requests.clear();
			sandbox.faults.add({
				endpoint: 'listRuns',
				times: 1,
				fault: replace({ items: [{ id: 'a' }], next_page }),
			});
			sandbox.faults.add({
				endpoint: 'listRuns',
				times: 1,
				fault: replace({ items: [{ id: 'b' }], next_page: null }),
			});
			expect(await list()).toHaveLength(2);
			expect(sandbox.requests.of('listRuns')[1].query.cursor).toBe(String(next_page));
			sandbox.faults.clear();
		}
	});

	it('gives no more than the limit, even when pages are larger than asked for', async () => {
		const items = Array.from({ length: 80 }, (_, id): IDataObject => ({ id }));
		sandbox.faults.add({ endpoint: 'listRuns', fault: replace({ items, next_page: 'more' }) });
		const got = await withClient(
			sandbox,
			async (client) => await collect(client, 'listRuns', { limit: 30 }),
		);
		expect(got).toHaveLength(30);
		expect(sandbox.requests.of('listRuns')).toHaveLength(1);
	});

	it('can be left before its end', async () => {
		await withClient(sandbox, async (client) => {
			for await (const items of pages(client, 'listRuns')) {
				expect(items).toHaveLength(100);
				break;
			}
		});
		expect(sandbox.requests.of('listRuns')).toHaveLength(1);
	});
});

describe('a log', () => {
	it('takes a repeated cursor for its end', async () => {
		sandbox.faults.add({
			endpoint: 'getRunLogs',
			skip: 1,
			fault: { kind: 'cursor', how: 'repeat' },
		});
		expect(await log()).toHaveLength(700);
	});

	it('is not read on for ever over empty pages', async () => {
		sandbox.faults.add({
			endpoint: 'getRunLogs',
			skip: 1,
			fault: { kind: 'cursor', how: 'emptyWithNext' },
		});
		const error = await failureOf(log());
		expect(error.message).toBe('The log could not be read to the end');
		expect(error.description).toContain(runId);
		expect(sandbox.requests.of('getRunLogs').length).toBeLessThan(40);
	});

	it('goes on behind an empty page', async () => {
		const { length } = await log();
		sandbox.variants.logCursorStyle = 'offset';
		sandbox.faults.add({
			endpoint: 'getRunLogs',
			times: 1,
			fault: replace({ items: [], next_page: 10 }),
		});
		expect(await log()).toHaveLength(length - 10);
		sandbox.variants.logCursorStyle = 'timestamp';
	});

	it('does not go back to a page that was read', async () => {
		for (const next_page of [11, 22, 11]) {
			const items = [{ timestamp: next_page * 7, raw: 'x' }];
			sandbox.faults.add({
				endpoint: 'getRunLogs',
				times: 1,
				fault: replace({ items, next_page }),
			});
		}
		expect((await failureOf(log())).description).toContain('already been read');
	});

	it.each([0, '0', '', null])('ends where the next page is %j', async (next_page) => {
		const items = [{ timestamp: 5, raw: 'x' }];
		sandbox.faults.add({ endpoint: 'getRunLogs', fault: replace({ items, next_page }) });
		expect(await log()).toEqual(['x']);
		expect(sandbox.requests.of('getRunLogs')).toHaveLength(1);
	});

	it.each([
		['null', null],
		['no items', {}],
		['items that are no list', { items: 'abc' }],
		['items that are no lines', { items: [null] }],
		['lines without text', { items: [{ timestamp: 1 }] }],
	])('is not made of %s', async (_, body) => {
		sandbox.faults.add({ endpoint: 'getRunLogs', fault: replace(body) });
		expect((await failureOf(log())).message).toBe('The log could not be read to the end');
	});

	it('is complete where the service refuses to give more lines at once', async () => {
		const items = Array.from({ length: 500 }, (_, i) => ({ timestamp: i + 1, raw: String(i) }));
		const page = replace({ items, next_page: null });
		sandbox.faults.add({ endpoint: 'getRunLogs', times: 1, fault: page });
		const refusal: Fault = { kind: 'status', status: 422 };
		sandbox.faults.add({ endpoint: 'getRunLogs', times: 1, fault: refusal });
		sandbox.faults.add({ endpoint: 'getRunLogs', fault: page });
		expect(await log()).toHaveLength(500);
		const sizes = sandbox.requests.of('getRunLogs').map(({ query }) => query.size);
		expect(sizes).toEqual(['500', '1000', '500']);
	});

	it('says so when more lines bear one time than can be asked for', async () => {
		const items = Array.from({ length: 500 }, (_, i) => ({ timestamp: 9, raw: String(i) }));
		const page = replace({ items, next_page: 9 });
		sandbox.faults.add({ endpoint: 'getRunLogs', times: 1, fault: page });
		sandbox.faults.add({
			endpoint: 'getRunLogs',
			times: 1,
			fault: { kind: 'status', status: 422 },
		});
		sandbox.faults.add({ endpoint: 'getRunLogs', fault: page });
		expect((await failureOf(log())).description).toContain(
			'more than 500 lines had the same timestamp',
		);
	});
});
