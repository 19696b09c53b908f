/** What an operation is, those that are declared by their specifics, and hints. */
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	NodeExecutionHint,
} from 'n8n-workflow';

import { getPathParams, readAddress, type Address, type PathParam } from '../../form/address';
import { defineFilters, defineOptions, readLimit, returnAllFields } from '../../form/fields';
import type { Input } from '../../form/input';
import { toItem, toItems, shapeItems, shapeFields } from '../../form/output';
import { isNothing } from '../../form/values';
import { type EndpointId, endpoints, listIdNames, type PathValues } from '../../service/endpoints';
import { isRecord } from '../../service/records';
import { formatTime } from '../../service/time';
import type { CallOptions, Client } from '../../transport/client';
import type { Failure } from '../../transport/failure';
import {
	fetchList,
	fetchRecord,
	type PageOptions,
	toUnexpectedFailure,
} from '../../transport/records';
import { toHtml, toText } from '../../transport/text';
import type { Memory } from '../execution/memory';
import {
	isSkipped,
	deduplicationKeyOption,
	readDeduplicationKey,
	sendOnceForKey,
	type Skipped,
} from './deduplicationKey';

/** What an operation gets for one input item. */
export interface Call {
	/** The parameters of the node for this item. */
	input: Input;
	client: Client;
	context: IExecuteFunctions;
	itemIndex: number;
	/** What is remembered for this item, also in later attempts. */
	memory: Memory;
	/**
	 * Call it for each record that this item created, and without an ID for one that it may have created:
	 * the errors of other items name it.
	 */
	noteCreated(record: { id?: string; name?: string }): void;
}

/** Output items, some of which may have failed where the node continues on failure. */
export type Output = Array<INodeExecutionData | Failure>;

/** What an operation returns for one input item: its output, or the work left to do. */
export type Outcome =
	| Output
	/** The input is checked, nothing is sent yet. Called one item after the other, once all are checked. */
	| { submit(): Promise<Outcome> }
	/** The request is sent; what follows, such as a wait, runs in parallel with that of other items. */
	| { finish(): Promise<Output> };

/** The fields of a form by the names or paths of their values in the query or body: `runPython.uri`. */
export type RequestFields = Record<string, INodeProperties>;

/** One operation: its entry in the Operation list, its fields and what it does. */
export interface Operation {
	name: string;
	value: string;
	action: string;
	description: string;
	/** How not to misuse it, for n8n's workflow builder, its agents and its MCP server: plain text. */
	hint?: string;
	/** Without the display options for resource and operation: the table adds them. */
	fields: INodeProperties[];
	/** Which fields values of the request come from that are not called like their field. */
	requestFields?: RequestFields;
	/** Reads of many items run in parallel, writes one after the other. */
	kind: 'read' | 'write';
	execute(call: Call): Promise<Outcome>;
}

/** One resource: its entry in the Resource list and its operations in the order of their names. */
export interface Resource {
	name: string;
	value: string;
	description: string;
	operations: Operation[];
	/** The operation that a new node starts with; Get Many unless it says otherwise. */
	defaultOperation?: Operation;
	/** The one that a new tool of an agent starts with, where the default changes something. */
	toolOperation?: Operation;
}

/** Shows a hint beside the node's output, in versions of n8n that have hints. Its message is plain text. */
export function addHint(context: IExecuteFunctions, hint: NodeExecutionHint): void {
	const { addExecutionHints } = context as Partial<Pick<IExecuteFunctions, 'addExecutionHints'>>;
	addExecutionHints?.call(context, { ...hint, message: toHtml(hint.message) });
}

/** Shows a hint that holds for all items, once. @param about tells it from others */
export function addHintOnce(
	{ context, memory }: Pick<Call, 'context' | 'memory'>,
	about: string,
	hint: NodeExecutionHint,
): void {
	const shown = memory.attempt<boolean>('hint', about);
	if (!shown.value) addHint(context, hint);
	shown.value = true;
}

/**
 * Explains an empty list: what was asked for, and how to get more.
 *
 * @param what the records in the plural: `job runs`
 * @param asked the fields that narrow the list, with their values; those without a value are left out
 * @param where end of the hint when no filter is set: `in this catalog`
 */
export function addNoResultsHint(
	call: Pick<Call, 'context' | 'itemIndex' | 'memory'>,
	what: string,
	asked: ReadonlyArray<readonly [INodeProperties, string | string[] | undefined]> = [],
	where = 'that this account can see',
): void {
	const { context, itemIndex } = call;
	const filters = asked
		.filter(([, value]) => value !== undefined && value.length > 0)
		.map(([{ displayName }, value]) => `'${displayName}' ${[value].flat().join(' or ')}`);
	const text =
		filters.length > 0
			? `No ${what} match ${filters.join(' and ')}. Change or remove a filter to get results.`
			: `There are no ${what} ${where}.`;
	const item = context.getInputData().length > 1 ? `Item ${itemIndex}: ` : '';
	addHintOnce(call, 'no results', { message: item + text, type: 'info' });
}

/** The entry in the Operation list: name and value are those of its kind unless it says otherwise. */
type Entry = Pick<Operation, 'action' | 'description'> &
	Partial<Pick<Operation, 'name' | 'value' | 'hint'>>;

interface Declaration extends Entry {
	/** Its path says which record it is about, or where the records are. */
	endpoint: EndpointId;
}

interface Records<T extends IDataObject> extends Declaration {
	/** The fields of a record that people need. Without it, a record is output with its address. */
	simplify?(record: T, call: Call, names: Address['names']): IDataObject;
	/** Fields of the form after those of the address. */
	fields?: INodeProperties[];
}

/** Gets one record. */
export function defineGet<T extends IDataObject>({
	endpoint,
	read = async ({ client }, path) => await fetchRecord<T>(client, endpoint, { path }),
	fields = [],
	simplify,
	...entry
}: Records<T> & {
	/** For a record that takes more to read, or has hints. */
	read?(call: Call, path: PathValues): Promise<T>;
}): Operation {
	const params = getPathParams(endpoint);
	return {
		...{ name: 'Get', value: 'get', ...entry },
		fields: [...toFields(params), ...fields, ...(simplify ? shapeFields : [])],
		kind: 'read',
		async execute(call) {
			const { input } = call;
			const { path, names } = readAddress(input, params);
			const record = await read(call, path);
			return simplify
				? shapeItems(input, endpoint, [record], (each) => simplify(each, call, names))
				: [toItem({ ...names, ...record })];
		},
	};
}

interface List<T extends IDataObject> extends Records<T> {
	/** Plural name of the records for the hint that there are none: `job runs`. */
	records: string | ((input: Input) => string);
	/** End of the hint when no filter is set: `in this catalog`. */
	where?: string;
	/** Reads the list in another way. */
	read?(call: Call, options: PageOptions<T>): Promise<T[]>;
	/** Filters by their names in the query. */
	filters?: Record<string, INodeProperties>;
	/** Checks combinations of filters before anything is sent. */
	check?(call: Call, filters: Input): void;
	/** Changes the list before it is cut to the limit. */
	select?(records: T[], input: Input): T[];
}

/** Lists records, all or up to a limit. */
export function defineGetMany<T extends IDataObject = IDataObject>({
	endpoint,
	records,
	where,
	read = async ({ client }, options) => await fetchList<T>(client, endpoint, options),
	fields = [],
	filters = {},
	check,
	select,
	simplify,
	...entry
}: List<T>): Operation {
	const params = getPathParams(endpoint);
	const filtersField = defineFilters(...Object.values(filters));
	return {
		...{ name: 'Get Many', value: 'getAll', ...entry },
		fields: [
			...toFields(params),
			...fields,
			...returnAllFields,
			...(simplify ? shapeFields : []),
			...(Object.keys(filters).length > 0 ? [filtersField] : []),
		],
		requestFields: filters,
		kind: 'read',
		async execute(call) {
			const { input } = call;
			const { path, names } = readAddress(input, params);
			const within = input.within(filtersField);
			const query = Object.fromEntries(
				Object.entries(filters).map(([name, field]) => [name, readFilter(within, field)]),
			);
			check?.(call, within);
			const limit = readLimit(input);
			const onShort = (given: number, total: number) =>
				addHint(call.context, {
					message: `The service returned ${given} records, but reports a total of ${total}. Some may be missing, or its total counts something else.`,
				});
			const all = await read(call, {
				path,
				query,
				...(select ? {} : { limit }),
				onShort,
			});
			const found = (select?.(all, input) ?? all).slice(0, limit);
			if (found.length === 0) {
				const what = typeof records === 'string' ? records : records(input);
				const asked = Object.entries(query).map(([name, value]) => [filters[name], value] as const);
				addNoResultsHint(call, what, asked, where);
			}
			return simplify
				? shapeItems(input, endpoint, found, (each) => simplify(each, call, names))
				: toItems(found.map((record) => ({ ...names, ...record })));
		},
	};
}

function readFilter(input: Input, field: INodeProperties) {
	// Without the filter, whatever acts on the list would act on more than was meant.
	if (isNothing(input.raw(field, '')) && !input.isToolUse) return input.text(field);
	if (field.type === 'multiOptions') return input.list(field);
	if (field.type !== 'dateTime') return input.optionalText(field);
	const time = input.optionalTime(field);
	return time === undefined ? undefined : formatTime(time);
}

/**
 * Creates or changes a record and outputs the response. All items are checked before the first is sent.
 */
export function defineWrite<T extends IDataObject>({
	endpoint,
	fields = [],
	options = [],
	requestFields,
	body,
	recoveryHint,
	complete,
	simplify,
	...entry
}: Omit<Records<T>, 'simplify'> & {
	/** The members of the collection of options. */
	options?: INodeProperties[];
	requestFields?: RequestFields;
	/** Reads the body of the request from the form and the collection of options. */
	body(input: Input, options: Input): IDataObject & { name?: string };
	/** For one that creates a record: what to look for when the response is lost. */
	recoveryHint?(name?: string): string;
	/** Changes the response before it is output. */
	complete?(client: Client, record: T): Promise<T>;
	simplify?(record: T): IDataObject;
}): Operation {
	const params = getPathParams(endpoint);
	const optionsField = defineOptions(...options);
	/** As it was asked for: an expiry in days is another time at each attempt. */
	const asked = ({ context, itemIndex }: Call) =>
		[...fields, optionsField].map(({ name }) => context.getNodeParameter(name, itemIndex, null));
	return {
		...{ name: 'Create', value: 'create', ...entry },
		fields: [
			...toFields(params),
			...fields,
			...(simplify ? shapeFields : []),
			...(options.length > 0 ? [optionsField] : []),
		],
		requestFields,
		kind: 'write',
		async execute(call) {
			const { client, input, memory, noteCreated } = call;
			const { path } = readAddress(input, params);
			const sent = body(input, input.within(optionsField));
			const hasKey = options.includes(deduplicationKeyOption);
			const key = hasKey ? readDeduplicationKey(input.within(optionsField)) : undefined;
			const { name } = sent;
			const write = async (onSend?: () => void) => {
				const request = { path, body: sent, recoveryHint: recoveryHint?.(name), onSend };
				const response = await fetchRecord<T>(client, endpoint, request);
				const record = (await complete?.(client, response)) ?? response;
				if (recoveryHint) noteCreated({ id: getCreatedId(endpoint, record, request), name });
				return record;
			};
			// A change may be sent again, a record may not be created again.
			const work = recoveryHint && memory.item<T | Skipped>(endpoint, asked(call));
			const sendOnce = async () => await sendOnceForKey(call, key, write);
			const submit = async () => {
				const record = await (work ? work.once(sendOnce) : write());
				if (isSkipped(record)) return [toItem({ ...record })];
				return simplify ? shapeItems(input, endpoint, [record], simplify) : [toItem(record)];
			};
			return { submit };
		},
	};
}

/**
 * The ID of a created record.
 *
 * @throws Failure without one, or without the secret that it should have
 */
function getCreatedId(endpoint: EndpointId, record: IDataObject, request: CallOptions): string {
	const isSecret = endpoints[endpoint].secret;
	const [idName] = listIdNames(endpoint);
	// A secret in a record inside the response is output as it is, not lost.
	const places = isSecret ? [record, ...Object.values(record).filter(isRecord)] : [record];
	const found = places.find((place) => toText(place[idName]) && (!isSecret || toText(place.key)));
	if (found) return toText(found[idName]);
	throw toUnexpectedFailure(
		isSecret ? 'It has no ID or no secret.' : 'It has no ID.',
		request,
	).withContext({
		facts: { id: toText(record[idName]) || undefined },
	});
}

/** Deletes a record, and outputs its address. */
export function defineDelete({
	endpoint,
	picker,
	...entry
}: Declaration & {
	/** What the field that picks the record says: its hint is a warning. */
	picker: Pick<INodeProperties, 'description' | 'hint'>;
}): Operation {
	const params = getPathParams(endpoint);
	const fields = toFields(params);
	return {
		...{ name: 'Delete', value: 'delete', ...entry },
		fields: [...fields.slice(0, -1), ...fields.slice(-1).map((field) => ({ ...field, ...picker }))],
		kind: 'write',
		async execute({ client, input }) {
			const { path, names } = readAddress(input, params);
			await client.call(endpoint, { path });
			return [toItem({ deleted: true, ...names })];
		},
	};
}

function toFields(params: PathParam[]): INodeProperties[] {
	return params.map(({ field }) => field);
}
