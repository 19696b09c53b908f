/** Tested by test/engine/actions/api.test.ts and api.otherServices.test.ts. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { defineSwitchField } from '../../form/declarations';
import { allowChangesField, apiRequestField } from '../../form/fields';
import { chooseMappedField, defineMappedFields, readMapped } from '../../form/mapper';
import { toItem } from '../../form/output';
import { isDeeper, MAX_LEVELS, show, toText } from '../../form/values';
import {
	type ApiMethod,
	type ApiPaging,
	type ApiRequest,
	BODY,
	checkApiPath,
	checkApiPlace,
	findPaging,
	parseApiRequest,
} from '../../service/apiDescription';
import { buildPath, checkNamedValue, listNames, type PathValues } from '../../service/endpoints';
import { isRecord } from '../../service/records';
import type { CallOptions } from '../../transport/client';
import { explainReading } from '../../transport/failure';
import { toUnexpectedFailure } from '../../transport/records';
import { redactByName } from '../../transport/secrets';
import { fetchApiRequests } from '../../useCases/api/requests';
import {
	addHint,
	type Call,
	type Operation,
	type Outcome,
	type Resource,
} from '../operations/operation';
import { fetchAllPages } from './pages';

const parametersFields = defineMappedFields(
	{
		...{ name: 'parameters', noun: 'parameter', method: 'getApiParameters' },
		dependsOn: apiRequestField.name,
	},
	{
		source: 'How to enter the values of the request',
		form: 'The values that the request describes. Those not added or left empty are not sent.',
		json: 'Path and query values by name, and the request body as body',
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
		throw input.problem(apiRequestField, 'must be a GET request for a tool, which can only read');
	}
	const mayChange = input.flag(allowChangesField);
	if (method !== 'GET' && !mayChange) {
		throw input.problem(
			apiRequestField,
			`must be a GET request, because '${allowChangesField.displayName}' is off`,
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
	const body = whole ?? (members.length > 0 ? Object.fromEntries(members) : undefined);
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

/** Long integers as their digits. */
const toQueryValue = (value: unknown): unknown =>
	Array.isArray(value) ? value.map(toQueryValue) : (toText(value) ?? value);

const request: Operation = {
	name: 'Request',
	value: 'request',
	action: 'Make API request',
	description:
		"Make any request in the service's API description, for anything the other operations do not cover",
	hint:
		"API Request is a method and a path of the deployment's /openapi.json, such as GET /organization/quota/organization.",
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
		const recoveryHint = `what ${method} ${at} makes or changes`;
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
 * Refuses names in JSON that the service might ignore. Where the description cannot be read, all pass.
 *
 * @throws Failure that names the values that the request does not take
 */
async function checkParameters(
	call: Call,
	asked: { method: ApiMethod; at: string },
	{ query, body }: Values,
): Promise<void> {
	const field = chooseMappedField(call.input, parametersFields);
	const members = Object.keys(isRecord(body) ? body : {}).map((name) => `${BODY}.${name}`);
	const given = [...Object.keys(query), ...members];
	if (field !== parametersFields.jsonField || given.length === 0) return;
	const found = await fetchDescribed(call, asked).catch(() => undefined);
	if (!found) return;
	const known = found.listParameters().map(({ id }) => id);
	const unknown = given.filter((id) => !known.includes(id) && !found.isOpen(id));
	if (unknown.length === 0) return;
	throw call.input.problem(
		field,
		`has an unknown parameter: ${unknown.join(', ')}`,
		`Known: ${known.join(', ') || 'none'}.`,
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

export const api: Resource = {
	name: 'API',
	value: 'api',
	description: "Any other request to the service's API",
	operations: [request],
	defaultOperation: 'request',
};
