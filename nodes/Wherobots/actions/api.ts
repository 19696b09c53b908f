/** Tested by test/engine/actions/api.test.ts and api.otherServices.test.ts. */
import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { defineSwitchField } from '../form/declarations';
import { allowChangesField, apiRequestField } from '../form/fields';
import type { Input } from '../form/input';
import { chooseMappedField, defineMappedFields, readMapped } from '../form/mapper';
import { toItem } from '../form/output';
import { isDeeper, MAX_LEVELS, show, toText } from '../form/values';
import {
	type ApiMethod,
	type ApiPaging,
	type ApiRequest,
	BODY,
	checkApiPath,
	checkApiPlace,
	findPaging,
	parseApiRequest,
} from '../service/apiDescription';
import { buildPath, checkNamedValue, listNames, type PathValues } from '../service/endpoints';
import { isRecord } from '../service/records';
import type { CallOptions, Client } from '../transport/client';
import { explainReading, type Failure } from '../transport/failure';
import {
	fetchEachPage,
	refuseErrors,
	toListFailure,
	toUnexpectedFailure,
} from '../transport/records';
import { redactByName } from '../transport/secrets';
import { fetchApiRequests } from '../useCases/api/requests';
import {
	addHint,
	type Call,
	type Operation,
	type Outcome,
	type Resource,
} from './operations/operation';

const parametersFields = defineMappedFields(
	{
		...{ name: 'parameters', noun: 'parameter', method: 'getApiParameters' },
		dependsOn: apiRequestField.name,
	},
	{
		source: 'How to enter the values of the request',
		form: 'The values that the API description lists for the request. Those not added or left empty are not sent.',
		json: 'Path and query values by name, and the request body under the name body',
		placeholder: 'e.g. {"storage_id": "abc", "body": {"name": "raw-data"}}',
	},
);

const allPagesField = defineSwitchField({
	displayName: 'Return All',
	name: 'returnAllPages',
	description:
		'Whether to read all pages of a list, one item for each record, if the API describes paging for it',
});

interface Values {
	path: PathValues;
	query: IDataObject;
	body?: IDataObject;
}

/** @throws Failure where it may not be made */
function readRequest({ input }: Call): { method: ApiMethod; at: string } {
	const text = input.text(apiRequestField);
	const parsed = parseApiRequest(text);
	if (!parsed) {
		throw input.problem(
			apiRequestField,
			`must be a method and a path, such as GET /storage, not ${show(text)}`,
		);
	}
	const { method, path: at } = parsed;
	const problem = checkApiPath(method, at);
	if (problem !== undefined) throw input.problem(apiRequestField, problem);
	if (method !== 'GET' && input.isToolUse) {
		const what = 'must be a GET request, because an AI agent can only read';
		throw input.problem(apiRequestField, what);
	}
	const mayChange = input.flag(allowChangesField);
	if (method !== 'GET' && !mayChange) {
		throw input.problem(
			apiRequestField,
			`must be a GET request, because '${allowChangesField.displayName}' is off`,
			`To send ${method} ${at}, turn on '${allowChangesField.displayName}'.`,
		);
	}
	return { method, at };
}

/**
 * Which value goes where.
 *
 * @throws Failure where one cannot be sent, or the request may not be made with them
 */
function divide(
	{ input }: Call,
	{ method, at }: { method: ApiMethod; at: string },
	parameters: IDataObject,
): Values {
	const field = chooseMappedField(input, parametersFields);
	const names = listNames(at);
	const given = names.map((name) => {
		const value = toText(Object.hasOwn(parameters, name) ? parameters[name] : '');
		const problem = value === undefined ? 'must be text or a number' : checkNamedValue(name, value);
		if (problem) throw input.problem(field, `needs ${name}, which ${problem}`);
		return [name, String(value)] as const;
	});
	const path: PathValues = Object.fromEntries(given);
	const problem = checkApiPlace(method, buildPath({ path: at }, path));
	if (problem !== undefined) throw input.problem(apiRequestField, problem);

	const { [BODY]: whole, ...others } = parameters;
	const members: Array<[string, unknown]> = [];
	const query: Array<[string, unknown]> = [];
	for (const [name, value] of Object.entries(others)) {
		if (names.includes(name)) continue;
		if (name.startsWith(`${BODY}.`)) members.push([name.slice(BODY.length + 1), value]);
		else query.push([name, toQueryValue(value)]);
	}
	if (whole !== undefined && members.length > 0) {
		throw input.problem(field, `must have ${BODY}, or values that begin with ${BODY}., not both`);
	}
	// The form has only what is added to it, and a body may have to be there with nothing in it.
	const hasMembers = members.length > 0 || (method !== 'GET' && hasBodyFields(input, field));
	const body = whole ?? (hasMembers ? Object.fromEntries(members) : undefined);
	if (body !== undefined && method === 'GET') {
		throw input.problem(field, 'must not have a body for a GET request');
	}
	return {
		path,
		query: Object.fromEntries(query) as IDataObject,
		// A list is a body, too.
		body: body as IDataObject | undefined,
	};
}

/** Whether the request takes members of a body, as far as the form knows it. */
function hasBodyFields(input: Input, field: INodeProperties): boolean {
	const form = field === parametersFields.mapperField ? input.raw(field, {}) : {};
	const fields = isRecord(form) && Array.isArray(form.schema) ? form.schema.filter(isRecord) : [];
	return fields.some(({ id }) => String(id).startsWith(`${BODY}.`));
}

/** Long integers as their digits. */
const toQueryValue = (value: unknown): unknown =>
	Array.isArray(value) ? value.map(toQueryValue) : (toText(value) ?? value);

const request: Operation = {
	name: 'Request',
	value: 'request',
	action: 'Make API request',
	description:
		"Make any request in the service's API description, for anything the other operations do not cover",
	hint: "API Request is a method and a path of the deployment's /openapi.json, such as GET /organization/quota/organization.",
	fields: [
		allowChangesField,
		apiRequestField,
		...[parametersFields.fromField, parametersFields.mapperField, parametersFields.jsonField],
		allPagesField,
	],
	kind: 'write',
	async execute(call) {
		const { client, input, memory } = call;
		const { method, at } = readRequest(call);
		const values = divide(call, { method, at }, readMapped(call, parametersFields));
		await checkParameters(call, { method, at }, values);
		const options = { at, ...values };
		if (method === 'GET') {
			const paging = input.flag(allPagesField) ? await fetchPaging(call, at) : undefined;
			if (paging) {
				const records = await fetchAllPages(client, options, paging);
				return toItems(records, options);
			}
			return toItems((await client.call('apiGET', options)) ?? null, options);
		}
		const work = memory.item<INodeExecutionData[]>('request', [method, options]);
		const recoveryHint = `anything that ${method} ${at} has created or changed`;
		const submit = async (): Promise<Outcome> =>
			await work.once(async () => {
				const asked = { ...options, recoveryHint };
				return toItems((await client.call(`api${method}`, asked)) ?? { success: true }, asked);
			});
		return { submit };
	},
};

/** What the deployment describes of a request; undefined where it does not. */
async function fetchDescribed(
	{ client, memory }: Call,
	asked: { method: ApiMethod; at: string },
): Promise<ApiRequest | undefined> {
	const described = memory
		.attempt<Promise<ApiRequest[]>>('requests')
		.get(async () => await fetchApiRequests(client));
	return (await described).find(({ method, path }) => method === asked.method && path === asked.at);
}

/**
 * Refuses names in JSON that the service might ignore, and texts for numbers. Where the description
 * cannot be read, all pass.
 *
 * @throws Failure that names the values that the request does not take, or the one that is no number
 */
async function checkParameters(
	call: Call,
	asked: { method: ApiMethod; at: string },
	{ query, body }: Values,
): Promise<void> {
	const field = chooseMappedField(call.input, parametersFields);
	const members = Object.entries(isRecord(body) ? body : {});
	const given = [
		...Object.entries(query),
		...members.map(([name, value]) => [`${BODY}.${name}`, value] as const),
	];
	if (field !== parametersFields.jsonField || given.length === 0) return;
	const found = await fetchDescribed(call, asked).catch(() => undefined);
	if (!found) return;
	const types = new Map(found.listParameters().map(({ id, schema }) => [id, schema.type]));
	for (const [id, value] of given) {
		if (/^(integer|number)$/.test(String(types.get(id))) && Number.isNaN(Number(value))) {
			throw call.input.problem(field, `has ${id}, which must be a number, not ${show(value)}`);
		}
	}
	const known = [...types.keys()];
	const unknown = given.map(([id]) => id).filter((id) => !types.has(id) && !found.isOpen(id));
	if (unknown.length === 0) return;
	throw call.input.problem(
		field,
		`has an unknown parameter: ${unknown.join(', ')}`,
		`Known parameters: ${known.join(', ') || 'none'}.`,
	);
}

/** How the list comes in pages, as the deployment describes it; a hint says if it does not. */
async function fetchPaging(call: Call, at: string): Promise<ApiPaging | undefined> {
	const before = 'Only the description at /openapi.json says whether a list comes in pages.';
	const found = await explainReading(fetchDescribed(call, { method: 'GET', at }), { before });
	const paging = found && findPaging(found);
	if (!paging) {
		const message = `The API description has no cursor or offset for GET ${at}, so only its first response is returned.`;
		addHint(call.context, { message, type: 'warning' });
	}
	return paging;
}

/**
 * One item for each record of a list, otherwise one.
 *
 * @throws Failure when the response is nested so deeply that nobody could read the items
 */
function toItems(body: unknown, asked: CallOptions): INodeExecutionData[] {
	if (isDeeper(body)) {
		throw toUnexpectedFailure(`It is nested more than ${MAX_LEVELS} levels deep.`, asked);
	}
	const redacted = redactByName(body);
	const records = Array.isArray(redacted) ? (redacted as unknown[]) : [redacted];
	return records.map((record) => toItem(isRecord(record) ? record : { value: record as string }));
}

/** What pages call the cursor of the next one, and what it is on the last. */
const NEXT_NAMES = ['next_page', 'next_cursor', 'nextCursor', 'next_page_token', 'nextPageToken'];
const NO_NEXT = ['null', '', 'false', '0'];

/** What records call their own ID, unlike that of another, such as `run_id`. */
const ID_NAMES = ['id', '_id', 'uid', 'uuid', 'event_id', 'taskRunId'];

function fail(what: string): Failure {
	return toListFailure(what, "turn off 'Return All' to get one page");
}

/**
 * The records of all pages, from the cursor and with the size that were entered, if any. One with an ID that
 * comes again in another page, because the list shifts, is returned once.
 *
 * @throws Failure where a page has no list, or does not say how the list goes on: a part would look like all
 */
async function fetchAllPages(
	client: Client,
	options: CallOptions & { at: string },
	{ cursorName, sizeName = '', size, kind }: ApiPaging,
): Promise<unknown[]> {
	const entered: IDataObject = { ...(sizeName && { [sizeName]: size }), ...options.query };
	const start = String(entered[cursorName] ?? '') || undefined;
	// The service may not give more at once than it describes.
	const usual = Math.min(size, Number(entered[sizeName]));
	const readPage = async (cursor?: string) => {
		const query = { ...entered, [cursorName]: cursor };
		const page = await client.call('apiGET', { ...options, query });
		refuseErrors(client, 'apiGET', page);
		const records = findRecords(page);
		if (!records) throw fail('a page has no single list of records');
		const { length: count } = records;
		if (kind === 'offset') return { records, next: findNextOffset(page, count, cursor) };
		// A list whose first page named the next one may leave the name out at its end.
		const mayEnd = cursor !== start || count === 0 || count < usual;
		return { records, next: findNextCursor(page, mayEnd) };
	};
	const all: unknown[] = [];
	const known = new Set<string>();
	let last: string | undefined;
	let hasNew = true;
	const pages = fetchEachPage(readPage, { cursor: start, hasNew: () => hasNew, fail });
	for await (const { records } of pages) {
		const keys = records.map((record) => JSON.stringify(record));
		const fresh = records.filter((_, at) => !known.has(keys[at]));
		const text = keys.join();
		hasNew = fresh.length > 0 && text !== last;
		last = text;
		for (const record of fresh) all.push(record);
		for (const [at, record] of records.entries()) if (hasId(record)) known.add(keys[at]);
	}
	return all;
}

const hasId = (record: unknown) => isRecord(record) && ID_NAMES.some((name) => name in record);

/** Without a total, only an empty page is the end: the service may give fewer records than it was asked for. */
function findNextOffset(page: unknown, count: number, cursor = '0'): string | undefined {
	const next = Number(cursor) + count;
	const hasTotal = isRecord(page) && Number.isSafeInteger(page.total);
	return count > 0 && (!hasTotal || next < Number(page.total)) ? String(next) : undefined;
}

function findNextCursor(page: unknown, mayEnd: boolean): string | undefined {
	const fields = isRecord(page) ? page : {};
	const name = NEXT_NAMES.find((each) => each in fields);
	const next = String(name === undefined ? null : fields[name]);
	if (!NO_NEXT.includes(next)) return next;
	if (name !== undefined || mayEnd) return undefined;
	throw fail('a page did not say whether more records follow');
}

/** The records of a page: its items, its only list, or the only one that has any. */
function findRecords(page: unknown): unknown[] | undefined {
	if (!isRecord(page)) return Array.isArray(page) ? (page as unknown[]) : undefined;
	if (Array.isArray(page.items)) return page.items as unknown[];
	const lists = Object.values(page).filter(Array.isArray) as unknown[][];
	const filled = lists.filter((list) => list.length > 0);
	const [found, ...others] = filled.length > 0 ? filled : lists.slice(0, 1);
	return others.length === 0 ? found : undefined;
}

export const api: Resource = {
	name: 'API',
	value: 'api',
	description: "Any other request to the service's API",
	operations: [request],
	defaultOperation: request,
};
