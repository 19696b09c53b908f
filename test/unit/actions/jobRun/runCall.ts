import { ORGANIZATION_DEFAULT } from '../../../../nodes/Wherobots/service/deployment';
import type { Run } from '../../../../nodes/Wherobots/service/records';
import type { Call } from '../../../../nodes/Wherobots/actions/operations/operation';
import type { EndpointId } from '../../../../nodes/Wherobots/service/endpoints';
import { inputOf } from '../../../support/input';

const node = { name: 'Wherobots', type: 'wherobots' };

/** A run of a Python file, as the form describes it. */
export const pythonRun = {
	name: 'nightly-etl',
	pythonUri: 's3://bucket/job.py',
	region: ORGANIZATION_DEFAULT,
	runtime: 'tiny',
};

export const runOf = (status: string, more: object = {}) =>
	({ id: 'r1', name: 'nightly-etl', status, ...more }) as Run;

interface Setting {
	/** What the service responds to each request; an error is thrown. */
	answer?: (id: EndpointId) => unknown;
	/** Whether an AI agent makes the call. */
	tool?: boolean;
	/** The execution's signal; some versions of n8n have none. */
	signal?: AbortSignal;
}

/** A call of an operation for one item, and everything that it does besides its output. */
export function runCall(
	parameters: Record<string, unknown>,
	{ answer = () => undefined, tool, signal }: Setting = {},
) {
	const [hints, asked, noted]: [string[], EndpointId[], unknown[]] = [[], [], []];
	const execution = new AbortController().signal;
	const context = {
		getNode: () => node,
		getExecutionCancelSignal: () => execution,
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
		getInputData: () => [{ json: {} }],
		addExecutionHints: ({ message }: { message: string }) => hints.push(message),
	};
	const client = {
		signal,
		executionSignal: signal,
		serviceNow: () => 0,
		call: async (id: EndpointId) => {
			asked.push(id);
			const given = await Promise.resolve(answer(id));
			if (given instanceof Error) throw given;
			return given;
		},
	};
	const call = {
		context,
		client,
		input: inputOf(parameters, { tool }),
		itemIndex: 0,
		noteCreated: (created: unknown) => noted.push({ created }),
		noteUncertain: (open: unknown) => noted.push({ open }),
	} as unknown as Call;
	return { call, hints, asked, noted };
}
