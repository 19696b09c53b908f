import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

/** Shows a hint beside the output of the node, where this version of n8n knows hints. */
export function addHint(context: IExecuteFunctions, hint: NodeExecutionHint): void {
	(context as Partial<Pick<IExecuteFunctions, 'addExecutionHints'>>).addExecutionHints?.(hint);
}
