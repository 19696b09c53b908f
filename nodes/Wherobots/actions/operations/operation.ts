import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	NodeExecutionHint,
} from 'n8n-workflow';

import type { Input } from '../../form/input';
import type { Client } from '../../transport/client';
import type { Failure } from '../../transport/failure';
import { toHtml } from '../../transport/text';
import type { Memory } from '../execution/memory';

/** What an operation gets for one input item. */
export interface Call {
	/** The parameters of the node for this item. */
	input: Input;
	client: Client;
	context: IExecuteFunctions;
	itemIndex: number;
	/** What is remembered for this item, also in later attempts. */
	memory: Memory;
	/**
	 * Call it for each record that this item created, and without an ID for one that it may have created:
	 * the errors of other items name it.
	 */
	noteCreated(record: { id?: string; name?: string }): void;
}

/** Output items, some of which may have failed where the node continues on failure. */
export type Output = Array<INodeExecutionData | Failure>;

/** What an operation returns for one input item: its output, or the work left to do. */
export type Outcome =
	| Output
	/** The input is checked, nothing is sent yet. Called one item after the other, once all are checked. */
	| { submit(): Promise<Outcome> }
	/** The request is sent; what follows, such as a wait, runs in parallel with that of other items. */
	| { finish(): Promise<Output> };

/** The fields of a form by the names or paths of their values in the query or body: `runPython.uri`. */
export type RequestFields = Record<string, INodeProperties>;

/** One operation: its entry in the Operation list, its fields and what it does. */
export interface Operation {
	name: string;
	value: string;
	action: string;
	description: string;
	/** How not to misuse it, for n8n's workflow builder, its agents and its MCP server: plain text. */
	hint?: string;
	/** Without the display options for resource and operation: the table adds them. */
	fields: INodeProperties[];
	/** Which fields values of the request come from that are not called like their field. */
	requestFields?: RequestFields;
	/** Reads of many items run in parallel, writes one after the other. */
	kind: 'read' | 'write';
	execute(call: Call): Promise<Outcome>;
}

/** One resource: its entry in the Resource list and its operations in the order of their names. */
export interface Resource {
	name: string;
	value: string;
	description: string;
	operations: Operation[];
	/** The operation that a new node starts with; Get Many unless it says otherwise. */
	defaultOperation?: string;
	/** The one that a new tool of an agent starts with, where the default changes something. */
	toolOperation?: string;
}

/** Shows a hint beside the node's output, in versions of n8n that have hints. Its message is plain text. */
export function addHint(context: IExecuteFunctions, hint: NodeExecutionHint): void {
	const { addExecutionHints } = context as Partial<Pick<IExecuteFunctions, 'addExecutionHints'>>;
	addExecutionHints?.call(context, { ...hint, message: toHtml(hint.message) });
}

/** Shows a hint that holds for all items, once. @param about tells it from others */
export function addHintOnce(
	{ context, memory }: Pick<Call, 'context' | 'memory'>,
	about: string,
	hint: NodeExecutionHint,
): void {
	const shown = memory.attempt<boolean>('hint', about);
	if (!shown.value) addHint(context, hint);
	shown.value = true;
}

/**
 * Explains an empty list: what was asked for, and how to get more.
 *
 * @param what the records in the plural: `job runs`
 * @param asked the fields that narrow the list, with their values; those without a value are left out
 * @param where end of the hint when no filter is set: `in this catalog`
 */
export function addNoResultsHint(
	call: Pick<Call, 'context' | 'itemIndex' | 'memory'>,
	what: string,
	asked: ReadonlyArray<readonly [INodeProperties, string | string[] | undefined]> = [],
	where = 'that this account can see',
): void {
	const { context, itemIndex } = call;
	const filters = asked
		.filter(([, value]) => value !== undefined && value.length > 0)
		.map(([{ displayName }, value]) => `'${displayName}' ${[value].flat().join(' or ')}`);
	const text =
		filters.length > 0
			? `No ${what} match ${filters.join(' and ')}. Change or remove a filter to see more.`
			: `There are no ${what} ${where}.`;
	const item = context.getInputData().length > 1 ? `Item ${itemIndex}: ` : '';
	addHintOnce(call, 'no results', { message: item + text, type: 'info' });
}
