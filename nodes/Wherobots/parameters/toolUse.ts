import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

/** Maximum number of items that a model gets: it reads all that it is given. */
export const MAX_TOOL_ITEMS = 100;

/** What tells whether a tool runs. Older versions of n8n do not have `isToolExecution`. */
type ToolContext = Pick<IExecuteFunctions, 'getNode'> &
	Partial<Pick<IExecuteFunctions, 'isToolExecution'>>;

/** Whether an AI agent uses the node as its tool. n8n runs tools in one of two ways. */
export function isToolUse(context: ToolContext): boolean {
	return context.isToolExecution?.() === true || context.getNode().type.endsWith('wherobotsTool');
}

/** An output as a model gets it, with a note about what is left out. */
export function boundForTool(items: INodeExecutionData[]): INodeExecutionData[] {
	if (items.length <= MAX_TOOL_ITEMS) return items;
	const note = `Only the first ${MAX_TOOL_ITEMS} results are shown; there are more. Use filters or a smaller range.`;
	return [
		...items.slice(0, MAX_TOOL_ITEMS),
		{ json: { note }, pairedItem: items[MAX_TOOL_ITEMS].pairedItem },
	];
}
