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
import { clock } from '../../transport/clock';
import { runInParallel, READS_AT_ONCE } from '../../transport/concurrency';
import { toFailure, Failure, hasStatus, toNodeError } from '../../transport/failure';
import { joinLines } from '../../transport/text';
import { findOperation } from '../index';
import type { Call, Operation, Outcome, Output } from '../operations/operation';
import { Memory } from './memory';

/**
 * The output item in place of an input item that failed: everything known, under the single key
 * `error`.
 *
 * n8n is why the key stands alone. An item that carries its error in n8n's own property `error` loses
 * its JSON: n8n replaces it with the message. Without that property, an item goes to the error output
 * when its JSON has no key but `error` (n8n 1: `error`, or `error` and `message`; n8n 2: also
 * `details`); there n8n adds the JSON of the input item. Retry On Fail also checks for JSON with
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
	const named = labels.map((label) => `'${label}'`).join(', ');
	return failure
		.with({
			message: `${named}: ${failure.message}`.replace(/^([^:]*): Must be /, '$1 must be '),
			description: description.replace(/^Field: (.+)\n?/gm, withLabel).trimEnd(),
			...(areInLists && {
				nextStep: labels.length > 1 ? 'Choose from the lists.' : 'Choose one from the list.',
			}),
		})
		.withContext({ facts: { fields: labels } });
}

/** Maximum number of records named in the description of an error; its facts have them all. */
const MAX_NAMED = 20;

interface CreatedRecord {
	itemIndex: number;
	/** Undefined where it is not certain that it was created. */
	id?: string;
	name?: string;
}

/** What a node's items created or may have created, for the errors of the other items. */
class Creations {
	private records: CreatedRecord[] = [];

	/** Notes a record of an item. What was uncertain of that item is then resolved. */
	noteCreated(itemIndex: number, record: { id?: string; name?: string }): void {
		this.records = this.records.filter(
			(each) => each.itemIndex !== itemIndex || ![undefined, record.id].includes(each.id),
		);
		this.records.push({ ...record, itemIndex });
	}

	/** Adds the others' records to an item's error: a node that fails has no output to show them. */
	withOthers(failure: Failure, itemIndex: number): Failure {
		const others = this.records
			.filter((each) => each.itemIndex !== itemIndex)
			.sort((one, two) => one.itemIndex - two.itemIndex);
		if (others.length === 0) return failure;
		const created = others.filter(({ id }) => id !== undefined);
		const open = others.filter(({ id }) => id === undefined);
		const toName = ({ id, name }: CreatedRecord) => (id && name ? `${id} (${name})` : (id ?? name));
		return failure.withContext({
			after: joinLines(
				created.length > 0 && `Already created for other items: ${joinNames(created.map(toName))}.`,
				open.length > 0 && `May have been created for other items: ${joinNames(open.map(toName))}.`,
			),
			facts: {
				...(created.length > 0 ? { alsoCreated: created } : {}),
				...(open.length > 0 ? { alsoAmbiguous: open } : {}),
			},
		});
	}
}

function joinNames(names: unknown[]): string {
	const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
	return names.slice(0, MAX_NAMED).join(', ') + more;
}

/** How long items are written before the event loop has a turn: a million are checked without a request. */
const TURN_MS = 10;

/** @throws NodeOperationError when the node has no such operation */
function getChosenOperation(context: IExecuteFunctions): Operation {
	const [resource, name] = ['resource', 'operation'].map((parameter) =>
		String(context.getNodeParameter(parameter, 0, '')),
	);
	const operation = findOperation(resource, name);
	if (operation) return operation;
	const message = 'This version of the node does not know this operation';
	const description =
		'The workflow may have been built with a newer version of n8n-nodes-wherobots. Update the package. For a request that no operation covers, choose API: Request.';
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
	const outputs = operation.kind === 'read' ? await run.readAll() : await run.writeAll();
	const items = outputs.flatMap((output, index) => toItems(output, index));
	if (!isToolUse(this)) return [items];
	if (!outputs.some(hasFailed)) run.memory.forgetAsked();
	return [limitForTool(items)];
}

/** One run of the node: an operation for every input item. */
class NodeRun {
	/** What its items share. */
	readonly memory: Memory;

	/** Kept for all attempts: the last error has to name what earlier ones created. */
	private readonly creations: Creations;

	private readonly count: number;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly operation: Operation,
		private readonly client: Client,
	) {
		this.count = context.getInputData().length;
		this.memory = new Memory(context, 0);
		this.creations = this.memory.run<Creations>('creations').get(() => new Creations());
	}

	/** Reads some at once. The waits that follow, without a request of their own yet, all run at once. */
	async readAll(): Promise<Output[]> {
		// When one item fails the node, nobody needs the results of the others.
		const abandoned = new AbortController();
		const attempt = async <T extends Outcome>(index: number, work: () => Promise<T>) => {
			const outcome = await this.attempt(work);
			const failure = this.findFatal(outcome);
			if (!failure) return outcome;
			abandoned.abort();
			throw this.nodeError(failure, index);
		};
		// Items start one at a time, each after the event loop has handled what is ready. Otherwise several
		// responses are handled at once, their next requests leave together, and all wait together again.
		let turn = Promise.resolve();
		const outcomes = await runInParallel(this.count, READS_AT_ONCE, async (index) => {
			const begin = turn;
			turn = begin.then(clock.turn);
			await begin;
			const call = this.call(index, abandoned.signal);
			return await attempt(index, async () => await this.operation.execute(call));
		});
		return await Promise.all(
			outcomes.map(async (outcome, index) => await attempt(index, async () => complete(outcome))),
		);
	}

	/**
	 * Checks the input of all items before the first is sent, where the operation separates the two; then
	 * writes one after the other. The waits that follow run in parallel, and all are completed. An item
	 * that succeeded is not written again because another one failed.
	 */
	async writeAll(): Promise<Output[]> {
		const earlier = this.memory.run<Output[]>('outputs').get(() => []);
		const outcomes: Outcome[] = [];
		let hasFatal = false;
		const inTurn = async (work: (index: number) => Promise<Outcome>) => {
			let began = performance.now();
			for (let index = 0; index < this.count && !hasFatal; index++) {
				outcomes[index] = earlier[index] ?? (await this.attempt(async () => await work(index)));
				hasFatal = this.findFatal(outcomes[index]) !== undefined;
				if (performance.now() - began < TURN_MS) continue;
				await clock.turn();
				began = performance.now();
			}
		};
		await inTurn(async (index) => await this.operation.execute(this.call(index)));
		await inTurn(async (index) => {
			const outcome = outcomes[index];
			return 'submit' in outcome ? await outcome.submit() : outcome;
		});
		const outputs: Output[] = [];
		const left: Array<Promise<void>> = [];
		const keep = (index: number, output: Output) => {
			if (!hasFailed(output)) earlier[index] = output;
			outputs[index] = output;
		};
		for (const [index, outcome] of outcomes.entries()) {
			if (Array.isArray(outcome)) keep(index, outcome);
			// Never submitted: another item failed the node first.
			else if ('submit' in outcome) outputs[index] = [];
			else {
				const output = this.attempt(async () => await complete(outcome));
				left.push(output.then((done) => keep(index, done)));
			}
		}
		await Promise.all(left);
		for (const [index, output] of outputs.entries()) {
			const failure = this.findFatal(output);
			if (failure) throw this.nodeError(this.creations.withOthers(failure, index), index);
		}
		return outputs;
	}

	private call(itemIndex: number, signal?: AbortSignal): Call {
		const { context, creations } = this;
		const toClient = () => this.client.forItem(signal);
		let client: Client | undefined;
		return {
			context,
			// Most of a million items need none.
			get client() {
				return (client ??= toClient());
			},
			itemIndex,
			input: new Input(context, itemIndex),
			memory: new Memory(context, itemIndex),
			noteCreated: (record) => creations.noteCreated(itemIndex, record),
		};
	}

	/** The result of `work`, or its failure as an output. */
	private async attempt<T extends Outcome>(work: () => Promise<T>): Promise<T | Failure[]> {
		try {
			return await work();
		} catch (error) {
			return [addFieldLabels(this.client.clean(error), this.operation)];
		}
	}

	private nodeError(failure: Failure, itemIndex: number) {
		const format = isToolUse(this.context) ? (text: string) => text : undefined;
		return toNodeError(this.context.getNode(), failure, itemIndex, format);
	}

	/** The failure that fails the node. */
	private findFatal(outcome: Outcome): Failure | undefined {
		if (!Array.isArray(outcome) || this.context.continueOnFail()) return undefined;
		return outcome.find(isFailure);
	}
}

const isFailure = (entry: INodeExecutionData | Failure) => entry instanceof Failure;

const hasFailed = (output: Output) => output.some(isFailure);

/** Does the work left to do. */
async function complete(outcome: Outcome): Promise<Output> {
	if ('submit' in outcome) return await complete(await outcome.submit());
	return 'finish' in outcome ? await outcome.finish() : outcome;
}

function toItems(output: Output, item: number): INodeExecutionData[] {
	return output.map((entry) =>
		entry instanceof Failure ? toErrorItem(entry, item) : { ...entry, pairedItem: { item } },
	);
}
