import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { ExecutionStates } from './itemState';

const finished = new ExecutionStates<Map<string, INodeExecutionData>>(() => new Map());

/**
 * The output items that earlier attempts at this run of the node have finished, by what was asked
 * for; n8n keeps their files as long as the execution.
 */
export function finishedItems(
	context: IExecuteFunctions,
	itemIndex: number,
): Map<string, INodeExecutionData> {
	return finished.ofRun(context, itemIndex);
}
