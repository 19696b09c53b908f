import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

/** Maximum number of items for a model, which reads all of them. */
export const MAX_TOOL_ITEMS = 100;

/** Older versions of n8n do not have `isToolExecution`. */
type ToolContext = Pick<IExecuteFunctions, 'getNode'> &
	Partial<Pick<IExecuteFunctions, 'isToolExecution'>>;

/** Whether an AI agent uses the node as its tool. n8n runs tools in one of two ways. */
export function isToolUse(context: ToolContext): boolean {
	return context.isToolExecution?.() === true || context.getNode().type.endsWith('wherobotsTool');
}

/** An output limited for a model, with a note about omissions. */
export function boundForTool(items: INodeExecutionData[]): INodeExecutionData[] {
	if (items.length <= MAX_TOOL_ITEMS) return items;
	const note = `Only the first ${MAX_TOOL_ITEMS} results are shown; there are more. Use filters or a smaller range.`;
	return [
		...items.slice(0, MAX_TOOL_ITEMS),
		{ json: { note }, pairedItem: items[MAX_TOOL_ITEMS].pairedItem },
	];
}
