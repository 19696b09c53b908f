import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { Client } from '../transport/client';
import type { Input } from '../parameters/input';

/** What an operation gets for one input item. */
export interface Call {
	/** The parameters of the node for this item. */
	input: Input;
	client: Client;
	context: IExecuteFunctions;
	itemIndex: number;
}

/**
 * What an operation gives for one input item: its output items, or, when a write is followed by a
 * wait, the rest of the work. Writes run one after the other; what follows them runs side by side.
 */
export type Outcome =
	| INodeExecutionData[]
	| { then: 'wait'; finish(): Promise<INodeExecutionData[]> };

/** One operation: its entry in the Operation list, its fields and what it does. */
export interface Operation {
	option: INodePropertyOptions & { action: string; description: string };
	/** Without the display options for resource and operation: the table adds them. */
	fields: INodeProperties[];
	/** Reads of many items run side by side, writes one after the other. */
	kind: 'read' | 'write';
	execute(call: Call): Promise<Outcome>;
}

/** One resource: its entry in the Resource list and its operations in the order of their names. */
export interface Resource {
	option: INodePropertyOptions;
	operations: Operation[];
	/** The operation that a new node starts with. */
	defaultOperation: string;
}
