/** Tested by test/engine/actions/invariants.test.ts and createOnce.test.ts. */
import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	NodeOperationError,
} from 'n8n-workflow';

import { limitForTool, Input, isToolUse } from '../../form/input';
import { Client } from '../../transport/client';
import { clock, runInParallel } from '../../transport/clock';
import {
	toFailure,
	type Failure,
	hasStatus,
	type RecordFacts,
	toNodeError,
} from '../../transport/failure';
import { joinLines } from '../../transport/text';
import { findOperation } from '../index';
import type { Call, Operation, Outcome, Piece } from '../operations/operation';
import { ExecutionStates, forgetResults } from './once';

/**
 * The output item in place of an input item that failed: everything known, under the single key
 * `error`.
 *
 * n8n is why the key stands alone. An item that carries its error in n8n's own property `error` loses
 * its JSON: n8n replaces it with the message. Without that property, an item goes to the error output
 * when its JSON has no key but `error` (n8n 1: `error`, or `error` and `message`; n8n 2: also
 * `details`); there n8n adds the JSON of the input item. Retry on Fail also checks for JSON with
 * `error`.
 *
 * docs/errors.md documents the fields.
 */
function toErrorItem(failure: Failure, item: number): INodeExecutionData {
	const { message, description, facts, parts } = failure;
	const { temporary, ambiguous } = parts;
	const status = Number(parts.httpCode);
	const details: IDataObject = {
		message,
		...(description ? { description } : {}),
		...(status ? { httpCode: status } : {}),
		...(temporary && !ambiguous ? { temporary } : {}),
		...facts,
	};
	return { json: { error: details }, pairedItem: { item } };
}

type Form = Pick<Operation, 'fields' | 'requestFields'>;

/**
 * The field whose value is at a path that the service names: the one that the operation says, or the
 * one with the same name. The service names paths in several ways: `query.region`,
 * `body.environment.dependencies.0.filePath`, or the last name alone.
 */
export function findField({ fields, requestFields = {} }: Form, place: string) {
	const all = fields.flatMap((field) =>
		field.type === 'collection' ? [field, ...(field.options as INodeProperties[])] : [field],
	);
	const known = new Map<string, INodeProperties>([
		...all.map((field) => [field.name, field] as const),
		...Object.entries(requestFields),
	]);
	const steps = place.replace(/^(query|body)\./, '').split('.');
	for (let length = steps.length; length > 0; length--) {
		const field = known.get(steps.slice(0, length).join('.')) ?? known.get(steps[length - 1]);
		if (field) return field;
	}
	return undefined;
}

/** The failure with the labels of the fields whose values the service rejected. */
function addFieldLabels(failure: Failure, form: Form): Failure {
	const { description = '', places = [] } = failure.parts;
	const refused = [...new Set(places.map((place) => findField(form, place)))].filter(
		(field) => field !== undefined,
	);
	if (refused.length === 0) return failure;
	const labels = refused.map(({ displayName }) => displayName);
	const areInLists =
		hasStatus(failure, 400, 404, 422) && refused.every(({ type }) => type === 'resourceLocator');
	const withLabel = (line: string, place: string) => {
		const label = findField(form, place)?.displayName;
		if (label === undefined) return line;
		return labels.length > 1 ? `Field: ${label}\n` : '';
	};
	return failure
		.with({
			message: `${labels.map((label) => `'${label}'`).join(', ')}: ${failure.message}`,
			description: description.replace(/^Field: (.+)\n?/gm, withLabel).trimEnd(),
			...(areInLists && {
				nextStep: labels.length > 1 ? 'Choose from the lists.' : 'Choose one from the list.',
			}),
		})
		.withContext({ facts: { fields: labels } });
}

/** Maximum number of records named in the description of an error; its facts have them all. */
const MAX_NAMED = 20;

type OfItem<T> = T & { itemIndex: number };

/** What a node's items created or may have created, for the errors of the other items. */
export class Creations {
	private readonly created: Array<OfItem<RecordFacts>> = [];
	private readonly open = new Map<number, OfItem<{ name: string }>>();

	/** Notes a record that an item created. The item's uncertain record is then resolved. */
	noteCreated(itemIndex: number, record: RecordFacts): void {
		this.open.delete(itemIndex);
		if (this.created.some((each) => each.itemIndex === itemIndex && each.id === record.id)) return;
		this.created.push({ ...record, itemIndex });
	}

	noteUncertain(itemIndex: number, record: { name: string }): void {
		this.open.set(itemIndex, { ...record, itemIndex });
	}

	/** Adds the others' records to an item's error: a node that fails has no output to show them. */
	withOthers(failure: Failure, itemIndex: number): Failure {
		const others = <T extends { itemIndex: number }>(all: T[]) =>
			all
				.filter((each) => each.itemIndex !== itemIndex)
				.sort((one, two) => one.itemIndex - two.itemIndex);
		const created = others(this.created);
		const open = others([...this.open.values()]);
		if (created.length + open.length === 0) return failure;
		const names = created.map(({ id, name }) => (name ? `${id} (${name})` : id));
		return failure.withContext({
			after: joinLines(
				created.length > 0 && `Already created for other items: ${joinNames(names)}.`,
				open.length > 0 &&
					`May have been created for other items: ${joinNames(open.map(({ name }) => name))}.`,
			),
			facts: {
				...(created.length > 0 ? { alsoCreated: created } : {}),
				...(open.length > 0 ? { alsoAmbiguous: open } : {}),
			},
		});
	}
}

function joinNames(names: string[]): string {
	const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
	return names.slice(0, MAX_NAMED).join(', ') + more;
}

/** How many items are written before the event loop has a turn: thousands are checked without a request. */
const WRITES_IN_A_TURN = 20;

/** How many items are read at once. The client keeps to the service's rate limit. */
const READS_AT_ONCE = 10;

type Failed = { failure: Failure };
/** The progress of one input item: done, failed, or with work left to do. */
type Step = Outcome | Failed;
type Slot = INodeExecutionData[] | { pieces: Piece[] } | Failed;

/** The value of the entry that n8n itself may add to resources and operations. */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

/** @throws NodeOperationError when the node has no such operation */
function getChosenOperation(context: IExecuteFunctions): Operation {
	const [resource, name] = ['resource', 'operation'].map((parameter) =>
		String(context.getNodeParameter(parameter, 0, '')),
	);
	const operation = findOperation(resource, name);
	if (operation) return operation;
	const isCustom = [resource, name].includes(CUSTOM_API_CALL);
	const [message, description] = isCustom
		? [
				"'Custom API Call' is not an operation of this node",
				"Use an HTTP Request node with 'Authentication' set to Predefined Credential Type and 'Credential Type' set to Wherobots API.",
			]
		: [
				'This version of the node does not know this operation',
				'The workflow may have been built with a newer version of n8n-nodes-wherobots. Update the package.',
			];
	throw new NodeOperationError(context.getNode(), message, { description });
}

/**
 * Runs the chosen operation for every input item. Outputs come in the order of the inputs and are
 * paired with them; an item that fails becomes an error item when the node continues on failure.
 * Here, and only here, a failure becomes n8n's error.
 */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const operation = getChosenOperation(this);
	const client = await Client.create(this).catch((error: unknown) => {
		throw toNodeError(this.getNode(), toFailure(error));
	});
	const run = new NodeRun(this, operation, client);
	const slots = operation.kind === 'read' ? await run.readAll() : await run.writeAll();
	const outputs = slots.flatMap((slot, index) => toOutput(slot, index));
	if (!isToolUse(this)) return [outputs];
	if (!slots.some((slot) => 'failure' in slot)) forgetResults(this);
	return [limitForTool(outputs)];
}

/**
 * What a run of the node has done, kept for all attempts of Retry on Fail: outputs of items whose write
 * succeeded, which is not repeated because another item failed, and what the last error has to name.
 */
const attempts = new ExecutionStates(() => ({
	creations: new Creations(),
	outputs: new Map<number, INodeExecutionData[]>(),
}));

/** One run of the node: an operation for every input item. */
class NodeRun {
	private readonly earlier: { creations: Creations; outputs: Map<number, INodeExecutionData[]> };

	private readonly count: number;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly operation: Operation,
		private readonly client: Client,
	) {
		this.count = context.getInputData().length;
		this.earlier = attempts.ofRun(context, 0);
	}

	/** Reads some at once. The waits that follow, without a request of their own yet, all run at once. */
	async readAll(): Promise<Slot[]> {
		// When one item fails the node, nobody needs the results of the others.
		const abandoned = new AbortController();
		const attempt = async <T extends Step | Slot>(index: number, work: () => Promise<T>) => {
			const step = await this.attempt(work);
			if (!this.failsNode(step)) return step;
			abandoned.abort();
			throw this.nodeError(step.failure, index);
		};
		// Items start one at a time, each after the event loop has handled what is ready. Otherwise several
		// responses are handled at once, their next requests leave together, and all wait together again.
		let turn = Promise.resolve();
		const steps = await runInParallel(this.count, READS_AT_ONCE, async (index) => {
			const begin = turn;
			turn = begin.then(clock.turn);
			await begin;
			const call = this.call(index, abandoned.signal);
			return await attempt(index, async () => await this.operation.execute(call));
		});
		return await Promise.all(
			steps.map(async (step, index) => await attempt(index, async () => await completeStep(step))),
		);
	}

	/**
	 * Checks the input of all items before the first is sent, where the operation separates the two; then
	 * writes one after the other. The waits that follow run in parallel, and all are completed.
	 */
	async writeAll(): Promise<Slot[]> {
		const { creations, outputs } = this.earlier;
		const steps: Step[] = [];
		let failed = false;
		const inTurn = async (work: (index: number) => Promise<Step>) => {
			for (let index = 0; index < this.count && !failed; index++) {
				steps[index] = outputs.get(index) ?? (await this.attempt(async () => await work(index)));
				failed = this.failsNode(steps[index]);
				if (index % WRITES_IN_A_TURN === WRITES_IN_A_TURN - 1) await clock.turn();
			}
		};
		await inTurn(async (index) => await this.operation.execute(this.call(index)));
		await inTurn(async (index) => {
			const step = steps[index];
			return 'submit' in step ? await step.submit() : step;
		});
		const slots = await Promise.all(
			steps.map(async (step): Promise<Slot> => {
				// Never submitted: another item failed the node first.
				if ('submit' in step) return [];
				return await this.attempt(async () => await completeStep(step));
			}),
		);
		for (const [index, slot] of slots.entries()) {
			// What was never submitted has no output yet.
			if (Array.isArray(slot) && !('submit' in steps[index])) outputs.set(index, slot);
		}
		for (const [index, slot] of slots.entries()) {
			if (!this.failsNode(slot)) continue;
			throw this.nodeError(creations.withOthers(slot.failure, index), index);
		}
		return slots;
	}

	private call(itemIndex: number, signal?: AbortSignal): Call {
		const { context } = this;
		const { creations } = this.earlier;
		return {
			context,
			client: this.client.forItem(signal),
			itemIndex,
			input: new Input(context, itemIndex),
			noteCreated: (record) => creations.noteCreated(itemIndex, record),
			noteUncertain: (record) => creations.noteUncertain(itemIndex, record),
		};
	}

	/** The result of `work`, or its failure. */
	private async attempt<T extends Step | Slot>(work: () => Promise<T>): Promise<T | Failed> {
		try {
			return await work();
		} catch (error) {
			return { failure: addFieldLabels(this.client.clean(error), this.operation) };
		}
	}

	private nodeError(failure: Failure, itemIndex: number) {
		return toNodeError(this.context.getNode(), failure, itemIndex);
	}

	private failsNode(step: Step | Slot): step is Failed {
		return 'failure' in step && !this.context.continueOnFail();
	}
}

/** Does the work left to do and returns the output items. */
async function completeStep(step: Step): Promise<Slot> {
	if ('failure' in step || 'pieces' in step || Array.isArray(step)) return step;
	return 'finish' in step ? await step.finish() : await completeStep(await step.submit());
}

function toOutput(slot: Slot, item: number): INodeExecutionData[] {
	if ('failure' in slot) return [toErrorItem(slot.failure, item)];
	const paired = (entry: INodeExecutionData) => ({ ...entry, pairedItem: { item } });
	if (Array.isArray(slot)) return slot.map(paired);
	return slot.pieces.map((piece) =>
		'failure' in piece ? toErrorItem(piece.failure, item) : paired(piece.item),
	);
}
