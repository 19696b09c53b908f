import { by } from '../../../support/files';
import { suiteWithSandbox } from '../../harness/suite';
import { operationsOf } from '../parameters';

const suite = suiteWithSandbox();

const verification = (id: string, more: object = {}) =>
	operationsOf('cloudConnection')('verify', { connectionId: by('id', id), ...more });

describe('verify', () => {
	it('returns a verification that does not pass as data', async () => {
		expect((await suite.run(verification('conn-broken'))).json).toEqual([
			{
				connectionId: 'conn-broken',
				verified: false,
				reason: "AccessDenied: the role's trust policy does not allow this account.",
				roleAssumption: { status: 'FAILED', reason: expect.any(String) },
				bindingAccess: null,
			},
		]);
	});

	it('fails on it if requested', async () => {
		const { error } = await suite.run(verification('conn-broken', { onFailure: 'fail' }));
		expect(error?.message).toContain('did not pass verification: AccessDenied');
		expect(error?.description?.split('\n')).toEqual([
			'Role assumption: FAILED',
			'Connection ID: conn-broken',
			expect.stringContaining('Get CloudFormation Link'),
		]);
	});

	it('sends an empty object without a binding, and the binding with one', async () => {
		const plain = await suite.run(verification('conn-production'));
		expect(plain.json[0]).toMatchObject({ verified: true, reason: null });
		const storage = {
			checkStorage: true,
			storagePath: 's3://acme-jobs/in',
			accessType: 'READ_WRITE',
		};
		const bound = await suite.run(verification('conn-production', storage));
		expect(bound.json[0]).toMatchObject({
			verified: true,
			bindingAccess: { status: 'OK', checks: { put: true } },
		});
		expect(suite.requests.of('verifyCloudConnection').map(({ body }) => body)).toEqual([
			{},
			{ binding: { type: 'storage', path: 's3://acme-jobs/in', accessType: 'READ_WRITE' } },
		]);
	});

	const waiting = { waitUntilVerified: true, maxWaitMinutes: 10, onFailure: 'fail' };

	it('waits until a stack is there, through an outage, at growing intervals', async () => {
		suite.fails('verifyCloudConnection', 503, { skip: 1, times: 6 });
		const { json } = await suite.succeeds(verification('conn-new', waiting));
		expect(json[0]).toMatchObject({ verified: true });
		expect(Math.max(...suite.time.pauses)).toBeLessThanOrEqual(30_000);
		expect(suite.requests.of('verifyCloudConnection').length).toBeLessThan(25);
	});

	it.each([
		['is denied', { status: 'FAILED', reason: 'Access denied' }],
		['was not looked at', null],
	])(
		'waits on while the storage %s, although the role can be assumed',
		async (_, bindingAccess) => {
			const edit = () => ({ roleAssumption: { status: 'OK' }, bindingAccess });
			suite.edits('verifyCloudConnection', edit, { times: 3 });
			const storage = { checkStorage: true, storagePath: 's3://acme-jobs/in' };
			const { json } = await suite.run(verification('conn-production', { ...waiting, ...storage }));
			expect(json).toMatchObject([{ verified: true, bindingAccess: { status: 'OK' } }]);
			expect(suite.requests.of('verifyCloudConnection')).toHaveLength(4);
		},
	);

	it('stops waiting at the deadline, with what it saw last', async () => {
		const begun = suite.clock.now();
		const failed = await suite.run(verification('conn-broken', waiting));
		expect(failed.error?.message).toContain('AccessDenied');
		expect(suite.clock.now() - begun).toBe(600_000);
		const returned = await suite.run(
			verification('conn-broken', { ...waiting, onFailure: 'return' }),
		);
		expect(returned.json[0]).toMatchObject({ verified: false });
	});

	it('does not wait for a connection that is not there', async () => {
		expect((await suite.run(verification('nowhere', waiting))).error?.httpCode).toBe('404');
		expect(suite.requests.count).toBe(1);
	});
});
