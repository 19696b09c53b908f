import { by } from '../../support/files';
import { credentialsFor, suiteWithSandbox } from '../harness/suite';
import { operationsOf } from './parameters';

const suite = suiteWithSandbox();

const apiKey = operationsOf('apiKey');
const byId = (id: string) => ({ apiKeyId: by('id', id) });

describe('create', () => {
	const create = apiKey('create', { name: 'nightly', expiry: 'inDays', expiresInDays: 30 });

	it('keeps a secret that the response has in another place', async () => {
		suite.edits('createApiKey', ({ id, key }: Record<string, string>) => ({ apiKey: { id, key } }));
		const { json } = await suite.run(create);
		const [{ id, key }] = suite.store.apiKeys.all().slice(-1);
		expect(json).toEqual([{ apiKey: { id, key } }]);
	});

	it('returns the secret once, with its owner and when it expires', async () => {
		const { json } = await suite.run(create);
		const [record] = suite.store.apiKeys.all().slice(-1);
		const expiresAt = expect.stringMatching(/^2026-12-21T12:00:00/);
		const ownedBy = 'ada@example.com';
		expect(json).toMatchObject([{ id: record.id, key: record.key, expiresAt, ownedBy }]);
		expect(suite.requests.of('createApiKey')[0].body).toEqual({
			name: 'nightly',
			expiresAt: '2026-12-21T12:00:00Z',
		});
		const listed = await suite.run(apiKey('getAll', { returnAll: true, simplify: false }));
		expect(listed.json.length).toBe(suite.store.apiKeys.all().length);
		expect(JSON.stringify(listed.json)).not.toContain(record.key);
	});

	it('reads a date in the time zone of the workflow, and an owner', async () => {
		const ownedById = suite.store.apiKeys.all().find(({ name }) => name === 'airflow')?.ownedBy?.id;
		const { json } = await suite.succeeds(
			{ ...create, expiry: 'date', expiresAt: '2027-01-31T09:00:00', options: { ownedById } },
			{ timezone: 'Europe/Berlin' },
		);
		expect(json).toMatchObject([{ ownedBy: 'nightly-pipeline', createdBy: 'ada@example.com' }]);
		expect(suite.requests.of('createApiKey')[0].body).toEqual({
			name: 'nightly',
			expiresAt: '2027-01-31T08:00:00Z',
			ownedById,
		});
	});

	it.each([undefined, null, ''])('fails when its secret is %j, and has its ID', async (key) => {
		suite.edits('createApiKey', (record: object) => ({ ...record, key }));
		const { error } = await suite.run(create);
		const [{ id }] = suite.store.apiKeys.all().slice(-1);
		expect(error?.description).toContain('look for an API key named "nightly"');
		expect(error?.context?.data).toMatchObject({ id });
	});
});

it.each(['revoke', 'update'])(
	'%s repeats no key that was entered for its ID',
	async (operation) => {
		const [{ key }] = [suite.store.apiKeys.create()];
		const expiry = { expiry: 'inDays', expiresInDays: 3 };
		const { error } = await suite.run(apiKey(operation, { ...byId(key), ...expiry }));
		expect(error?.message).toBe('There is no API key with this ID');
		expect(JSON.stringify([error, error?.context, error?.description])).not.toContain(key);
	},
);

it('an update changes the expiry and nothing else', async () => {
	const [key] = suite.store.apiKeys.all();
	const { json } = await suite.run(
		apiKey('update', { ...byId(key.id), expiry: 'date', expiresAt: '2027-06-01T00:00:00Z' }),
	);
	expect(json[0]).toMatchObject({ id: key.id, expiresAt: expect.stringMatching(/^2027-06-01/) });
	expect(json[0]).not.toHaveProperty('key');
	expect(suite.requests.of('updateApiKey')[0].body).toEqual({
		expiresAt: '2027-06-01T00:00:00Z',
	});
});

it('a key that was revoked before is not found, and its error says where to see that', async () => {
	const [{ id }] = suite.store.apiKeys.all();
	await suite.succeeds(apiKey('revoke', byId(id)));
	const { error } = await suite.run(apiKey('revoke', byId(id)));
	expect(error?.description).toMatch(/A key that API Key: Get Many still lists may have been/);
	expect(suite.requests.of('revokeApiKey')).toHaveLength(2);
});

it.each([
	apiKey('create', { name: 'nightly', options: { ownedById: 'ada@example.com' } }),
	apiKey('getAll', { filters: { customerId: 'ada@example.com' } }),
])('an owner is not known by an email address: $operation', async (parameters) => {
	const { error } = await suite.run(parameters);
	expect(error?.message).toBe("'Owner ID' must be an ID, not an email address");
	expect(suite.requests.count).toBe(0);
});

describe('all keys of the organization', () => {
	const all = apiKey('getAll', { scope: 'organization', returnAll: true });

	it('are returned to an admin only', async () => {
		expect((await suite.run(all)).json).toHaveLength(suite.store.apiKeys.all().length);
		expect(suite.requests.of('listOrganizationApiKeys')).toHaveLength(1);
		const user = { credentials: credentialsFor(suite.sandbox, 'user') };
		expect((await suite.run(all, user)).error).toMatchObject({ httpCode: '403' });
	});

	it('are not narrowed to an owner', async () => {
		const { error } = await suite.run({ ...all, filters: { customerId: 'somebody' } });
		expect(error?.message).toContain("'Owner ID' must be empty");
		expect(suite.requests.count).toBe(0);
	});
});
