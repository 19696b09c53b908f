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

/** How many items are read at once. Pacing against the service's rate limit is the client's. */
const READS_AT_ONCE = 10;

type Failed = { error: NodeFailure };
/** How far the work for one input item has come: done, failed, or with something left to do. */
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
	// When one item fails the node, nobody needs what the others are still waiting for.
	const abandoned = new AbortController();
	// They begin one by one, each after the process has seen to what is ready. Otherwise the work that
	// several responses set off is done in one go, its requests leave together, and all wait together again.
	let turn = Promise.resolve();
	return await inParallel(count, READS_AT_ONCE, async (index) => {
		const begin = turn;
		turn = begin.then(clock.turn);
		await begin;
		const slot: Slot = await attempt(context, operation, index, async () => {
			const call = callFor(context, client.forItem(abandoned.signal), index);
			return await completed(await operation.execute(call));
		});
		if ('error' in slot && !context.continueOnFail()) abandoned.abort();
		stopUnlessContinuing(context, slot);
		return slot;
	});
}

/**
 * Checks the input of all items before the first is sent, where the operation tells the two apart;
 * then writes one after the other. The waits that follow run side by side and all come to their end.
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
		return await operation.execute(callFor(context, client.forItem(), index, creations));
	});
	await inTurn(async (index) => {
		const step = steps[index];
		return 'submit' in step ? await step.submit() : step;
	});
	const slots = await Promise.all(
		steps.map(async (step, index): Promise<Slot> => {
			// Still not submitted: another item has failed the node before.
			if ('submit' in step) return [];
			return await attempt(context, operation, index, async () => await completed(step));
		}),
	);
	for (const [index, slot] of slots.entries()) {
		if ('error' in slot && !context.continueOnFail()) creations.nameIn(slot.error, index);
		stopUnlessContinuing(context, slot);
	}
	return slots;
}

function callFor(
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
		noteOpen: (record) => creations.noteOpen(itemIndex, record),
	};
}

/** The output items, after all that is left to do for them. */
async function completed(step: Step): Promise<Slot> {
	if ('error' in step || 'pieces' in step || Array.isArray(step)) return step;
	return 'finish' in step ? await step.finish() : await completed(await step.submit());
}

/** What `work` comes to, or the error that stands in its place. */
async function attempt<T extends Step | Slot>(
	context: IExecuteFunctions,
	operation: Operation,
	itemIndex: number,
	work: () => Promise<T>,
): Promise<T | Failed> {
	try {
		return await work();
	} catch (error) {
		prefixFieldLabels(error as Error, operation.requestFields);
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
