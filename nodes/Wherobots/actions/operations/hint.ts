import type { IExecuteFunctions, INodeProperties, NodeExecutionHint } from 'n8n-workflow';

import { asHtml } from '../../transport/text';
import type { Call } from './operation';

/** Shows a hint beside the node's output, in versions of n8n that have hints. Its message is plain text. */
export function addHint(context: IExecuteFunctions, hint: NodeExecutionHint): void {
	const { addExecutionHints } = context as Partial<Pick<IExecuteFunctions, 'addExecutionHints'>>;
	addExecutionHints?.call(context, { ...hint, message: asHtml(hint.message) });
}

/** Executions that already have such a hint: those of other items would only repeat it. */
const hinted = new WeakSet<IExecuteFunctions>();

/** Shows a hint that holds for all items of an execution, once. */
export function hintOnce(context: IExecuteFunctions, hint: NodeExecutionHint): void {
	if (hinted.has(context)) return;
	hinted.add(context);
	addHint(context, hint);
}

/**
 * Explains an empty list: what was asked for, and how to get more.
 *
 * @param what the records in the plural: `job runs`
 * @param asked the fields that narrow the list, with their values; those without a value are left out
 * @param where end of the hint when no filter is set: `in this catalog`
 */
export function hintNoResults(
	{ context, itemIndex }: Pick<Call, 'context' | 'itemIndex'>,
	what: string,
	asked: ReadonlyArray<readonly [INodeProperties, string | string[] | undefined]> = [],
	where = 'that this account can see',
): void {
	const filters = asked
		.filter(([, value]) => value !== undefined && value.length > 0)
		.map(([{ displayName }, value]) => `'${displayName}' ${[value].flat().join(' or ')}`);
	const text =
		filters.length > 0
			? `No ${what} match ${filters.join(' and ')}. Change or remove a filter to get more.`
			: `There are no ${what} ${where}.`;
	const item = context.getInputData().length > 1 ? `Item ${itemIndex}: ` : '';
	hintOnce(context, { message: item + text, type: 'info' });
}
