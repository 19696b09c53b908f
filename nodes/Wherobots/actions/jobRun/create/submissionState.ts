import { createHash } from 'crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import type { RunRequest } from '../../../service/jobRuns/runRequests';
import type { SubmissionState } from '../../../transport/jobRuns/submit';
import { isToolUse } from '../../../parameters/toolUse';

/** Runs of one node within an execution that are remembered; Retry on Fail repeats only the last one. */
const MAX_NODE_RUNS = 20;

/** By item, for each run index of a node, the newest last. */
type NodeRuns = Map<number, Map<string, SubmissionState>>;

/**
 * By execution, whose identity is its cancel signal: n8n makes one for each and hands the same one
 * to every attempt of Retry on Fail. What belongs to an execution is forgotten with it.
 */
const executions = new WeakMap<AbortSignal, Map<string, NodeRuns>>();

/**
 * What this execution has submitted for the item so far. It is the same object when n8n runs the
 * node again on failure; in a loop the node has another run index, and begins anew.
 *
 * The item decides, and not what its request says: an expression such as `{{ $now }}` has another
 * value at each attempt. Only tools go by the request as well, because an agent may call one several
 * times with the same run index.
 */
export function submissionState(
	context: IExecuteFunctions,
	itemIndex: number,
	request: RunRequest,
): SubmissionState {
	const execution = context.getExecutionCancelSignal();
	if (!execution) return {};
	const nodes = entry(executions, execution, () => new Map<string, NodeRuns>());
	const runs = entry(nodes, context.getNode().name, (): NodeRuns => new Map());
	const runIndex = Number(context.getWorkflowDataProxy(itemIndex).$runIndex);
	const items = entry(runs, runIndex, () => new Map<string, SubmissionState>());
	if (runs.size > MAX_NODE_RUNS) runs.delete([...runs.keys()][0]);
	const item = isToolUse(context) ? `${itemIndex} ${digestOf(request)}` : String(itemIndex);
	return entry(items, item, () => ({}));
}

function digestOf(request: RunRequest): string {
	return createHash('sha256').update(JSON.stringify(request)).digest('hex');
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
