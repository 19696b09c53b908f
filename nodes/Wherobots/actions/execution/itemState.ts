import type { IExecuteFunctions } from 'n8n-workflow';

import { isToolUse } from '../../parameters/toolUse';

type Context = Pick<
	IExecuteFunctions,
	'getExecutionCancelSignal' | 'getNode' | 'getWorkflowDataProxy' | 'isToolExecution'
>;

/**
 * What an execution has done so far, so that it is not done twice when n8n runs the node again on
 * failure. An execution's identity is its cancel signal: n8n makes one for each and hands the same one
 * to every attempt. What belongs to an execution is forgotten with it.
 */
export class ExecutionStates<T extends object> {
	private readonly executions = new WeakMap<AbortSignal, Map<string, T>>();

	constructor(private readonly make: () => T) {}

	/**
	 * The state of one item. In a loop the node has another run index, and starts afresh.
	 *
	 * The key is the item, not its parameters: an expression such as `{{ $now }}` has a new value at
	 * each attempt. Only a tool is keyed by what an agent asks for, because each attempt of it has
	 * another run index, too.
	 */
	ofItem(context: Context, itemIndex: number, asked: unknown): T {
		const call = isToolUse(context) ? { asked } : runIndex(context, itemIndex);
		return this.of(context, [call, itemIndex]);
	}

	/**
	 * The state of one run of the node, shared by its items. A tool may be called twice with the same
	 * input, so it always starts afresh.
	 */
	ofRun(context: Context, itemIndex: number): T {
		if (isToolUse(context)) return this.make();
		return this.of(context, [runIndex(context, itemIndex)]);
	}

	/** The state for a request, shared by all items and all runs of the node. */
	ofNode(context: Context, asked: unknown): T {
		return this.of(context, [asked]);
	}

	private of(context: Context, key: unknown[]): T {
		const execution = context.getExecutionCancelSignal();
		if (!execution) return this.make();
		const states = this.executions.get(execution) ?? new Map<string, T>();
		this.executions.set(execution, states);
		const name = JSON.stringify([context.getNode().name, ...key]);
		const state = states.get(name) ?? this.make();
		states.set(name, state);
		return state;
	}
}

function runIndex(context: Context, itemIndex: number): number {
	return Number(context.getWorkflowDataProxy(itemIndex).$runIndex);
}
