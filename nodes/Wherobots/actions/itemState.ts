import { createHash } from 'crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import { isToolUse } from '../parameters/toolUse';

/** Runs of one node within an execution that are remembered; Retry on Fail repeats only the last one. */
const MAX_NODE_RUNS = 20;

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
	private readonly executions = new WeakMap<
		AbortSignal,
		Map<string, Map<number, Map<string, T>>>
	>();

	constructor(private readonly make: () => T) {}

	/**
	 * The state of one item. In a loop the node has another run index, and begins anew.
	 *
	 * The item decides, and not what is asked for: an expression such as `{{ $now }}` has another value
	 * at each attempt. Only tools go by that as well, because an agent may call one several times with
	 * the same run index.
	 */
	ofItem(context: Context, itemIndex: number, asked: unknown): T {
		const runIndex = Number(context.getWorkflowDataProxy(itemIndex).$runIndex);
		const item = isToolUse(context) ? `${itemIndex} ${digestOf(asked)}` : String(itemIndex);
		return this.of(context, runIndex, item);
	}

	/**
	 * The state of one run of the node, the same for all its items. A tool may be called twice for the
	 * same, so it always begins anew.
	 */
	ofRun(context: Context, itemIndex: number): T {
		if (isToolUse(context)) return this.make();
		return this.of(context, Number(context.getWorkflowDataProxy(itemIndex).$runIndex), '');
	}

	/** The state of what is asked for, the same for all items and all runs of the node. */
	ofNode(context: Context, asked: unknown): T {
		return this.of(context, -1, digestOf(asked));
	}

	private of(context: Context, runIndex: number, key: string): T {
		const execution = context.getExecutionCancelSignal();
		if (!execution) return this.make();
		const nodes = entry(this.executions, execution, () => new Map());
		const runs = entry(nodes, context.getNode().name, () => new Map<number, Map<string, T>>());
		const states = entry(runs, runIndex, () => new Map<string, T>());
		if (runs.size > MAX_NODE_RUNS) runs.delete([...runs.keys()].filter((run) => run >= 0)[0]);
		return entry(states, key, this.make);
	}
}

function digestOf(asked: unknown): string {
	return createHash('sha256').update(JSON.stringify(asked)).digest('hex');
}

interface MapLike<K, V> {
	get(key: K): V | undefined;
	set(key: K, value: V): unknown;
}

function entry<K, V>(map: MapLike<K, V>, key: K, make: () => V): V {
	const known = map.get(key);
	if (known !== undefined) return known;
	const made = make();
	map.set(key, made);
	return made;
}
