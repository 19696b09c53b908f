import type { Client } from '../../../../nodes/Wherobots/transport/client';
import {
	forgetIdentities,
	isSamePerson,
	noteOwner,
	ownerOf,
} from '../../../../nodes/Wherobots/transport/creation/identity';

it.each([
	[{ id: 'u1' }, { id: 'u1', email: 'a@b.c' }, true],
	[{ id: 'u1' }, { id: 'u2' }, false],
	[{ id: 'u1', email: 'a@b.c' }, { id: 'u2', email: 'A@B.C' }, true],
	[{ id: 'u1' }, { email: 'a@b.c' }, false],
	[{ email: 'a@b.c' }, { email: 'd@e.f' }, false],
	[{ id: '', email: '' }, { id: '', email: '' }, undefined],
	[{ id: 7 }, { id: 7 }, undefined],
	[{ id: 'u1' }, {}, undefined],
	[null, { id: 'u1' }, undefined],
	['u1', 'u1', undefined],
])('%j and %j are the same person: %s', (one, other, expected) => {
	expect(isSamePerson(one, other)).toBe(expected);
	expect(isSamePerson(other, one)).toBe(expected);
});

describe('who owns a credential', () => {
	beforeEach(forgetIdentities);

	const profile = { id: 'caller' };
	/** A client of an account, with what the service answers when asked who calls. */
	function clientOf(account: string, answer: unknown = profile) {
		const call = jest.fn(async () =>
			answer instanceof Error ? await Promise.reject(answer) : await Promise.resolve(answer),
		);
		return { call, client: { account, call } as unknown as Client };
	}

	it('is its profile, until something that it created shows it', async () => {
		const { client, call } = clientOf('a');
		expect(await ownerOf(client)).toBe(profile);
		expect(call).toHaveBeenCalledWith('getCaller');
		noteOwner(client, { id: 'u1' });
		expect(await ownerOf(client)).toEqual({ id: 'u1' });
		expect(await ownerOf(clientOf('b').client)).toBe(profile);
		noteOwner(client, null);
		expect(await ownerOf(client)).toEqual({ id: 'u1' });
		noteOwner(client, { email: 'New@b.c' });
		expect(await ownerOf(client)).toEqual({ email: 'new@b.c' });
		expect(call).toHaveBeenCalledTimes(1);
	});

	it('is unknown where the profile cannot be read', async () => {
		expect(await ownerOf(clientOf('a', new Error('no')).client)).toBeUndefined();
	});

	it('is remembered of the last five hundred credentials', async () => {
		const note = (account: number) => noteOwner(clientOf(`a${account}`).client, { id: 'u' });
		const isKnown = async (account: number) =>
			(await ownerOf(clientOf(`a${account}`).client)) !== profile;
		for (let account = 0; account < 500; account++) note(account);
		note(0);
		expect(await isKnown(1)).toBe(true);
		note(500);
		expect(await Promise.all([0, 1, 2, 500].map(isKnown))).toEqual([true, false, true, true]);
	});
});
