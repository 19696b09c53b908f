import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isToolUse } from '../parameters/toolUse';

interface NodeRun {
	runIndex: number;
	items: Map<string, INodeExecutionData>;
}

/**
 * By execution, whose identity is its cancel signal: n8n makes one for each and hands the same one
 * to every attempt of Retry on Fail. What belongs to an execution is forgotten with it.
 */
const executions = new WeakMap<AbortSignal, Map<string, NodeRun>>();

/**
 * The output items that earlier attempts at this run of the node have finished, by what was asked
 * for; n8n keeps their files as long as the execution. In a loop the node has another run index and
 * begins anew, and a tool may be called twice for the same, so it always does.
 */
export function finishedItems(
	context: IExecuteFunctions,
	itemIndex: number,
): Map<string, INodeExecutionData> {
	const execution = context.getExecutionCancelSignal();
	if (!execution || isToolUse(context)) return new Map();
	const nodes = executions.get(execution) ?? new Map<string, NodeRun>();
	executions.set(execution, nodes);
	const { name } = context.getNode();
	const runIndex = Number(context.getWorkflowDataProxy(itemIndex).$runIndex);
	const known = nodes.get(name);
	if (known?.runIndex === runIndex) return known.items;
	const run: NodeRun = { runIndex, items: new Map() };
	nodes.set(name, run);
	return run.items;
}
