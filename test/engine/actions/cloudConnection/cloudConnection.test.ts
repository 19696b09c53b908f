import { by } from '../../../support/files';
import { suiteWithSandbox } from '../../harness/suite';
import { operationsOf } from '../parameters';

const suite = suiteWithSandbox();

const connection = operationsOf('cloudConnection');

describe('records', () => {
	it('creates a connection from its account', async () => {
		const { json } = await suite.run(
			connection('create', {
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
			connection('create', {
				...{ name: 'acme', awsAccountId: '123456789012', options: { trustedAccountIds } },
			});
		const { error } = await suite.run(creating([...twenty, '123456789012']));
		expect(error?.message).toBe("'Trusted Account IDs' must have at most 20 entries, not 21");
		expect(suite.requests.count).toBe(0);
		await suite.succeeds(creating(twenty));
	});

	it('says in a simplified connection what it is bound to', async () => {
		expect(
			(await suite.run(connection('get', { connectionId: by('id', 'conn-production') }))).json[0],
		).toMatchObject({
			id: 'conn-production',
			bindings: [
				'storage_integration: acme-jobs',
				'glue_catalog: lake_glue',
				's3tables_catalog: bucket_tables',
			],
		});
	});
});
