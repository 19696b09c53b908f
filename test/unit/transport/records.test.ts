import type { Failure } from '../../../nodes/Wherobots/transport/failure';
import type { CallOptions, Client } from '../../../nodes/Wherobots/transport/client';
import { readList, readRecord } from '../../../nodes/Wherobots/transport/records';

/** A client whose service answers with this body, and what it was asked. */
function answering(body: unknown) {
	const call = jest.fn(async () => await Promise.resolve(body));
	const error = (failure: Failure) => Object.assign(new Error(failure.message), failure);
	return { call, client: { call, error } as unknown as Client };
}

const options: CallOptions = { path: { catalog_id: 'c1' }, query: { search: 'x' } };
const unexpected = {
	message: 'Wherobots Cloud returned an unexpected response',
	facts: { catalogId: 'c1' },
};

describe('a list', () => {
	it.each([[[{ id: 1 }, {}]], [[]]])('is the response: %j', async (body) => {
		const { client, call } = answering(body);
		expect(await readList(client, 'listApiKeys', options)).toBe(body);
		expect(call).toHaveBeenCalledWith('listApiKeys', options);
	});

	it('is what stands under its name', async () => {
		const { client } = answering({ catalogs: [{ id: 1 }], more: [{}] });
		expect(await readList(client, 'listCatalogs', options)).toEqual([{ id: 1 }]);
	});

	it('is all of its pages, up to a limit', async () => {
		const { client, call } = answering({ items: [{ id: 1 }, { id: 2 }], next_page: null });
		expect(await readList(client, 'listRuns', { limit: 1 })).toEqual([{ id: 1 }]);
		expect(call).toHaveBeenCalledWith('listRuns', { query: { size: 1 } });
	});

	it.each([
		['another list', 'listCatalogs', { others: [] }],
		['a bare list where one with a name is expected', 'listCatalogs', [{ id: 1 }]],
		['no list', 'listApiKeys', { id: 1 }],
		['a text', 'listApiKeys', 'text'],
		['nothing', 'listCatalogs', undefined],
		['a list of what are no records', 'listApiKeys', [{ id: 1 }, 'x']],
		['a list that is a text', 'listCatalogs', { catalogs: 'x' }],
	] as const)('is not %s', async (_, id, body) => {
		const { client } = answering(body);
		const name = id === 'listCatalogs' ? " named 'catalogs'" : '';
		await expect(readList(client, id, options)).rejects.toMatchObject({
			...unexpected,
			description: `It does not contain a list${name}. Check 'Base URL' in the credential, and whether a newer version of this package is available.`,
		});
	});
});

describe('a record', () => {
	it('is the response', async () => {
		const { client, call } = answering({ id: 1 });
		expect(await readRecord(client, 'getRun', options)).toEqual({ id: 1 });
		expect(call).toHaveBeenCalledWith('getRun', options);
	});

	it.each([undefined, null, 'text', [{ id: 1 }]])('is not %j', async (body) => {
		await expect(readRecord(answering(body).client, 'getRun', options)).rejects.toMatchObject({
			...unexpected,
			description: expect.stringMatching(/^It does not contain a record\. Check 'Base URL'/),
		});
	});

	it('that may have been created although the response shows none is to be looked for', async () => {
		const recoveryHint = 'a catalog named "x"';
		const reading = readRecord(answering('').client, 'createCatalog', { ...options, recoveryHint });
		await expect(reading).rejects.toMatchObject({
			facts: { catalogId: 'c1', ambiguous: true },
			description: 'Before you try again, look for a catalog named "x".',
		});
	});
});
