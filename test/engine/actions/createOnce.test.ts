/** Retry On Fail, and records that must not be created or deleted twice. */
import type { IDataObject } from 'n8n-workflow';

import { endpoints } from '../../../nodes/Wherobots/service/endpoints';
import type { Fault } from '../../sandbox';
import { by } from '../../support/files';
import { errorOf, suiteWithSandbox } from '../harness/suite';
import { callsOf } from '../harness/tools';

const suite = suiteWithSandbox();

describe.each([
	{ endpoint: 'createApiKey', what: 'an API key', node: { resource: 'apiKey' } },
	{ endpoint: 'createCatalog', what: 'a catalog', node: { resource: 'catalog' } },
	{
		endpoint: 'createCloudConnection',
		what: 'a cloud connection',
		node: { resource: 'cloudConnection', awsAccountId: '123456789012' },
	},
] as const)('with Retry On Fail, $endpoint', ({ endpoint, what, node }) => {
	const create = { ...node, operation: 'create', name: '={{ $json.name }}' };
	const three = [{ name: 'first' }, { name: 'second' }, { name: 'third' }];
	const sent = () => suite.requests.of(endpoint).map(({ body }) => (body as { name: string }).name);

	it.each<Fault>([
		{ kind: 'reset', when: 'after' },
		{ kind: 'replace', body: '[]' },
	])(
		'is not sent again when its outcome is unclear, and the last error still says what to look for: %j',
		async (fault) => {
			suite.fails(endpoint, fault);
			const once = await suite.run(create, { input: [three[0]], maxTries: 3 });
			expect(sent()).toEqual(['first']);
			expect(once.error?.message).toContain(
				'it is not certain whether the request was carried out',
			);
			expect(once.error?.description).toContain(`look for ${what} named "first"`);
			expect(once.error?.description).toContain('Retry On Fail did not send it again');
			if (endpoint === 'createApiKey')
				expect(once.error?.description).toContain('its secret is lost');
			expect(once.error?.context?.data).toMatchObject({ ambiguous: true });
		},
	);

	it.each([{}, { id: null, key: 'secret' }, { id: '', key: 'secret' }])(
		'fails, and says what to look for, when the response is %j',
		async (response) => {
			suite.responds(endpoint, response);
			const { error } = await suite.run(create, { input: [three[0]], maxTries: 3 });
			expect(sent()).toEqual(['first']);
			expect(error?.description).toContain(`look for ${what} named "first"`);
		},
	);

	it('is not sent again for an item that succeeded, and the error names its record', async () => {
		suite.fails(endpoint, 403, { skip: 1 });
		const { error } = await suite.run(create, { input: three, maxTries: 3 });
		expect(sent()).toEqual(['first', 'second', 'second', 'second']);
		expect(error?.description).toMatch(/Already created for other items: \S+ \(first\)\./);
		expect(error?.context?.data).toMatchObject({
			alsoCreated: [{ itemIndex: 0, id: expect.any(String), name: 'first' }],
		});
	});

	it('names its record by the field that its row says', async () => {
		const row = { ...endpoints[endpoint], id: 'ref' };
		jest.replaceProperty(endpoints as Record<string, unknown>, endpoint, row);
		const edit = ({ id, ...record }: IDataObject) => ({ ...record, ref: `ref-${String(id)}` });
		suite.edits(endpoint, edit, { times: 1 });
		suite.fails(endpoint, 403);
		expect((await suite.run(create, { input: three })).error?.context?.data).toMatchObject({
			alsoCreated: [{ itemIndex: 0, id: expect.stringMatching(/^ref-/) }],
		});
	});

	it('has an item for each record when a later try succeeds', async () => {
		suite.fails(endpoint, 403, { skip: 1, times: 1 });
		const { json } = await suite.succeeds(create, { input: three, maxTries: 3 });
		expect(sent()).toEqual(['first', 'second', 'second', 'third']);
		expect(json.map(({ name }) => name)).toEqual(['first', 'second', 'third']);
		if (endpoint === 'createApiKey') {
			const keys = suite.store.apiKeys.all().slice(-3);
			expect(json.map(({ key }) => key)).toEqual(keys.map(({ key }) => key));
		}
	});

	it('is sent once for each item when the node continues and the first item failed', async () => {
		suite.fails(endpoint, { kind: 'reset', when: 'after' }, { times: 1 });
		const onError = 'continueRegularOutput';
		const { items } = await suite.run(create, { input: three, maxTries: 3, onError });
		expect(sent()).toEqual(['first', 'second', 'third']);
		expect(errorOf(items[0])?.description).toContain(`look for ${what} named "first"`);
		expect(items.slice(1).map(({ json }) => json.name)).toEqual(['second', 'third']);
	});

	it('is not sent again for an agent whose tool n8n tries again, unless it failed for certain', async () => {
		const faults = [
			{ endpoint, times: 1, fault: { kind: 'status', status: 403 } },
			{ endpoint, fault: { kind: 'reset', when: 'after' } },
		] as const;
		for (const fault of faults) suite.faults.add(fault);
		const call = callsOf(suite.sandbox, { ...create, name: 'first' }, { maxTries: 5 });
		await expect(call()).rejects.toThrow('Retry On Fail did not send it again');
		expect(sent()).toEqual(['first', 'first']);
	});

	it('is sent again for an agent that asks again after it succeeded', async () => {
		const call = callsOf(suite.sandbox, { ...create, name: 'first' }, {});
		await call();
		// Not every record may have the name of another one.
		await call().catch(() => undefined);
		expect(sent()).toEqual(['first', 'first']);
	});

	it('is sent again by the next execution', async () => {
		for (let count = 1; count <= 2; count++) {
			await suite.run(create, { input: [{ name: `name-${count}` }], maxTries: 2 });
		}
		expect(sent()).toEqual(['name-1', 'name-2']);
	});
});

it('with Retry On Fail, what was deleted for one item is not deleted again because another item failed', async () => {
	const ids = ['conn-broken', 'conn-new'];
	const endpoint = 'deleteCloudConnection';
	suite.fails(endpoint, 403, { skip: 1, times: 1 });
	const connectionId = by('id', '={{ $json.id }}');
	const node = { resource: 'cloudConnection', operation: 'delete', connectionId };
	const input = ids.map((id) => ({ id }));
	const { json } = await suite.succeeds(node, { input, maxTries: 2 });
	expect(json.map(({ deleted }) => deleted)).toEqual([true, true]);
	expect(suite.requests.of(endpoint)).toHaveLength(3);
});
