import { suiteWithSandbox } from '../../harness/suite';

const suite = suiteWithSandbox();

const connection = (operation: string, id?: string, parameters: object = {}) => ({
	resource: 'cloudConnection',
	operation,
	...(id && { connectionId: { __rl: true, mode: 'id', value: id } }),
	...parameters,
});

describe('records', () => {
	it('creates a connection from its account', async () => {
		const { json } = await suite.run(
			connection('create', undefined, {
				name: 'acme production',
				awsAccountId: '012345678901',
				options: { trustedAccountIds: ['210987654321'], allowSaas: false },
			}),
		);
		expect(json[0]).toMatchObject({ name: 'acme production', awsAccountId: '012345678901' });
		expect(Object.keys(json[0])).toHaveLength(10);
		expect(suite.requests.of('createCloudConnection')[0].body).toEqual({
			name: 'acme production',
			awsAccountId: '012345678901',
			trustedAccountIds: ['210987654321'],
			allowSaas: false,
		});
	});

	it('has at most twenty trusted accounts', async () => {
		const twenty = Array.from({ length: 20 }, (_, n) => String(123456789000 + n));
		const creating = (trustedAccountIds: string[]) =>
			connection('create', undefined, {
				...{ name: 'acme', awsAccountId: '123456789012', options: { trustedAccountIds } },
			});
		const { error } = await suite.run(creating([...twenty, '123456789012']));
		expect(error?.message).toBe("'Trusted Account IDs' must have at most 20 entries, not 21");
		expect(suite.requests.count).toBe(0);
		await suite.succeeds(creating(twenty));
	});

	it('returns connections simplified or as the service sends them', async () => {
		const simple = await suite.run(connection('get', 'conn-production'));
		expect(simple.json[0]).toMatchObject({
			id: 'conn-production',
			bindings: [
				'storage_integration: acme-jobs',
				'glue_catalog: lake_glue',
				's3tables_catalog: bucket_tables',
			],
		});
		const raw = await suite.run(connection('getAll', undefined, { simplify: false }));
		expect(raw.json.find(({ id }) => id === 'conn-new')).toMatchObject({ bindings: null });
		expect(raw.json[0]).toHaveProperty('trustedAccountIds');
		const withoutBindings = await suite.run(connection('get', 'conn-new'));
		expect(withoutBindings.json[0].bindings).toEqual([]);
	});

	it('is not deleted while it is in use, and the service says by what', async () => {
		const refused = await suite.run(connection('delete', 'conn-production'));
		expect(refused.error?.httpCode).toBe('409');
		expect(refused.error?.message).toContain('in use by: acme-jobs');
	});
});
