import { clientWith, KEY } from '../../support/clientWith';
import {
	redactByName,
	redactSecrets,
	redactSignatures,
} from '../../../nodes/Wherobots/transport/secrets';

it.each([
	['at https://b.s3/x?X-Amz-Date=1&X-Amz-Signature=ab now', 'at https://b.s3/x?*** now'],
	['"https://s/x?AWSAccessKeyId=A&Signature=b&Expires=3"', '"https://s/x?***"'],
	['https://s/x?x-goog-signature=ab', 'https://s/x?***'],
	['https://a.blob/x?sv=1&sig=ab%3D', 'https://a.blob/x?***'],
	['https://a/x?to=https%3A%2F%2Fs%3FX-Amz-Signature%3Dab', 'https://a/x?***'],
	['to=https%3A%2F%2Fs%2Fx%3FX-Amz-Signature%3Dab%26x', 'to=https%3A%2F%2Fs%2Fx?***'],
	['https%253A%252F%252Fs%253Fa%253D1%2526sig%253Dab', 'https%253A%252F%252Fs?***'],
	['{"url":"https://s/x?a=1\\u0026sig\\u003dab"}', '{"url":"https://s/x?***"}'],
	['https://s/x?a=1&amp;Signature=ab&amp;b=2', 'https://s/x?***'],
	['at https://s/x?X-Amz-Signature=ab\n    cdef01\n    2345&x=1 now', 'at https://s/x?*** now'],
	['https://s/x?X-Amz-Signature=ab\nTry again later.', 'https://s/x?***\nTry again later.'],
	['https://api/runs?size=5&cursor=x', 'https://api/runs?size=5&cursor=x'],
	['what is a design?', 'what is a design?'],
])('signatures are hidden: %j is %j', (text, clean) => {
	expect(redactSignatures(text)).toBe(clean);
});

it('a secret is masked in a value at any depth, in names too, and nothing else is changed', () => {
	const bytes = Buffer.from('a-secret-key');
	let deep: unknown = 'a-secret-key';
	for (let depth = 0; depth < 100_000; depth++) deep = [deep];
	const value = { list: ['a-secret-key', 7, null], 'is a-secret-key': { bytes }, deep };
	expect(redactSecrets(value, ['a-secret-key'])).toMatchObject({
		list: ['***', 7, null],
		'is ***': { bytes },
	});
	while (Array.isArray(deep)) [deep] = deep as unknown[];
	expect(deep).toBe('***');
});

it('a header that repeats the key hides it before anybody reads it', async () => {
	const headers = { 'x-reason': `key ${KEY}`, location: 'https://files/x' };
	const { client } = await clientWith({ replies: [{ statusCode: 302, headers }] });
	const { headers: received } = await client.locate('createSqlSession', { body: {} });
	expect(received['x-reason']).toBe('key ***');
});

describe('redactByName', () => {
	it.each([
		...['password', 'secretAccessKey', 'api-key', 'x_api_key', 'access-key', 'private_key'],
		...['token', 'uploadUrl', 'connectionString', 'accountKey', 'key'],
	])('a value called %s is hidden', (name) => {
		expect(JSON.stringify(redactByName({ [name]: 'SECRET' }))).not.toContain('SECRET');
	});

	it.each([
		{ secrets: ['SECRET'] },
		{ tokens: ['SECRET'] },
		{ key: ['SECRET'] },
		{ key: { name: 'n', password: 'SECRET' } },
		{ secret: { value: 'SECRET' } },
		{ credentials: { user: 'u', parts: [{ value: 'u' }], value: 'SECRET' } },
	])('so are the texts inside of it: %j', (body) => {
		expect(JSON.stringify(redactByName(body))).not.toContain('SECRET');
	});

	it.each<object>([
		...[{ nextPageToken: 'c' }, { next_page_token: 'c' }, { 'continuation-token': 'c' }],
		...[{ key: { region: 'us', runtime: 'tiny' }, usage: 1 }, { partialApiKey: 'wb-…1234' }],
		...[{ tokens: [{ id: 'a', name: 'b' }] }, { name: 'token', id: 'secret' }],
	])('cursors, keys of groups, and records in a list, are shown: %j', (body) => {
		expect(redactByName(structuredClone(body))).toEqual(body);
	});

	it('however deeply it is nested', () => {
		let body: object = { token: 'SECRET' };
		for (let level = 0; level < 20_000; level += 1) body = { body };
		let found: unknown = redactByName(body);
		while (typeof found === 'object' && found && 'body' in found) found = found.body;
		expect(found).not.toEqual({ token: 'SECRET' });
	});
});
