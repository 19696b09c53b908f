/** Lists that lead nowhere or further than a poll has to read, and requests that fail in the middle of one. */
import type { Page } from '../../../../nodes/Wherobots/transport/pagination';
import { read, refused, type Row } from './rowPages';

/** A list whose first and last pages bring something new, with this many in between that do not. */
function withoutNew(count: number, items: Row[]): Record<string, Page<Row>> {
	const pages: Record<string, Page<Row>> = { '': { items: [{ id: 1 }], next: '1' } };
	for (let page = 1; page <= count; page++) pages[page] = { items, next: String(page + 1) };
	return { ...pages, [count + 1]: { items: [{ id: 2 }] } };
}

describe.each([
	['empty pages', []],
	['pages that repeat a record', [{ id: 1 }]],
])('%s', (_, items) => {
	test('are followed twenty times in a row', async () => {
		const { taken } = await read(withoutNew(20, items));
		expect(new Set(taken)).toEqual(new Set([1, 2]));
	});

	test('are an error when there are more in a row', async () => {
		await expect(read(withoutNew(21, items))).rejects.toThrow('21 pages in a row');
	});

	test('are counted from zero again after a page that brings something new', async () => {
		const { taken } = await read({
			...withoutNew(30, items),
			15: { items: [{ id: 3 }], next: '16' },
		});
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

test('once a stored cursor has been accepted, a refusal of the next one is a failure', async () => {
	const pages = { stored: { items: [{ id: 1 }], next: 'b' } };
	await expect(read(pages, { cursor: 'stored' })).rejects.toBe(refused);
});

test('a poll whose only request fails has failed, even though its time is over', async () => {
	await expect(read({}, { cursor: 'stored', suspects: false, most: 1 })).rejects.toBe(refused);
});

test('a list whose page fails as the time ends is continued from there by the next poll', async () => {
	const { result } = await read({ '': { items: [{ id: 1 }], next: 'a' } }, { most: 2 });
	expect(result).toMatchObject({ kind: 'truncated', position: { cursor: 'a' } });
});

test('a page that fails is not the end of its list', async () => {
	await expect(read({ '': { items: [{ id: 1 }], next: 'b' } })).rejects.toBe(refused);
});

test('a list that there was no time to finish says where it continues', async () => {
	const pages = { '': { items: [{ id: 1 }], next: 'b', total: 2 }, b: { items: [{ id: 2 }] } };
	const { result, taken } = await read(pages, { most: 1 });
	expect(result).toMatchObject({
		kind: 'truncated',
		position: { cursor: 'b', count: 1, total: 2 },
	});
	expect(taken).toEqual([1]);
});

test('a list whose stored cursor is refused is read from the start again, if the cursor may be the reason', async () => {
	const { result, requested } = await read({ '': { items: [{ id: 1 }] } }, { cursor: 'stored' });
	expect(result).toEqual({ kind: 'restart' });
	expect(requested).toEqual(['stored']);
});

test.each([
	['with fewer records than its first total is odd', [3, 3], true, true],
	['with as many records is not', [2, 2], false, false],
	['whose total has grown is odd if it takes two polls', [2, 4], false, true],
	['whose total has fallen is odd in any case', [3, 2], true, true],
])('a list %s', async (_, [total, later], isOdd, isOddInTwo) => {
	const pages = {
		'': { items: [{ id: 1 }], next: 'a', total },
		a: { items: [{ id: 2 }], total: later },
	};
	expect((await read(pages)).result).toMatchObject({ kind: 'complete', isOdd, isPage: false });
	const stored = { cursor: 'a', count: 1, total };
	expect((await read(pages, stored)).result).toMatchObject({ kind: 'complete', isOdd: isOddInTwo });
});

describe('with as many records as are known, a list is left', () => {
	const pages = (...ids: number[]) => ({
		'': { items: [{ id: ids[0] }], next: 'a', total: 2 },
		a: { items: [{ id: ids[1] }], next: 'b', total: 2 },
		b: { items: [{ id: ids[2] }], total: 2 },
	});
	const known = [1, 2];

	test.each([
		['after a first page without anything new', pages(1, 2, 3), {}, ['']],
		['not after a later one', pages(3, 1, 2), {}, ['', 'a', 'b']],
		['not where a later poll goes on', pages(3, 1, 2), { cursor: 'a', total: 2 }, ['a', 'b']],
	])('%s', async (_, listed, stored, expected) => {
		const { requested } = await read(listed, { ...stored, known });
		expect(requested).toEqual(expected);
	});
});
