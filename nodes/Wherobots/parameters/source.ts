import type {
	IExecuteFunctions,
	INode,
	IPollFunctions,
	NodeParameterValueType,
} from 'n8n-workflow';

import { isToolUse } from './toolUse';

/** Where parameters come from: one item of the action node, or the trigger. */
export interface ParameterSource {
	getNode(): INode;
	/** The workflow's time zone, for dates without one. */
	getTimezone(): string;
	/** Whether an AI agent uses the node, and outputs have to stay small. */
	isToolUse(): boolean;
	/** The item whose parameters these are; a trigger has no items. */
	itemIndex?: number;
	/**
	 * The value at a path such as `options.timeoutMinutes`, with expressions resolved and the value of a
	 * resource locator extracted.
	 *
	 * @param unset the value of an unset parameter
	 */
	parameter(path: string, unset: NodeParameterValueType): unknown;
}

/** The action node's parameters for one of its items. */
export function parametersOfItem(context: IExecuteFunctions, itemIndex: number): ParameterSource {
	return {
		getNode: () => context.getNode(),
		getTimezone: () => context.getTimezone(),
		isToolUse: () => isToolUse(context),
		itemIndex,
		parameter: (path, unset) =>
			context.getNodeParameter(path, itemIndex, unset, { extractValue: true }),
	};
}

/** The trigger's parameters. */
export function parametersOfTrigger(context: IPollFunctions): ParameterSource {
	return {
		getNode: () => context.getNode(),
		getTimezone: () => context.getTimezone(),
		isToolUse: () => false,
		parameter: (path, unset) => context.getNodeParameter(path, unset, { extractValue: true }),
	};
}
