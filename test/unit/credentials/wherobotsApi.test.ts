import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { WherobotsApi } from '../../../credentials/WherobotsApi.credentials';

const type = new WherobotsApi();
const url = 'https://api.example.com/runs';
const key: ICredentialDataDecryptedObject = { authentication: 'apiKey', apiKey: 'sk-key-12345' };
const token: ICredentialDataDecryptedObject = {
	authentication: 'bearerToken',
	bearerToken: 'ey.token.12345',
};

async function headersFor(
	credentials: ICredentialDataDecryptedObject,
	request: Partial<IHttpRequestOptions> & { uri?: string } = {},
): Promise<Record<string, string>> {
	const { headers } = await type.authenticate(credentials, { url, ...request });
	return headers as Record<string, string>;
}

describe('authenticate', () => {
	it('sends the key, or the token, and never the other one', async () => {
		const both = { ...token, ...key };
		expect(await headersFor(both)).toMatchObject({ 'X-API-Key': 'sk-key-12345' });
		expect(await headersFor(both)).not.toHaveProperty('Authorization');
		const asToken = await headersFor({ ...both, authentication: 'bearerToken' });
		expect(asToken).toMatchObject({ Authorization: 'Bearer ey.token.12345' });
		expect(asToken).not.toHaveProperty('X-API-Key');
	});

	it.each([
		[{ apiKey: '' }, "'API Key' is empty"],
		[{ apiKey: 'two words' }, "'API Key' in the Wherobots API credential contains a space"],
		[{ apiKey: 'sk\r\nX-Evil: 1' }, "'API Key' in the Wherobots API credential contains a space"],
		[{ authentication: 'bearerToken' }, "'Bearer Token' is empty"],
	])('says what is wrong with %j, without showing it', async (change, message) => {
		const failed = headersFor({ ...key, ...change });
		await expect(failed).rejects.toThrow(message);
		await expect(failed).rejects.not.toThrow(/two words|X-Evil/);
	});

	it('keeps the headers of the request, and names the package where none is named', async () => {
		const own = { Accept: 'text/csv', 'User-Agent': 'mine/1' };
		expect(await headersFor(key, { headers: own })).toEqual({
			...own,
			'X-API-Key': 'sk-key-12345',
		});
		expect((await headersFor(key))['User-Agent']).toMatch(/^n8n-nodes-wherobots\/\d/);
	});

	it.each([
		{ url: 'https://api.example.com/runs' },
		{ url: 'HTTPS://api.example.com' },
		{ url: '/runs', baseURL: 'https://api.example.com/gateway' },
		{ url: 'runs', baseURL: 'https://api.example.com' },
		{ url: '', uri: 'https://api.example.com/runs' },
		{ url: 'http://localhost:8787/runs' },
		{ url: 'http://127.0.0.1/runs' },
		{ url: 'http://[::1]:8787/runs' },
		{ url: '/runs', baseURL: 'http://localhost:8787' },
	])('sends it to %j', async (request) => {
		expect(await headersFor(key, request)).toHaveProperty('X-API-Key');
	});

	it.each([
		{ url: 'http://api.example.com/runs' },
		{ url: '/runs', baseURL: 'http://api.example.com' },
		{ url: 'http://api.example.com', baseURL: 'https://api.example.com' },
		{ url: '//api.example.com/runs', baseURL: 'http://localhost' },
		{ url: '', uri: 'http://api.example.com/runs' },
		{ url: 'http://localhost@api.example.com/' },
		{ url: 'http://api.example.com\\@localhost/' },
		{ url: 'http://api.example.com#@localhost/' },
		{ url: 'h\nttp://api.example.com/' },
		{ url: 'ftp://api.example.com' },
		{ url: 'file:///etc/passwd' },
		{ url: '/runs' },
		{ url: '' },
	])('does not send it to %j', async (request) => {
		await expect(headersFor(key, request)).rejects.toThrow('only sent over https://');
	});
});
