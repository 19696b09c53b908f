import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { Client } from '../transport/client';
import { CancelledError, clock } from '../transport/clock';
import { explanationOf } from '../transport/errors';
import { inParallel } from '../transport/inParallel';
import { findOperation } from './index';
import { Input } from '../parameters/input';
import { parametersOfItem } from '../parameters/source';
import type { Call, Operation, Outcome } from './operation';
import { boundForTool, isToolUse } from '../parameters/toolUse';

/** How many items are read at once. Pacing against the service's rate limit is the client's. */
const READS_AT_ONCE = 10;

type Finish = () => Promise<INodeExecutionData[]>;
type Slot = INodeExecutionData[] | { error: NodeApiError | NodeOperationError };

/**
 * Runs the chosen operation for every input item. Outputs come in the order of the inputs and are
 * paired with them; an item that fails becomes an error item when the node continues on failure.
 */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const operation = findOperation(
		this.getNodeParameter('resource', 0) as string,
		this.getNodeParameter('operation', 0) as string,
	);
	if (!operation) {
		throw new NodeOperationError(this.getNode(), 'This operation is not known to the node', {
			description: 'The workflow may come from a newer version of the package. Update it.',
		});
	}
	const client = await Client.create(this);
	const count = this.getInputData().length;
	const slots =
		operation.kind === 'read'
			? await readAll(this, operation, client, count)
			: await writeAll(this, operation, client, count);
	const outputs = slots.flatMap((slot, index) => output(slot, index));
	return [isToolUse(this) ? boundForTool(outputs) : outputs];
}

async function readAll(
	context: IExecuteFunctions,
	operation: Operation,
	client: Client,
	count: number,
): Promise<Slot[]> {
	// When one item fails the node, nobody needs what the others are still waiting for.
	const abandoned = new AbortController();
	// They begin one by one, each after the process has seen to what is ready. Otherwise the work that
	// several answers set off is done in one go, its requests leave together, and all wait together again.
	let turn = Promise.resolve();
	return await inParallel(count, READS_AT_ONCE, async (index) => {
		const begin = turn;
		turn = begin.then(clock.turn);
		await begin;
		const slot = await attempt(context, index, async () => {
			return await completed(
				await operation.execute(callFor(context, client.forItem(abandoned.signal), index)),
			);
		});
		if ('error' in slot && !context.continueOnFail()) abandoned.abort();
		stopUnlessContinuing(context, slot);
		return slot;
	});
}

/** Writes one after the other; the waits that follow them run side by side and all come to their end. */
async function writeAll(
	context: IExecuteFunctions,
	operation: Operation,
	client: Client,
	count: number,
): Promise<Slot[]> {
	const pending: Array<Promise<Slot>> = [];
	for (let index = 0; index < count; index++) {
		let finish: Finish | undefined;
		const slot = await attempt(context, index, async () => {
			const outcome = await operation.execute(callFor(context, client.forItem(), index));
			if (Array.isArray(outcome)) return outcome;
			finish = outcome.finish;
			return [];
		});
		pending.push(finish ? attempt(context, index, finish) : Promise.resolve(slot));
		if ('error' in slot && !context.continueOnFail()) break;
	}
	const slots = await Promise.all(pending);
	for (const slot of slots) stopUnlessContinuing(context, slot);
	return slots;
}

function callFor(context: IExecuteFunctions, client: Client, itemIndex: number): Call {
	return { context, client, itemIndex, input: new Input(parametersOfItem(context, itemIndex)) };
}

async function completed(outcome: Outcome): Promise<INodeExecutionData[]> {
	return Array.isArray(outcome) ? outcome : await outcome.finish();
}

/** The items of one input item, or the error that stands in their place. */
async function attempt(
	context: IExecuteFunctions,
	itemIndex: number,
	work: () => Promise<INodeExecutionData[]>,
): Promise<Slot> {
	try {
		return await work();
	} catch (error) {
		return { error: asNodeError(context, error as Error, itemIndex) };
	}
}

function asNodeError(context: IExecuteFunctions, error: Error, itemIndex: number) {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		error.context.itemIndex = itemIndex;
		return error;
	}
	const message = error instanceof CancelledError ? error.message : String(error?.message ?? error);
	return new NodeOperationError(context.getNode(), message, { itemIndex });
}

function stopUnlessContinuing(context: IExecuteFunctions, slot: Slot): void {
	if ('error' in slot && !context.continueOnFail()) throw slot.error;
}

function output(slot: Slot, item: number): INodeExecutionData[] {
	if (Array.isArray(slot)) return slot.map((entry) => ({ ...entry, pairedItem: { item } }));
	const { error } = slot;
	const description = explanationOf(error);
	const json: IDataObject = {
		error: error.message,
		...(description ? { description } : {}),
		...(error instanceof NodeApiError && error.httpCode ? { httpCode: error.httpCode } : {}),
	};
	return [{ json, error, pairedItem: { item } }];
}
