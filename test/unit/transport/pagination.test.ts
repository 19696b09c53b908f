import type { Failure } from '../../../nodes/Wherobots/transport/failure';
import type { CallOptions, Client } from '../../../nodes/Wherobots/transport/client';
import { collect, readPage } from '../../../nodes/Wherobots/transport/records';

/** A client whose service gives these responses one after the other, and the queries that it got. */
function giving(...bodies: unknown[]) {
	const queries: unknown[] = [];
	const client = {
		call: async (_: string, { query }: CallOptions) => {
			queries.push(query);
			return await Promise.resolve(bodies[queries.length - 1]);
		},
	} as unknown as Client;
	return { client, queries };
}

const records = (count: number, from = 0) =>
	Array.from({ length: count }, (_, index) => ({ id: `r${from + index}` }));

describe('a list that ends', () => {
	const full = records(100);

	it.each([
		['with a full page', [{ items: full, total: 101 }], 'after 100 of 101'],
		['with a full page with which all have come', [{ items: full, total: 100 }], undefined],
		['with a full page of a list whose length nobody knows', [{ items: full }], undefined],
		['with a page that is not full', [{ items: records(99), total: 101 }], undefined],
		[
			'with an empty page that another one has named',
			[
				{ items: full, total: 101, next_page: 'n' },
				{ items: [], total: 101 },
			],
			'after 100 of 101',
		],
		['with an empty page at the beginning', [{ items: [], total: 3 }], undefined],
	])('%s', async (_, bodies, says) => {
		const { client, queries } = giving(...bodies);
		const all = await collect(client, 'listRuns').catch(
			(error: Error & Failure) => error.description,
		);
		if (says) expect(all).toContain(`it ended ${says} records`);
		else expect(all).toHaveLength(bodies[0].items.length);
		expect(queries).toHaveLength(bodies.length);
	});
});

describe('a page', () => {
	it('is full when it has as many records as were asked for, and knows its total', async () => {
		const body = { items: records(2), total: 7, next_page: 12 };
		const full = await readPage(giving(body).client, 'listRuns', { size: 2 });
		expect(full).toEqual({ items: body.items, total: 7, next: '12', isFull: true });
		const { isFull } = await readPage(giving(body).client, 'listRuns', { size: 3 });
		expect(isFull).toBe(false);
	});

	it('is never full when no records were asked for', async () => {
		const page = await readPage(giving({ items: [] }).client, 'listRuns', { size: 0 });
		expect(page).toEqual({ items: [], next: undefined, total: undefined, isFull: false });
	});

	it.each([null, '7', 1.5])('has no total where that is %j', async (total) => {
		const page = await readPage(giving({ items: [], total }).client, 'listRuns', {});
		expect(page.total).toBeUndefined();
	});
});

describe('a list', () => {
	it('asks for no more than are wanted, and not at all for none', async () => {
		const { client, queries } = giving(
			{ items: records(100), next_page: 'a' },
			{ items: records(5, 100), next_page: 'b' },
		);
		expect(await collect(client, 'listRuns', { limit: 105 })).toHaveLength(105);
		expect(queries).toEqual([
			{ size: 100, cursor: undefined },
			{ size: 5, cursor: 'a' },
		]);
		const none = giving();
		expect(await collect(none.client, 'listRuns', { limit: 0 })).toEqual([]);
		expect(none.queries).toEqual([]);
	});

	it('is paged as its endpoint says', async () => {
		const { client, queries } = giving(
			{ items: [{ path: 'a' }, { path: 'b' }], next_page: 'n' },
			{ items: [{ path: 'b' }, { path: 'c' }] },
		);
		const keyOf = ({ path }: { path?: unknown }) => `${path}`;
		const all = await collect(client, 'listDirectory', { keyOf, query: { sort: 'name' } });
		expect(all).toEqual([{ path: 'a' }, { path: 'b' }, { path: 'c' }]);
		expect(queries[1]).toEqual({ sort: 'name', limit: 1_000, cursor: 'n' });
	});

	it('follows no cursor twice, and not for ever', async () => {
		const page = (id: string, next_page: string) => ({ items: [{ id }], next_page });
		const again = giving(page('a', 'x'), page('b', 'y'), page('c', 'x'));
		await expect(collect(again.client, 'listRuns')).rejects.toMatchObject({
			description: expect.stringContaining('a page that had already been read'),
		});
		const endless = giving(page('a', 'x'), page('b', 'y'), page('c', 'z'));
		await expect(collect(endless.client, 'listRuns', { maxPages: 2 })).rejects.toMatchObject({
			description: expect.stringContaining('it did not end after 2 pages'),
		});
		expect([again.queries.length, endless.queries.length]).toEqual([3, 2]);
	});

	it('follows twenty pages in a row that bring nothing new, and not one more', async () => {
		const withoutNewRecords = (count: number) =>
			Array.from({ length: count }, (_, index) => ({
				items: index === 0 ? [{ id: 'a' }] : [],
				next_page: `p${index}`,
			}));
		const last = { items: [{ id: 'b' }, { id: 'a' }] };
		const all = await collect(giving(...withoutNewRecords(21), last).client, 'listRuns');
		expect(all).toEqual([{ id: 'a' }, { id: 'b' }]);
		await expect(
			collect(giving(...withoutNewRecords(22), last).client, 'listRuns'),
		).rejects.toMatchObject({
			description: expect.stringContaining('21 pages in a row contained nothing new'),
		});
	});
});
