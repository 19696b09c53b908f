/** Lists that lead nowhere, and requests that fail in the middle of one. */
import type { Page } from '../../../../nodes/Wherobots/transport/pagination';
import { read, refused, type Row } from './rowPages';

/** A list whose second page is the first of so many that bring nothing new; one that does ends it. */
function barren(count: number, items: Row[]): Record<string, Page<Row>> {
	const pages: Record<string, Page<Row>> = { '': { items: [{ id: 1 }], next: '1' } };
	for (let page = 1; page <= count; page++) pages[page] = { items, next: String(page + 1) };
	return { ...pages, [count + 1]: { items: [{ id: 2 }] } };
}

describe.each([
	['empty pages', []],
	['pages that repeat a record', [{ id: 1 }]],
])('%s', (_, items) => {
	test('are followed twenty times in a row', async () => {
		const { taken } = await read(barren(20, items));
		expect(new Set(taken)).toEqual(new Set([1, 2]));
	});

	test('are an error when there are more in a row', async () => {
		await expect(read(barren(21, items))).rejects.toThrow('21 pages in a row');
	});

	test('are counted anew after a page that brings something', async () => {
		const { taken } = await read({ ...barren(30, items), 15: { items: [{ id: 3 }], next: '16' } });
		expect(new Set(taken)).toEqual(new Set([1, 2, 3]));
	});
});

test('a circle of several pages is an error', async () => {
	const circle = {
		'': { items: [{ id: 1 }], next: 'a' },
		a: { items: [{ id: 2 }], next: 'b' },
		b: { items: [{ id: 3 }], next: 'a' },
	};
	await expect(read(circle)).rejects.toThrow('already been read');
});

test('a stored cursor whose page names it again is an error, since the next poll would get no further', async () => {
	const pages = { stored: { items: [{ id: 1 }], next: 'stored' } };
	await expect(read(pages, { cursor: 'stored', most: 1 })).rejects.toThrow('already been read');
});

test('where a stored cursor is accepted, a refusal of the next one is a failure', async () => {
	const pages = { stored: { items: [{ id: 1 }], next: 'b' } };
	await expect(read(pages, { cursor: 'stored' })).rejects.toBe(refused);
});

test('a poll whose only request fails has failed, though its time is over', async () => {
	await expect(read({}, { cursor: 'stored', suspects: false, most: 1 })).rejects.toBe(refused);
});

test('a poll whose time ends with a failed page goes on there the next time', async () => {
	const { result } = await read({ '': { items: [{ id: 1 }], next: 'a' } }, { most: 2 });
	expect(result).toMatchObject({ kind: 'truncated', resume: { cursor: 'a' } });
});

test.each([
	['first', '', {}, 1],
	['stored', 'stored', { cursor: 'stored' }, 2],
])(
	'a %s page that cannot be read again before the time is over counts as it came',
	async (_, cursor, options, pages) => {
		const early: [Page<Row>] = [{ items: [{ id: 1 }], total: 2, isFull: true }];
		const { result } = await read({ [cursor]: early }, { ...options, most: 2 });
		expect(result).toMatchObject({ kind: 'complete', pages, short: true });
	},
);

test('a page that cannot be read again fails while there is time', async () => {
	const early: [Page<Row>] = [{ items: [{ id: 1 }], total: 2, isFull: true }];
	await expect(read({ '': early })).rejects.toBe(refused);
});

test('a page that was asked for again is one page, and shows a list at one moment', async () => {
	const early = { items: [{ id: 1 }], total: 2, isFull: true };
	const { result, requested } = await read({ '': early });
	expect(requested).toHaveLength(3);
	expect(result).toMatchObject({ kind: 'complete', pages: 1 });
});

test('a first page that was read before counts, with what it showed', async () => {
	const reading = { newest: 7, oldestNew: 5 };
	const first = { items: [{ id: 1 }], next: 'a', reading };
	const { result, requested } = await read({ a: { items: [{ id: 2 }] } }, { first });
	expect(requested).toEqual(['a']);
	expect(result).toMatchObject({ kind: 'complete', pages: 2, ...reading });
});
