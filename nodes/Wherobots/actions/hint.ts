import type { IExecuteFunctions, INodeProperties, NodeExecutionHint } from 'n8n-workflow';

import type { Call } from './operation';

/** Shows a hint beside the output of the node, where this version of n8n knows hints. */
export function addHint(context: IExecuteFunctions, hint: NodeExecutionHint): void {
	(context as Partial<Pick<IExecuteFunctions, 'addExecutionHints'>>).addExecutionHints?.(hint);
}

/** Executions that have said of one item that nothing was found: the others would only repeat it. */
const told = new WeakSet<IExecuteFunctions>();

/**
 * Says of an empty list what was asked for and how to get more.
 *
 * @param what the records in the plural: `job runs`
 * @param asked the fields that narrow the list, with their values; those without a value are left out
 * @param where where there are none when nothing narrows the list: `in this catalog`
 */
export function hintNoResults(
	{ context, itemIndex }: Pick<Call, 'context' | 'itemIndex'>,
	what: string,
	asked: Array<[field: INodeProperties, value: string | string[] | undefined]> = [],
	where = 'that this account can see',
): void {
	if (told.has(context)) return;
	told.add(context);
	const filters = asked
		.filter(([, value]) => value !== undefined && value.length > 0)
		.map(([{ displayName }, value]) => `'${displayName}' ${[value].flat().join(' or ')}`);
	const says =
		filters.length > 0
			? `No ${what} match ${filters.join(' and ')}. Change or remove a filter to get more.`
			: `There are no ${what} ${where}.`;
	const item = context.getInputData().length > 1 ? `Item ${itemIndex}: ` : '';
	addHint(context, { message: item + says, type: 'info' });
}
