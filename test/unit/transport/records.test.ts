import type { CallOptions, Client } from '../../../nodes/Wherobots/transport/client';
import { fetchList, fetchPage } from '../../../nodes/Wherobots/transport/records';

/** A client whose service answers with this body. */
const answering = (body: unknown) =>
	({ call: async () => await Promise.resolve(body) }) as unknown as Client;

const options: CallOptions = { path: { catalog_id: 'c1' }, query: { search: 'x' } };

it.each([
	['another list', 'listCatalogs', { others: [] }],
	['a bare list where one with a name is expected', 'listCatalogs', [{ id: 1 }]],
	['no list', 'listApiKeys', { id: 1 }],
	['a text', 'listApiKeys', 'text'],
	['nothing', 'listCatalogs', undefined],
	['a list of what are no records', 'listApiKeys', [{ id: 1 }, 'x']],
	['a list that is a text', 'listCatalogs', { catalogs: 'x' }],
] as const)('a list is not %s', async (_, id, body) => {
	const client = answering(body);
	const name = id === 'listCatalogs' ? " named 'catalogs'" : '';
	await expect(fetchList(client, id, options)).rejects.toMatchObject({
		message: 'Wherobots Cloud returned an unexpected response',
		facts: { catalogId: 'c1' },
		description: `It does not contain a list${name}.\nCheck 'Base URL' in the credential, and whether a newer version of this package is available.`,
	});
});

it.each([null, '7', 1.5])('a page has no total where that is %j', async (total) => {
	const client = answering({ items: [], total });
	expect((await fetchPage(client, 'listRuns', {})).total).toBeUndefined();
});

it('a page leaves out what is no record, and counts it as the service does', async () => {
	const items = [{ id: 'a' }, null, 'text', ['b'], { id: 'c' }];
	const client = answering({ items, total: 9 });
	const page = await fetchPage(client, 'listTaskRuns', {});
	expect(page).toMatchObject({ items: [{ id: 'a' }, { id: 'c' }], next: '5', total: 9 });
});
