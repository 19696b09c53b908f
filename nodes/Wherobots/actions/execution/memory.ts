/**
 * What an execution remembers, so that nothing is done twice when n8n runs a node again (Retry On Fail):
 *
 * | memory      | one for each                      | lasts as long as | holds                               |
 * | ----------- | --------------------------------- | ---------------- | ----------------------------------- |
 * | `attempt`   | attempt, shared by its items      | the attempt      | tables it has read, hints it showed |
 * | `item`      | item in a run of the node         | the execution    | what was sent for it, and its result |
 * | `run`       | run of the node, shared by items  | the execution    | outputs, created records, uploads   |
 * | `execution` | node, shared by all of its runs   | the execution    | SQL sessions                        |
 *
 * A loop runs the node several times, which n8n numbers. It also numbers each attempt at a call of an
 * AI agent's tool, and an agent may call a tool again with the same input. There, `item` is remembered
 * by what the agent asks for, until the call succeeds, and `run` is `attempt`.
 */
import type { IExecuteFunctions } from 'n8n-workflow';

import { isToolUse } from '../../form/input';
import { Failure, isAmbiguous, settle } from '../../transport/failure';

type Context = Pick<
	IExecuteFunctions,
	'getExecutionCancelSignal' | 'getNode' | 'getWorkflowDataProxy' | 'isToolExecution'
>;

/**
 * By its owner, with which it is forgotten. An attempt is its context. An execution is its cancel signal:
 * n8n makes one for each and hands the same one to every attempt.
 */
const memories = new WeakMap<object, Map<string, Memo<unknown>>>();

function getMemo<T>(owner: object, key: unknown[]): Memo<T> {
	const memos = memories.get(owner) ?? new Map<string, Memo<unknown>>();
	memories.set(owner, memos);
	const name = JSON.stringify(key);
	const memo = memos.get(name) ?? new Memo<unknown>();
	memos.set(name, memo);
	return memo as Memo<T>;
}

/** The memory of an item. All keys are JSON. */
export class Memory {
	constructor(
		private readonly context: Context,
		private readonly itemIndex: number,
	) {}

	attempt<T>(...key: unknown[]): Memo<T> {
		return getMemo(this.context, key);
	}

	/**
	 * Keyed by the item, not by its parameters: an expression such as `{{ $now }}` has a new value at each
	 * attempt.
	 *
	 * @param asked what an AI agent asked for; without it, each call of a tool is new
	 */
	item<T>(what: unknown, asked?: unknown): Memo<T> {
		const { context, itemIndex } = this;
		if (!isToolUse(context) || asked === undefined) return this.run('item', itemIndex, what);
		const memo = this.execution<T>('asked', itemIndex, what, asked);
		this.asked.push(memo);
		return memo;
	}

	run<T>(...key: unknown[]): Memo<T> {
		const { context, itemIndex } = this;
		if (isToolUse(context)) return this.attempt('run', ...key);
		const { $runIndex } = context.getWorkflowDataProxy(itemIndex);
		return this.execution(Number($runIndex), ...key);
	}

	execution<T>(...key: unknown[]): Memo<T> {
		const { context } = this;
		const owner = context.getExecutionCancelSignal() ?? context;
		return getMemo(owner, [context.getNode().name, ...key]);
	}

	/** Forgets what a call of a tool has done: an agent that asks again wants it done again. */
	forgetAsked(): void {
		for (const memo of this.asked) memo.value = undefined;
	}

	private get asked(): Array<Memo<unknown>> {
		return this.attempt<Array<Memo<unknown>>>('asked').get(() => []);
	}
}

const NOTE = 'Retry On Fail did not send it again, because it might then be carried out twice.';

/** What is remembered under one key. */
export class Memo<T> {
	/** Set it to undefined to have it made again. */
	value?: T;

	/** The failure that left open whether it was made. */
	private unclear?: Failure;

	/** Whether `once` would make it. */
	get isOpen(): boolean {
		return this.value === undefined && this.unclear === undefined;
	}

	/** The value, made if there is none. */
	get(make: () => T): T {
		return (this.value ??= make());
	}

	/**
	 * Does the work that makes the value, unless an earlier attempt has done it or may have done it.
	 *
	 * @param mayBeDone whether a failure leaves open that the work was done
	 * @throws Failure the failure of the earlier attempt, when that may have done it
	 */
	async once(
		work: () => Promise<T>,
		mayBeDone: (failure: Failure) => boolean = isAmbiguous,
	): Promise<T> {
		if (this.value !== undefined) return this.value;
		if (this.unclear) throw this.unclear.withContext({ after: NOTE });
		const done = await settle(work());
		if (done.ok) return (this.value = done.value);
		const { error } = done;
		if (error instanceof Failure && mayBeDone(error)) this.unclear = error;
		throw error;
	}
}
