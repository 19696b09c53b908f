import type { Call, Operation } from '../../../../nodes/Wherobots/actions/operations/operation';
import {
	deleteOperation,
	getManyOperation,
	getOperation,
	writeOperation,
} from '../../../../nodes/Wherobots/actions/operations/declared';
import { apiKeyPart } from '../../../../nodes/Wherobots/parameters/address';
import { inputOf } from '../../../support/input';

const option = { action: 'Do it', description: 'It is done' };

/** The output of an operation to which the service answers this, and what it said beside. */
async function run({ execute }: Operation, answer: unknown, parameters = {}) {
	const [hints, created]: [unknown[], unknown[]] = [[], []];
	const context = {
		addExecutionHints: (hint: unknown) => hints.push(hint),
		getInputData: () => [{ json: {} }],
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

describe('an operation without an address', () => {
	it.each([
		['Get', getOperation({ option, read: 'getTask' }), { name: 'a' }, { name: 'a' }],
		[
			'Create',
			writeOperation({ option, endpoint: 'createApiKey', body: () => ({}) }),
			{ name: 'a' },
			{ name: 'a' },
		],
		[
			'Delete',
			deleteOperation({ option, endpoint: 'revokeApiKey', hint: '' }),
			{},
			{ deleted: true },
		],
	])('asks for no record: %s', async (_, operation, answer, output) => {
		expect(operation.fields).toEqual([]);
		expect((await run(operation, answer)).json).toEqual([output]);
	});
});

it('Get outputs what is left of its record, or the record with its address', async () => {
	const address = [apiKeyPart];
	const record = { name: 'a', size: 1 };
	const simplify = ({ name }: { name?: string }) => ({ name });
	const parameters = { apiKeyId: 'k' };
	const short = getOperation<typeof record>({ option, read: 'getTask', address, simplify });
	expect((await run(short, record, parameters)).json).toEqual([{ name: 'a' }]);
	const whole = getOperation<typeof record>({ option, read: 'getTask', address });
	expect((await run(whole, record, parameters)).json).toEqual([{ id: 'k', ...record }]);
});

it('Get Many hints at a list without records, and at no other', async () => {
	const list = getManyOperation({ option, endpoint: 'listApiKeys', records: 'keys' });
	expect((await run(list, [])).hints).toMatchObject([{ message: expect.stringMatching('keys') }]);
	expect((await run(list, [{ id: 'a' }])).hints).toEqual([]);
});

it('notes what it created, and nothing where it only changed a record', async () => {
	const write = { option, endpoint: 'createApiKey', body: () => ({ name: 'a' }) } as const;
	const create = writeOperation({ ...write, lookFor: () => 'a key' });
	expect((await run(create, { id: 7 })).created).toEqual([{ id: '7', name: 'a' }]);
	expect((await run(writeOperation(write), { id: 7 })).created).toEqual([]);
});
