import { readPages } from '../../../../nodes/Wherobots/trigger/core/readPages';
import type { Page } from '../../../../nodes/Wherobots/transport/pagination';
import { read, refused, timeless, type Row } from './rowPages';

test('a page that fails is not the end of its list', async () => {
	await expect(read({ '': { items: [{ id: 1 }], next: 'b' } })).rejects.toBe(refused);
});

test('a list that there is no time to read to its end is cut, and says where it goes on', async () => {
	const pages = { '': { items: [{ id: 1 }], next: 'b' }, b: { items: [{ id: 2 }] } };
	const { result, taken } = await read(pages, { most: 1 });
	expect(result).toMatchObject({ kind: 'truncated', resume: { cursor: 'b' } });
	expect(taken).toEqual([1]);
});

test('a list whose stored cursor is refused is begun anew, once it may be the cursor', async () => {
	const { result, requested } = await read({ '': { items: [{ id: 1 }] } }, { cursor: 'stored' });
	expect(result).toEqual({ kind: 'restart' });
	expect(requested).toEqual(['stored']);
	const unsuspected = read({}, { cursor: 'stored', suspects: false });
	await expect(unsuspected).rejects.toBe(refused);
});

test('a cursor that this reading was given is not a stored one', async () => {
	await expect(read({ '': { items: [{ id: 1 }], next: 'a' } })).rejects.toBe(refused);
});

test('empty pages that name a next one are followed, and what comes after them is taken', async () => {
	const { result, taken } = await read({
		'': { items: [{ id: 1 }], next: 'a' },
		a: { items: [], next: 'b' },
		b: { items: [], next: 'c' },
		c: { items: [{ id: 2 }] },
	});
	expect(taken).toEqual([1, 2]);
	expect(result).toMatchObject({ kind: 'complete', pages: 4, shifted: false });
});

test('an empty last page is asked for once more', async () => {
	const { requested } = await read({ '': { items: [{ id: 1 }], next: 'a' }, a: { items: [] } });
	expect(requested).toEqual(['', 'a', 'a']);
});

describe('a page that ends the list before its total', () => {
	const two = [{ id: 1 }, { id: 2 }];

	/** The pages that come, one after the other, whatever is asked for. */
	async function readInTurn(pages: Array<Page<Row>>) {
		let asked = 0;
		const result = await readPages<Row>({
			source: timeless(true),
			budget: { spent: () => false },
			readPage: async () => await Promise.resolve(pages[Math.min(asked++, pages.length - 1)]),
			keyOf: ({ id }) => String(id),
			take: () => ({}),
		});
		return { result, asked };
	}

	test.each([
		['full', { items: two, total: 4, isFull: true }],
		['empty', { items: [], total: 4 }],
	])('is asked for again: a %s one', async (_, early) => {
		const before = { items: two, next: 'a', total: 4, isFull: true };
		const last = { items: [{ id: 3 }, { id: 4 }], total: 4, isFull: true };
		const { result } = await readInTurn([before, early, last]);
		expect(result).toMatchObject({ kind: 'complete', short: false });
	});

	test('is believed in the end, but the list counts as short', async () => {
		const { result, asked } = await readInTurn([{ items: two, total: 4, isFull: true }]);
		expect(result).toMatchObject({ kind: 'complete', short: true, shifted: false });
		expect(asked).toBe(3);
	});

	test('is asked for again, too, when the total has grown in the meantime', async () => {
		const first = { items: two, next: 'a', total: 4, isFull: true };
		const early = { items: [{ id: 3 }, { id: 4 }], total: 6, isFull: true };
		const { asked } = await readInTurn([first, early]);
		expect(asked).toBe(4);
	});

	test('is not asked for again when it is not full: the total may be of something else', async () => {
		const { result, asked } = await readInTurn([{ items: two, total: 4 }]);
		expect(result).toMatchObject({ kind: 'complete', short: true });
		expect(asked).toBe(1);
	});

	test('is asked for again when it is the only one and empty', async () => {
		const { result, asked } = await readInTurn([{ items: [], total: 4 }]);
		expect(result).toMatchObject({ kind: 'complete', short: true });
		expect(asked).toBe(3);
	});

	test('an empty last page costs no second request when all records have come', async () => {
		const { asked } = await readInTurn([
			{ items: two, next: 'a', total: 2 },
			{ items: [], total: 2 },
		]);
		expect(asked).toBe(2);
	});
});

test('a record that comes twice says that the pages have shifted', async () => {
	const { result } = await read({
		'': { items: [{ id: 1 }, { id: 2 }], next: 'a' },
		a: { items: [{ id: 2 }, { id: 3 }] },
	});
	expect(result).toMatchObject({ kind: 'complete', shifted: true });
});

test('pages in a circle are an error', async () => {
	const circle = { '': { items: [{ id: 1 }], next: 'a' }, a: { items: [{ id: 2 }], next: 'a' } };
	await expect(read(circle)).rejects.toThrow('already been read');
});

test('a total that falls from one page to another says that a replica that is behind gave one of them', async () => {
	const { result } = await read({
		'': { items: [{ id: 1 }, { id: 2 }], next: 'a', total: 6 },
		a: { items: [{ id: 3 }], next: 'b', total: 12 },
		b: { items: [{ id: 4 }], total: 6 },
	});
	expect(result).toMatchObject({ kind: 'complete', short: true });
});

test('a total that rises does not: records are added all the time', async () => {
	const { result } = await read({
		'': { items: [{ id: 1 }, { id: 2 }], next: 'a', total: 3 },
		a: { items: [{ id: 3 }], total: 4 },
	});
	expect(result).toMatchObject({ kind: 'complete', shifted: false, short: false });
});

describe('what the pages so far have shown is known to the poll that reads the rest', () => {
	const first = { items: [{ id: 1 }, { id: 2 }], next: 'a', total: 4 };
	const whole = { items: [{ id: 3 }, { id: 4 }], total: 4 };
	const odd = { items: [{ id: 2 }], next: 'b' };
	const low = { items: [{ id: 3 }], next: 'b', total: 3 };
	const last = { items: [{ id: 4 }], total: 4 };

	test.each<[string, object, number, Record<string, Page<Row>>]>([
		['nothing odd', { shifted: false, short: false }, 1, { '': first, a: whole }],
		['a record that came twice', { shifted: true }, 2, { '': first, a: odd, b: last }],
		[
			'the last record, which the rest repeats',
			{ shifted: true },
			1,
			{ '': first, a: odd, b: last },
		],
		[
			'the last record, which a later page repeats',
			{ shifted: true },
			1,
			{ '': first, a: { items: [{ id: 5 }], next: 'b' }, b: { items: [{ id: 2 }] } },
		],
		[
			'the last record, beside which the rest has new ones',
			{ shifted: true },
			1,
			{ '': first, a: { items: [{ id: 5 }, { id: 2 }] } },
		],
		['a total that fell', { short: true }, 2, { '': first, a: low, b: last }],
		['the total, which is lower in the rest', { short: true }, 1, { '': first, a: low, b: last }],
		['how many records there were', { short: true }, 1, { '': first, a: last }],
	])('%s', async (_, found, most, pages) => {
		const { result } = await read(pages, { most });
		if (result.kind !== 'truncated') throw new Error(result.kind);
		const rest = await read(pages, result.resume);
		expect(rest.result).toMatchObject({ kind: 'complete', ...found });
	});
});
