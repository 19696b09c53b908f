import {
	NodeOperationError,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import { Creations, execute } from '../../../../nodes/Wherobots/actions/execution/router';
import * as table from '../../../../nodes/Wherobots/actions/index';
import type { Operation, Outcome } from '../../../../nodes/Wherobots/actions/operations/operation';
import { CancelledError } from '../../../../nodes/Wherobots/transport/clock';
import { Client } from '../../../../nodes/Wherobots/transport/client';
import { toFailure, Failure } from '../../../../nodes/Wherobots/transport/failure';

jest.mock('../../../../nodes/Wherobots/actions/index', () => ({ findOperation: jest.fn() }));

const findOperation = jest.mocked(table.findOperation);
const node = { name: 'Wherobots', type: 'wherobots' } as INode;

/** Runs an operation that ends like this, for one item. */
async function running(
	kind: Operation['kind'],
	outcome: () => Promise<Outcome>,
	{ tool = false } = {},
): Promise<INodeExecutionData[]> {
	findOperation.mockReturnValue({ kind, execute: outcome, fields: [] } as never);
	jest
		.spyOn(Client, 'create')
		.mockResolvedValue({ forItem: () => ({}), clean: toFailure } as never);
	const context = {
		getNodeParameter: () => 'x',
		getNode: () => node,
		getInputData: () => [{ json: {} }],
		continueOnFail: () => false,
		getTimezone: () => 'UTC',
		isToolExecution: () => tool,
		getExecutionCancelSignal: () => undefined,
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
	};
	const [output] = await execute.call(context as unknown as IExecuteFunctions);
	return output;
}

const failing = async (kind: Operation['kind'], thrown: unknown) =>
	await running(kind, async () => await Promise.reject(thrown as Error)).catch(
		(error: unknown) => error,
	);

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
		const error = await failing(kind, thrown);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({ message, context: { itemIndex: 0 } });
	});

	it("that fails in n8n itself keeps the description of n8n's error", async () => {
		const thrown = Object.assign(new Error('No value'), { description: 'The node has no output' });
		expect(await failing(kind, thrown)).toMatchObject({
			message: 'No value',
			description: 'The node has no output',
		});
	});
});

it('an error names the first twenty records of other items, and counts the rest', () => {
	const creations = new Creations();
	for (let index = 0; index < 21; index++) creations.noteCreated(index, { id: `r${index}` });
	const nameAll = (itemIndex: number) =>
		creations.withOthers(new Failure({ message: 'No' }), itemIndex);
	expect(nameAll(20).description).toMatch(/, r19\.$/);
	expect(nameAll(99).description).toMatch(/, r19 and 1 more\.$/);
	expect(nameAll(99).facts.alsoCreated).toHaveLength(21);
});
