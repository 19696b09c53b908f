/** Runs the router with an operation of the test's own, without a service. */
import type { IExecuteFunctions, INode, INodeExecutionData, NodeApiError } from 'n8n-workflow';

import * as table from '../../nodes/Wherobots/actions/index';
import type { Call, Operation, Outcome } from '../../nodes/Wherobots/actions/operations/operation';
import { execute } from '../../nodes/Wherobots/actions/execution/router';
import { Client } from '../../nodes/Wherobots/transport/client';
import { toNodeApiError } from '../../nodes/Wherobots/transport/failures/errors';

jest.mock('../../nodes/Wherobots/actions/index', () => ({ findOperation: jest.fn() }));

export { execute };

export const findOperation = jest.mocked(table.findOperation);

export const node = { name: 'Wherobots', type: 'wherobots' } as INode;
export const turn = async () => await new Promise((resolve) => setImmediate(resolve));
export const items = (...names: unknown[]) =>
	names.map((name) => ({ json: { name } }) as INodeExecutionData);
export const refusal = (message = 'No') => toNodeApiError(node, { message, description: '' });

/** Runs an operation for so many items. */
export async function running(
	kind: Operation['kind'],
	count: number,
	work: (call: Call) => Promise<Outcome>,
	{ goesOn = false, tool = false, requestFields = {} } = {},
): Promise<INodeExecutionData[]> {
	findOperation.mockReturnValue({ kind, execute: work, fields: [], requestFields } as never);
	const client = { forItem: (signal?: AbortSignal) => ({ signal }) };
	jest.spyOn(Client, 'create').mockResolvedValue(client as never);
	const context = {
		getNodeParameter: (name: string) => `the ${name}`,
		getNode: () => node,
		getInputData: () => items(...Array<undefined>(count).fill(undefined)),
		continueOnFail: () => goesOn,
		getTimezone: () => 'UTC',
		isToolExecution: () => tool,
		getExecutionCancelSignal: () => undefined,
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
	};
	const [output] = await execute.call(context as unknown as IExecuteFunctions);
	return output;
}

export const failureOf = async (work: Promise<unknown>) =>
	await work.then(
		() => undefined,
		(error: NodeApiError) => error,
	);
