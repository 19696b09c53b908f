import {
	endpoints,
	type EndpointId,
	type Paging,
} from '../../../nodes/Wherobots/service/endpoints';
import type { CallOptions, Client } from '../../../nodes/Wherobots/transport/client';
import { Failure } from '../../../nodes/Wherobots/transport/failure';
import { fetchList, fetchPage } from '../../../nodes/Wherobots/transport/records';

/** A client whose service answers with this body. */
const answering = (body: unknown) =>
	({ call: async () => await Promise.resolve(body) }) as unknown as Client;

const options: CallOptions = { path: { catalog_id: 'c1' }, query: { search: 'x' } };
const unexpected = {
	message: 'Wherobots Cloud returned an unexpected response',
	facts: { catalogId: 'c1' },
};

describe('a list', () => {
	it.each([
		['another list', 'listCatalogs', { others: [] }],
		['a bare list where one with a name is expected', 'listCatalogs', [{ id: 1 }]],
		['no list', 'listApiKeys', { id: 1 }],
		['a text', 'listApiKeys', 'text'],
		['nothing', 'listCatalogs', undefined],
		['a list of what are no records', 'listApiKeys', [{ id: 1 }, 'x']],
		['a list that is a text', 'listCatalogs', { catalogs: 'x' }],
	] as const)('is not %s', async (_, id, body) => {
		const client = answering(body);
		const name = id === 'listCatalogs' ? " named 'catalogs'" : '';
		await expect(fetchList(client, id, options)).rejects.toMatchObject({
			...unexpected,
			description: `It does not contain a list${name}.\nCheck 'Base URL' in the credential, and whether a newer version of this package is available.`,
		});
	});

	it('that came with an error is not taken for an empty one', async () => {
		const client = Object.assign(
			answering({ catalogs: [], errors: [{ code: 'X', message: 'Catalogs are not available' }] }),
			{ unreadable: (_: string, { text }: { text: string }) => new Failure({ message: text }) },
		);
		await expect(fetchList(client, 'listCatalogs')).rejects.toMatchObject({
			message: expect.stringContaining('Catalogs are not available'),
		});
	});
});

it.each([null, '7', 1.5])('a page has no total where that is %j', async (total) => {
	const client = answering({ items: [], total });
	expect((await fetchPage(client, 'listRuns', {})).total).toBeUndefined();
});

describe('a page', () => {
	it('has its records where the row of its list says', async () => {
		const { listTasks } = endpoints;
		const named = { ...listTasks, list: { ...listTasks.list, key: 'tasks' } };
		jest.replaceProperty(endpoints as Record<string, unknown>, 'listTasks', named);
		const client = answering({ tasks: [{ taskId: 'a' }], items: [], total: 1 });
		expect(await fetchList(client, 'listTasks')).toEqual([{ taskId: 'a' }]);
	});

	it('leaves out what is no record, and counts it as the service does', async () => {
		const items = [{ id: 'a' }, null, 'text', ['b'], { id: 'c' }];
		const client = answering({ items, total: 9 });
		const page = await fetchPage(client, 'listTaskRuns', {});
		expect(page).toMatchObject({ items: [{ id: 'a' }, { id: 'c' }], next: '5', total: 9 });
	});

	it.each([[[null]], [['a', 'b']]])(
		'with nothing but what is no record is an error: %j',
		async (items) => {
			await expect(fetchPage(answering({ items }), 'listRuns', {})).rejects.toMatchObject({
				description: expect.stringContaining('without a record'),
			});
		},
	);
});

it('a record that shifting pages repeat comes once, whatever the service calls its ID', async () => {
	const listSchedules = { ...endpoints.listRuns, path: '/schedules', id: 'scheduleId' };
	jest.replaceProperty(endpoints as Record<string, unknown>, 'listRuns', listSchedules);
	const pages = [
		['a', 'b'],
		['b', 'a'],
		['a', 'b'],
	].map((ids, index) => ({
		items: ids.map((scheduleId) => ({ scheduleId })),
		next_page: index < 2 ? String(index + 1) : null,
	}));
	const call = async (_: EndpointId, { query }: CallOptions) =>
		await Promise.resolve(pages[Number(query?.cursor ?? 0)]);
	expect(await fetchList({ call } as unknown as Client, 'listRuns')).toEqual([
		{ scheduleId: 'a' },
		{ scheduleId: 'b' },
	]);
});

it('a list whose pages have numbers is read to the limit', async () => {
	const all = Array.from({ length: 250 }, (_, id) => ({ id }));
	const pages: Paging = {
		...{ cursorName: 'page', sizeName: 'size', maxSize: 100 },
		suggestsMore: (_, { size, count }) => count >= size,
		findNext: (_, { cursor = '0', size, count }) =>
			count < size ? undefined : String(Number(cursor) + 1),
	};
	const listRuns = { ...endpoints.listRuns, list: { pages } };
	jest.replaceProperty(endpoints as Record<string, unknown>, 'listRuns', listRuns);
	const call = async (_: EndpointId, { query: { page = 0, size } = {} }: CallOptions) => {
		const start = Number(page) * Number(size);
		return await Promise.resolve({ items: all.slice(start, start + Number(size)) });
	};
	const listed = await fetchList({ call } as unknown as Client, 'listRuns', { limit: 130 });
	expect(listed).toEqual(all.slice(0, 130));
});
