import type { Call, Operation } from '../../../../nodes/Wherobots/actions/operations/operation';
import {
	deleteOperation,
	getManyOperation,
	getOperation,
	writeOperation,
} from '../../../../nodes/Wherobots/actions/operations/declared';
import { apiKeyPart, catalogPart } from '../../../../nodes/Wherobots/parameters/address';
import { textField } from '../../../../nodes/Wherobots/parameters/declarations';
import { inputOf } from '../../../support/input';

const option = { action: 'Do it', description: 'It is done' };

/** The output of an operation when the service responds with this, and what else it reported. */
async function run({ execute }: Operation, answer: unknown, parameters = {}) {
	const [hints, created]: [unknown[], unknown[]] = [[], []];
	const context = {
		addExecutionHints: (hint: unknown) => hints.push(hint),
		getInputData: () => [{ json: {} }],
		getNodeParameter: () => '',
		getNode: () => ({ name: 'Wherobots', type: 'wherobots' }),
		getExecutionCancelSignal: () => undefined,
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
	};
	const client = { call: async () => await Promise.resolve(answer) };
	const call = {
		context,
		client,
		input: inputOf({ limit: 50, ...parameters }),
		itemIndex: 0,
		noteCreated: (record: unknown) => created.push(record),
	} as unknown as Call;
	const outcome = await execute(call);
	const output = 'submit' in outcome ? await outcome.submit() : outcome;
	return { json: (output as Array<{ json: object }>).map(({ json }) => json), hints, created };
}

const size = textField({ displayName: 'Size', name: 'size' });
const simplify = ({ name }: { name?: string }) => ({ name });
const SHAPE = ['simplify', 'outputMode', 'selectedFields'];
const LIMIT = ['returnAll', 'limit'];

/** Everything that can be declared of each kind. */
const full = () => {
	const all = { option, address: [apiKeyPart], fields: [size], simplify };
	const endpoint = 'listApiKeys';
	const body = () => ({});
	return [
		getOperation({ ...all, read: 'getTask' }),
		getManyOperation({ ...all, endpoint, records: 'keys', filters: { size } }),
		writeOperation({ ...all, endpoint, body, options: [size] }),
		deleteOperation({ ...all, endpoint, hint: '' }),
	];
};

/** Only what has to be declared. */
const least = () => [
	getOperation({ option, read: async () => await Promise.resolve({ name: 'a' }) }),
	getManyOperation({ option, endpoint: 'listApiKeys', records: 'keys' }),
	writeOperation({ option, endpoint: 'createApiKey', body: () => ({}) }),
	deleteOperation({ option, endpoint: 'revokeApiKey', hint: '' }),
];

describe('a declared operation', () => {
	it('has the name of its kind, unless it has its own', () => {
		const kinds = least().map(({ kind, option: { name, value } }) => [kind, name, value]);
		expect(kinds).toEqual([
			['read', 'Get', 'get'],
			['read', 'Get Many', 'getAll'],
			['write', 'Create', 'create'],
			['write', 'Delete', 'delete'],
		]);
		const named = { ...option, name: 'Revoke', value: 'revoke' };
		const revoke = deleteOperation({ option: named, endpoint: 'revokeApiKey', hint: '' });
		expect(revoke.option).toEqual(named);
	});

	it('has a form of what it declares: its address first, what is optional last', () => {
		const forms = full().map(({ fields }) => fields.map(({ name }) => name));
		expect(forms).toEqual([
			['apiKeyId', 'size', ...SHAPE],
			['apiKeyId', 'size', ...LIMIT, ...SHAPE, 'filters'],
			['apiKeyId', 'size', ...SHAPE, 'options'],
			['apiKeyId'],
		]);
		const bare = least().map(({ fields }) => fields.map(({ name }) => name));
		expect(bare).toEqual([[], LIMIT, [], []]);
	});

	it('needs no address when it declares none', async () => {
		const [get, getMany, create, remove] = least();
		const record = { name: 'a' };
		expect((await run(get, undefined)).json).toEqual([record]);
		expect((await run(getMany, [record])).json).toEqual([record]);
		expect((await run(create, record)).json).toEqual([record]);
		expect((await run(remove, undefined)).json).toEqual([{ deleted: true }]);
	});
});

it('Delete warns below the field that picks its record', () => {
	const hint = 'It is gone';
	const address = [catalogPart, apiKeyPart];
	const { fields } = deleteOperation({ option, endpoint: 'revokeApiKey', address, hint });
	expect(fields).toEqual([catalogPart.field, { ...apiKeyPart.field, hint }]);
});

it('Get outputs its record simplified, or whole together with its address', async () => {
	const address = [apiKeyPart];
	const record = { name: 'a', size: 1 };
	const parameters = { apiKeyId: 'k' };
	const short = getOperation<typeof record>({ option, read: 'getTask', address, simplify });
	expect((await run(short, record, parameters)).json).toEqual([{ name: 'a' }]);
	const whole = getOperation<typeof record>({ option, read: 'getTask', address });
	expect((await run(whole, record, parameters)).json).toEqual([{ id: 'k', ...record }]);
});

it('Get Many shows a hint only for a list without records', async () => {
	const list = getManyOperation({ option, endpoint: 'listApiKeys', records: 'keys' });
	expect((await run(list, [])).hints).toMatchObject([{ message: expect.stringMatching('keys') }]);
	expect((await run(list, [{ id: 'a' }])).hints).toEqual([]);
});

it('Create notes what it created, while a change of a record notes nothing', async () => {
	const write = { option, endpoint: 'createApiKey', body: () => ({ name: 'a' }) } as const;
	const create = writeOperation({ ...write, lookFor: () => 'a key' });
	expect((await run(create, { id: 7 })).created).toEqual([{ id: '7', name: 'a' }]);
	expect((await run(writeOperation(write), { id: 7 })).created).toEqual([]);
});
