/** How lists are read, whatever they contain. */
import { Failure, settle } from '../../../nodes/Wherobots/transport/failure';
import type { Page } from '../../../nodes/Wherobots/transport/records';
import {
	fetchListing,
	type ListPlan,
	type ListPosition,
} from '../../../nodes/Wherobots/trigger/core/cursor';
import { failure, position } from './service';

interface Row {
	id: number;
}

const rows = (...ids: number[]): Row[] => ids.map((id) => ({ id }));

/** Reads pages by their cursors, the first one being ''. Other cursors are refused. */
async function read(
	pages: Record<string, Page<Row>>,
	own: Partial<ListPlan<Row>> & { most?: number } = {},
) {
	const { most = Infinity, ...plan } = own;
	const requested: string[] = [];
	const taken = new Set<number>();
	const result = await fetchListing<Row>({
		budget: { spent: () => requested.length >= most },
		readPage: async (at = '') => {
			requested.push(at);
			if (!(at in pages)) throw failure;
			return await Promise.resolve(pages[at]);
		},
		keyOf: ({ id }) => String(id),
		take: (items) => {
			const fresh = items.map(({ id }) => id).filter((id) => !taken.has(id));
			for (const id of fresh) taken.add(id);
			return fresh.length > 0 ? Math.min(...fresh) : undefined;
		},
		...plan,
	});
	return { result, requested: requested.join(' '), taken: [...taken].sort() };
}

const noTime = new Failure({ message: 'There was no time left', temporary: true });

const two = { '': { items: rows(1), next: '1', total: 2 }, 1: { items: rows(2), total: 2 } };
const three = { ...two, 1: { items: rows(2), total: 3, next: '2' } };

const falling = { ...three, 1: { ...three[1], items: rows(9) }, 2: { items: rows(7), total: 2 } };

/** A list with this many pages between the first and the last one that bring nothing new. */
const idle = (count: number, items: Row[]) => {
	const pages: Record<string, Page<Row>> = { '': { items: rows(1), next: '1' } };
	for (let page = 1; page <= count; page++) pages[page] = { items, next: String(page + 1) };
	return { ...pages, [count + 1]: { items: rows(2) } };
};

test.each([
	['of one page', { '': { items: rows(1), total: 1 } }, { isPage: true, inconsistent: undefined }],
	['of two', two, { isPage: false, inconsistent: undefined }],
	['that says no total', { '': { items: rows(1) } }, { inconsistent: undefined }],
	['with fewer than it says', { '': { items: rows(9), total: 2 } }, { inconsistent: 2 }],
	['whose total falls', { ...falling, '': { ...three[''], items: rows(8) } }, { inconsistent: 3 }],
	['whose total grows', { ...two, 1: { items: rows(2), total: 3 } }, { inconsistent: undefined }],
	['with twenty pages without anything new', idle(20, rows(1)), { isPage: false }],
	['with twenty empty pages', idle(20, []), { isPage: false }],
])('a list %s is read to its end', async (_, pages, expected) => {
	const { result } = await read(pages, { final: 7 });
	const all = { inconsistent: undefined, ...result };
	expect(all).toMatchObject({ kind: 'complete', final: 7, ...expected });
});

const onlyOne = { 1: { items: rows(1), next: '1' } };
const circle = {
	'': { items: rows(1), next: '1' },
	1: { items: rows(2), next: '2' },
	2: { items: rows(3), next: '1' },
};

test.each([
	['that brings nothing new on 21 pages', idle(21, rows(1)), {}, '21 pages in a row'],
	['of 21 empty pages', idle(21, []), {}, '21 pages in a row'],
	['that goes in a circle', circle, {}, 'already been read'],
	['that goes on with the page just read', onlyOne, { position: position() }, 'already been read'],
	['of which a page fails', { '': { items: rows(1), next: '1' } }, {}, failure.message],
])('a list %s is an error', async (_, pages, plan, message) => {
	const { error } = (await settle(read(pages, plan))) as {
		error: Error & { description?: string };
	};
	expect(`${error.message} ${error.description}`).toContain(message);
});

test('a list that takes too long says where it goes on, and is finished from there', async () => {
	const { result } = await read(two, { most: 1, final: 7, end: 9 });
	const at = { cursor: '1', count: 1, total: 2, oldest: 1, final: 7, end: 9 };
	expect(result).toEqual({ kind: 'truncated', position: at });
	const rest = await read(two, { position: at, final: 8 });
	expect(rest).toMatchObject({ requested: '1', taken: [2] });
	expect(rest.result).toEqual({ kind: 'complete', isPage: false, final: 7 });
	const short = await read({ 1: { items: [], total: 2 } }, { position: at });
	expect(short.result).toMatchObject({ inconsistent: 2 });
	const uneven = {
		'': { items: rows(1), next: '1', total: 3 },
		1: { items: rows(2), next: '2', total: 2 },
		2: { items: rows(3), total: 3 },
	};
	const left = (await read(uneven, { most: 2 })).result as { position?: ListPosition };
	expect((await read(uneven, left)).result).toMatchObject({ inconsistent: 3 });
});

const grown = { 1: { items: rows(2), next: '2', total: 2 }, 2: { items: [], total: 3 } };

test.each([
	['has fewer records than any page says', grown, position({ count: 1, total: 2 }), 3],
	[
		'says fewer than before',
		{ 1: { items: rows(9), total: 4 } },
		position({ count: 4, total: 5 }),
		5,
	],
])('a list that several polls read contradicts itself when it %s', async (_, pages, at, total) => {
	expect((await read(pages, { position: at })).result).toMatchObject({ inconsistent: total });
});

test.each([
	['in this poll', falling, undefined],
	['in an earlier one', { 1: { items: rows(9), total: 3 } }, position({ total: 4, oldest: 8 })],
])('a list that contradicts itself is not known beyond what was new %s', async (_, pages, at) => {
	const oldest = at?.oldest ?? 1;
	const { result } = await read(pages, { final: 10, position: at && { ...at, final: 10 } });
	expect(result).toMatchObject({ inconsistent: expect.any(Number), final: oldest });
});

test('a list of which no page could be asked for goes on from the same place', async () => {
	const readPage = async () => await Promise.reject(noTime);
	await expect(read(two, { readPage, position: position() })).rejects.toBe(noTime);
	const refused = async () => await Promise.reject(noTime.with({ httpCode: '400' }));
	const { result } = await read(two, { readPage: refused, position: position() });
	expect(result).toEqual({ kind: 'truncated' });
});

test('a list whose rest there was no time for is left where that begins', async () => {
	const readPage = async (at?: string) =>
		at === undefined ? await Promise.resolve(two['']) : await Promise.reject(noTime);
	const { result } = await read(two, { readPage });
	expect(result).toMatchObject({ kind: 'truncated', position: { cursor: '1', count: 1 } });
});

test('a list is left when there is no room for more, or when it was cut', async () => {
	const { result } = await read(two, { isEnough: () => true });
	expect(result).toMatchObject({ kind: 'truncated', position: { cursor: '1' } });
	const cut = { '': { items: rows(1), isCut: true } };
	expect((await read(cut)).result).toEqual({ kind: 'truncated' });
});

const begun = position({ cursor: '', total: 2 });

test.each([
	['enough when all that it says there are is known', 2, undefined, ''],
	['followed by the others when it is not', 1, undefined, ' 1'],
	['followed by the others when an earlier poll began the list', 2, begun, ' 1'],
])('a first page is %s', async (_, known, at, requested) => {
	const isKnown = (total: number) => total === known;
	expect((await read(two, { isKnown, position: at })).requested).toBe(requested);
});
