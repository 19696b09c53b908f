/** Tested by test/engine/actions/api.test.ts. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { defineSwitchField } from '../../form/declarations';
import { allowChangesField, apiRequestField } from '../../form/fields';
import { chooseMappedField, defineMappedFields, readMapped } from '../../form/mapper';
import { toItem } from '../../form/output';
import { show } from '../../form/values';
import {
	API_METHODS,
	type ApiMethod,
	BODY,
	checkApiPath,
	findPaging,
	listApiRequests,
} from '../../service/apiDescription';
import { checkPathValue, type EndpointId } from '../../service/endpoints';
import type { Paging } from '../../service/paging';
import { isRecord } from '../../service/records';
import { explainReading } from '../../transport/failure';
import { fetchEachPage, fetchRecord, refuseErrors } from '../../transport/records';
import { redactByName } from '../../transport/secrets';
import type { Call, Operation, Outcome } from '../operations/operation';

const parametersFields = defineMappedFields(
	{
		...{ name: 'parameters', noun: 'parameter', method: 'getApiParameters' },
		dependsOn: apiRequestField.name,
	},
	{
		source: 'How to enter the values of the request',
		form: 'The values that the request describes. Those not added or left empty are not sent.',
		json: 'The values of the path and the query by their names, and the body of the request as body',
		placeholder: 'e.g. {"storage_id": "abc", "body": {"name": "raw-data"}}',
	},
);

const allPagesField = defineSwitchField({
	displayName: 'Return All',
	name: 'returnAllPages',
	description:
		'Whether to read all pages of a list, one item for each record, if the description has a cursor or an offset for it',
});

/** By method. What is sent to them has a path of its own. */
const ENDPOINTS: Record<ApiMethod, EndpointId> = {
	GET: 'apiGet',
	POST: 'apiPost',
	PUT: 'apiPut',
	PATCH: 'apiPatch',
	DELETE: 'apiDelete',
};

interface Values {
	path: Record<string, string>;
	query: IDataObject;
	body?: IDataObject;
}

/** @throws Failure where it may not be made */
function readRequest({ input }: Call): { method: ApiMethod; at: string } {
	const text = input.text(apiRequestField);
	const [, verb = '', at = ''] = /^([a-z]+)\s+(\S+)$/i.exec(text) ?? [];
	const method = API_METHODS.find((each) => each === verb.toUpperCase());
	if (!method) {
		throw input.problem(
			apiRequestField,
			`must be a method and a path, such as GET /storage, not ${show(text)}`,
		);
	}
	const problem = checkApiPath(method, at);
	if (problem !== undefined) throw input.problem(apiRequestField, problem);
	if (method !== 'GET' && input.isToolUse) {
		throw input.problem(apiRequestField, 'must be a GET request for a tool, which can only read');
	}
	if (method !== 'GET' && !input.flag(allowChangesField)) {
		throw input.problem(
			apiRequestField,
			`must be a GET request, because '${allowChangesField.displayName}' is off`,
		);
	}
	return { method, at };
}

/** Which value goes where. */
function divide({ input }: Call, at: string, parameters: IDataObject): Values {
	const field = chooseMappedField(input, parametersFields);
	const names = [...at.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
	const path = names.map((name) => {
		const value = String(parameters[name] ?? '');
		const problem = checkPathValue(value);
		if (problem) throw input.problem(field, `needs ${name}, which ${problem}`);
		return [name, value];
	});
	const { [BODY]: whole, ...others } = parameters;
	const members: Array<[string, unknown]> = [];
	const query: Array<[string, unknown]> = [];
	for (const [name, value] of Object.entries(others)) {
		if (names.includes(name)) continue;
		if (name.startsWith(`${BODY}.`)) members.push([name.slice(BODY.length + 1), value]);
		else query.push([name, value]);
	}
	const body = whole ?? (members.length > 0 ? Object.fromEntries(members) : undefined);
	return {
		path: Object.fromEntries(path) as Record<string, string>,
		query: Object.fromEntries(query) as IDataObject,
		// A list is a body, too.
		body: body as IDataObject | undefined,
	};
}

export const request: Operation = {
	option: {
		name: 'Request',
		value: 'request',
		action: 'Make API request',
		description: 'Make any request that the deployment describes, for what no operation covers',
	},
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
		const values = divide(call, at, readMapped(call, parametersFields));
		const options = { at, ...values };
		if (method === 'GET') {
			const paging = input.flag(allPagesField) ? await fetchPaging(call, at) : undefined;
			if (paging) return await fetchPages(call, options, paging);
			return toItems(await client.call('apiGet', options));
		}
		const work = memory.item<INodeExecutionData[]>('request', [method, options]);
		const recoveryHint = `what ${method} ${at} makes or changes`;
		const submit = async (): Promise<Outcome> =>
			await work.once(async () =>
				toItems(await client.call(ENDPOINTS[method], { ...options, recoveryHint })),
			);
		return { submit };
	},
};

/** How the list comes in pages, as the deployment describes it. */
async function fetchPaging({ client, memory }: Call, at: string): Promise<Paging | undefined> {
	const remembered = memory.execution<IDataObject>('description', client.account);
	remembered.value ??= await explainReading(fetchRecord(client, 'getDescription'), {
		before: 'Whether a list comes in pages is only in the description at /openapi.json.',
	});
	const all = listApiRequests(remembered.value);
	const found = all.find(({ method, path }) => method === 'GET' && path === at);
	return found && findPaging(found);
}

/** The records of all pages. */
async function fetchPages(
	{ client }: Call,
	options: Values & { at: string },
	{ cursorName, sizeName, maxSize: size, findNext }: Paging,
): Promise<INodeExecutionData[]> {
	const readPage = async (cursor?: string) => {
		const query = { ...options.query, [sizeName]: size, [cursorName]: cursor };
		const page = await client.call('apiGet', { ...options, query });
		refuseErrors(client, 'apiGet', page);
		const records = findRecords(page);
		const isPage = isRecord(page) && records !== undefined;
		const count = records?.length ?? 0;
		return {
			items: toItems(records ?? page),
			next: isPage ? findNext(page, { cursor, size, count }) : undefined,
		};
	};
	const items: INodeExecutionData[] = [];
	let last = 0;
	for await (const page of fetchEachPage(readPage, { hasNew: () => last > 0 })) {
		last = page.items.length;
		items.push(...page.items);
	}
	return items;
}

/** The records of a page: its items, or its only list. */
function findRecords(page: unknown): unknown[] | undefined {
	if (!isRecord(page)) return Array.isArray(page) ? (page as unknown[]) : undefined;
	if (Array.isArray(page.items)) return page.items as unknown[];
	const lists = Object.values(page).filter(Array.isArray) as unknown[][];
	return lists.length === 1 ? lists[0] : undefined;
}

/** One item for each record of a list, otherwise one. */
function toItems(body: unknown): INodeExecutionData[] {
	const redacted = redactByName(body ?? { success: true });
	const records = Array.isArray(redacted) ? (redacted as unknown[]) : [redacted];
	return records.map((record) => toItem(isRecord(record) ? record : { value: record as string }));
}
