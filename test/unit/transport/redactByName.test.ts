import { redactByName } from '../../../nodes/Wherobots/transport/secrets';

it.each([
	'password',
	'secretAccessKey',
	'api-key',
	'x_api_key',
	'access-key',
	'private_key',
	'token',
	'uploadUrl',
	'connectionString',
	'accountKey',
	'key',
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
