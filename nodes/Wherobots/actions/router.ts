import {
	NodeApiError,
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { Client } from '../transport/client';
import { CancelledError, clock } from '../transport/clock';
import { inParallel } from '../transport/inParallel';
import { Creations } from './creations';
import { errorItem } from './errorItem';
import { findOperation } from './index';
import { Input } from '../parameters/input';
import { parametersOfItem } from '../parameters/source';
import { prefixFieldLabels } from './requestFields';
import type { Call, NodeFailure, Operation, Outcome, Piece } from './operation';
import { boundForTool, isToolUse } from '../parameters/toolUse';

/** How many items are read at once. The client keeps to the service's rate limit. */
const READS_AT_ONCE = 10;

type Failed = { error: NodeFailure };
/** The progress of one input item: done, failed, or with work left to do. */
type Step = Outcome | Failed;
type Slot = INodeExecutionData[] | { pieces: Piece[] } | Failed;

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
		throw new NodeOperationError(
			this.getNode(),
			'This version of the node does not know this operation',
			{
				description:
					'The workflow may have been built with a newer version of n8n-nodes-wherobots. Update the package.',
			},
		);
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
	// When one item fails the node, nobody needs the results of the others.
	const abandoned = new AbortController();
	// Items start one at a time, each after the event loop has handled what is ready. Otherwise several
	// responses are handled at once, their next requests leave together, and all wait together again.
	let turn = Promise.resolve();
	return await inParallel(count, READS_AT_ONCE, async (index) => {
		const begin = turn;
		turn = begin.then(clock.turn);
		await begin;
		const slot: Slot = await attempt(context, operation, index, async () => {
			const call = makeCall(context, client.forItem(abandoned.signal), index);
			return await completed(await operation.execute(call));
		});
		if ('error' in slot && !context.continueOnFail()) abandoned.abort();
		stopUnlessContinuing(context, slot);
		return slot;
	});
}

/**
 * Checks the input of all items before the first is sent, where the operation separates the two; then
 * writes one after the other. The waits that follow run in parallel, and all are completed.
 */
async function writeAll(
	context: IExecuteFunctions,
	operation: Operation,
	client: Client,
	count: number,
): Promise<Slot[]> {
	const creations = new Creations();
	const steps: Step[] = [];
	let failed = false;
	const inTurn = async (work: (index: number) => Promise<Step>) => {
		for (let index = 0; index < count && !failed; index++) {
			steps[index] = await attempt(context, operation, index, async () => await work(index));
			failed = 'error' in steps[index] && !context.continueOnFail();
		}
	};
	await inTurn(async (index) => {
		return await operation.execute(makeCall(context, client.forItem(), index, creations));
	});
	await inTurn(async (index) => {
		const step = steps[index];
		return 'submit' in step ? await step.submit() : step;
	});
	const slots = await Promise.all(
		steps.map(async (step, index): Promise<Slot> => {
			// Never submitted: another item failed the node first.
			if ('submit' in step) return [];
			return await attempt(context, operation, index, async () => await completed(step));
		}),
	);
	for (const [index, slot] of slots.entries()) {
		if ('error' in slot && !context.continueOnFail()) creations.nameOthersIn(slot.error, index);
		stopUnlessContinuing(context, slot);
	}
	return slots;
}

function makeCall(
	context: IExecuteFunctions,
	client: Client,
	itemIndex: number,
	creations = new Creations(),
): Call {
	const input = new Input(parametersOfItem(context, itemIndex));
	return {
		context,
		client,
		itemIndex,
		input,
		noteCreated: (record) => creations.noteCreated(itemIndex, record),
		noteUncertain: (record) => creations.noteUncertain(itemIndex, record),
	};
}

/** Does the work left to do and returns the output items. */
async function completed(step: Step): Promise<Slot> {
	if ('error' in step || 'pieces' in step || Array.isArray(step)) return step;
	return 'finish' in step ? await step.finish() : await completed(await step.submit());
}

/** The result of `work`, or its error. */
async function attempt<T extends Step | Slot>(
	context: IExecuteFunctions,
	operation: Operation,
	itemIndex: number,
	work: () => Promise<T>,
): Promise<T | Failed> {
	try {
		return await work();
	} catch (error) {
		prefixFieldLabels(error as Error, operation);
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
	if ('error' in slot) return [errorItem(slot.error, item)];
	const pieces: Piece[] = Array.isArray(slot)
		? slot.map((entry) => ({ item: entry }))
		: slot.pieces;
	return pieces.map((piece) =>
		'failure' in piece ? errorItem(piece.failure, item) : { ...piece.item, pairedItem: { item } },
	);
}
