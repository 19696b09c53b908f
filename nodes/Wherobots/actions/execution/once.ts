/** Tested by test/engine/actions/createOnce.test.ts. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { isToolUse } from '../../form/input';
import { Failure, isAmbiguous, settle } from '../../transport/failure';
import { type Call, getShared } from '../operations/operation';

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
		const call = isToolUse(context) ? { asked } : getRunIndex(context, itemIndex);
		return this.of(context, [call, itemIndex]);
	}

	/**
	 * The state of one run of the node, shared by its items. A tool may be called twice with the same
	 * input, so it always starts afresh.
	 */
	ofRun(context: Context, itemIndex: number): T {
		if (isToolUse(context)) return this.make();
		return this.of(context, [getRunIndex(context, itemIndex)]);
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

function getRunIndex(context: Context, itemIndex: number): number {
	return Number(context.getWorkflowDataProxy(itemIndex).$runIndex);
}

const NOTE = 'Retry on Fail did not send it again, because that could carry it out twice.';

/** Work that an execution does at most once, and what has become of it. */
export class Work<T> {
	/** What it returned. Set it to undefined to have it done again. */
	result?: T;

	/** The failure that left open whether it was done. */
	private unclear?: Failure;

	/** Whether `once` would do it. */
	get isOpen(): boolean {
		return this.result === undefined && this.unclear === undefined;
	}

	/**
	 * Does the work, unless an earlier attempt has done it or may have done it.
	 *
	 * @param mayBeDone whether a failure leaves open that the work was done
	 * @throws Failure the failure of the earlier attempt, when that may have done it
	 */
	async once(
		work: () => Promise<T>,
		mayBeDone: (failure: Failure) => boolean = isAmbiguous,
	): Promise<T> {
		if (this.result !== undefined) return this.result;
		if (this.unclear) throw this.unclear.withContext({ after: NOTE });
		const done = await settle(work());
		if (done.ok) return (this.result = done.value);
		const { error } = done;
		if (error instanceof Failure && mayBeDone(error)) this.unclear = error;
		throw error;
	}
}

const works = new ExecutionStates(() => new Map<string, Work<unknown>>());
/** All work of an attempt. */
const getWorks = (context: Call['context']) =>
	getShared(context, ['works'], (): Array<Work<unknown>> => []);

/**
 * Work for an item, the same object in every attempt of n8n's Retry on Fail. What it returned is kept
 * as long as the execution, as n8n keeps the output.
 *
 * @param name tells it from other work for the item
 * @param asked what an AI agent asked for, who may call a tool several times; without it, each call of
 * a tool is new work
 */
export function getWork<T>(
	{ context, itemIndex }: Pick<Call, 'context' | 'itemIndex'>,
	name: string,
	asked?: unknown,
): Work<T> {
	if (asked === undefined && isToolUse(context)) return new Work();
	const ofItem = works.ofItem(context, itemIndex, asked);
	const work = ofItem.get(name) ?? new Work<unknown>();
	ofItem.set(name, work);
	getWorks(context).push(work);
	return work as Work<T>;
}

/** Forgets what a call of a tool returned that succeeded: an agent that asks again wants it done again. */
export function forgetResults(context: Call['context']): void {
	for (const work of getWorks(context)) work.result = undefined;
}
