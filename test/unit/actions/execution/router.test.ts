import { NodeOperationError, type IExecuteFunctions, type INode } from 'n8n-workflow';

import { execute } from '../../../../nodes/Wherobots/actions/execution/router';
import * as table from '../../../../nodes/Wherobots/actions/index';
import type { Operation } from '../../../../nodes/Wherobots/actions/operations/operation';
import { CancelledError } from '../../../../nodes/Wherobots/transport/clock';
import { Client } from '../../../../nodes/Wherobots/transport/client';
import { toFailure, Failure } from '../../../../nodes/Wherobots/transport/failure';

jest.mock('../../../../nodes/Wherobots/actions/index', () => ({ findOperation: jest.fn() }));

const findOperation = jest.mocked(table.findOperation);
const node = { name: 'Wherobots', type: 'wherobots' } as INode;

/** The error of an operation that does this for each of some items. */
async function failing(kind: Operation['kind'], work: Operation['execute'], count = 1) {
	findOperation.mockReturnValue({ kind, execute: work, fields: [] } as never);
	jest
		.spyOn(Client, 'create')
		.mockResolvedValue({ forItem: () => ({}), clean: toFailure } as never);
	const context = {
		getNodeParameter: () => 'x',
		getNode: () => node,
		getInputData: () => Array(count).fill({ json: {} }),
		continueOnFail: () => false,
		getTimezone: () => 'UTC',
		isToolExecution: () => false,
		getExecutionCancelSignal: () => undefined,
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
	};
	const done = execute.call(context as unknown as IExecuteFunctions);
	return await done.catch((error: unknown) => error);
}

it('an operation that this version lacks is an error that asks for an update', async () => {
	findOperation.mockReturnValue(undefined);
	const context = { getNodeParameter: () => 'x', getNode: () => node };
	const work = execute.call(context as unknown as IExecuteFunctions);
	await expect(work).rejects.toBeInstanceOf(NodeOperationError);
	await expect(work).rejects.toMatchObject({
		message: 'This version of the node does not know this operation',
		description: expect.stringMatching(/newer version of n8n-nodes-wherobots\. Update the package/),
	});
});

describe.each(['read', 'write'] as const)('a %s', (kind) => {
	it.each([
		['Out of memory', new Error('Out of memory')],
		['The execution was cancelled', new CancelledError()],
		['text', 'text'],
		['undefined', undefined],
		['null', null],
	])('that throws "%s" is an error of n8n with its item', async (message, thrown) => {
		const error = await failing(kind, async () => await Promise.reject(thrown as Error));
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({ message, context: { itemIndex: 0 } });
	});

	it("that fails in n8n itself keeps the description of n8n's error", async () => {
		const thrown = Object.assign(new Error('No value'), { description: 'The node has no output' });
		expect(await failing(kind, async () => await Promise.reject(thrown))).toMatchObject({
			message: 'No value',
			description: 'The node has no output',
		});
	});
});

it.each([
	[20, /, r19\.$/],
	[21, /, r19 and 1 more\.$/],
])(
	'an error names the first twenty of %i records of other items, and counts the rest',
	async (count, end) => {
		const create: Operation['execute'] = async ({ itemIndex, noteCreated }) => {
			noteCreated({ id: `r${itemIndex}` });
			if (itemIndex === count) throw new Failure({ message: 'No' });
			return await Promise.resolve([]);
		};
		const error = await failing('write', create, count + 1);
		expect(error).toHaveProperty('description', expect.stringMatching(end));
		expect(error).toHaveProperty('context.data.alsoCreated.length', count);
	},
);
