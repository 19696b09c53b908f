/**
 * What a deployment says of its own requests in `/openapi.json` (OpenAPI 3). It comes from outside: any
 * part may be missing, refer to itself, or be something else.
 */
import type { IDataObject } from 'n8n-workflow';

import { isRecord, toPlainText } from './records';

const API_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export type ApiMethod = (typeof API_METHODS)[number];

/** A request that the deployment takes. */
export interface ApiRequest {
	method: ApiMethod;
	/** With `{name}` for each value. */
	path: string;
	/** What it does, in a few words. */
	summary: string;
	/** Made from their schemas, which takes time. */
	listParameters(): ApiParameter[];
}

/** A value of a request: `name` of the path or query, `body.name` of the body, or the whole `body`. */
export interface ApiParameter {
	id: string;
	isRequired: boolean;
	/** Without references. */
	schema: IDataObject;
}

/** The method and the path in a text such as `GET /storage`; undefined for any other. */
export function parseApiRequest(text: string): { method: ApiMethod; path: string } | undefined {
	const [, verb = '', path = ''] = /^([a-z]+)\s+(\S+)$/i.exec(text) ?? [];
	const method = API_METHODS.find((each) => each === verb.toUpperCase());
	return method && { method, path };
}

/** How many references are followed in a row, and of how many parts a schema is put together. */
const MAX_HOPS = 20;
const MAX_PARTS = 50;

/** More paths, or more values of a request, are left out: reading them would block all workflows. */
const MAX_PATHS = 20_000;
const MAX_PARAMETERS = 100;

/** The name of the whole body among the parameters. */
export const BODY = 'body';

/** What is for the vendor's staff and other services. */
const INTERNAL = /^\/(management|user-management|webhook|ste)(\/|$)/i;

/** What ends or changes the organization's contract, or the organization itself. */
const FINAL: Array<[method: RegExp, path: RegExp]> = [
	[/^DELETE$/, /^\/organization(\/(\{[^}]*\}|[^/]*))?$/i],
	[/^(POST|PUT|PATCH|DELETE)$/, /^\/subscriptions(\/|$)/i],
];

const PATH = /^(\/(?!\.{1,2}(\/|$))[\w.~{}@:+-]+)+$/;

/**
 * Why a request is not made; undefined for one that is. Whatever it is written like, its path names one
 * place: no empty, dotted or encoded parts.
 */
export function checkApiPath(method: string, path: string): string | undefined {
	if (!PATH.test(path) || /[{}]/.test(path.replace(/\{\w+\}/g, ''))) {
		return 'must be a path such as /storage/{storage_id}, with a name in braces for each value';
	}
	return checkApiPlace(method, path);
}

/** Why nothing is asked of a place; undefined for others. @param path with its values, if it has any, as they are */
export function checkApiPlace(method: string, path: string): string | undefined {
	if (INTERNAL.test(path))
		return 'must not be a request for the staff or the services of the vendor';
	const isFinal = FINAL.some(([methods, paths]) => methods.test(method) && paths.test(path));
	return isFinal ? 'must not delete an organization or change its subscription' : undefined;
}

/** What a value refers to, at most so many times; undefined when that is nowhere. */
function resolve(description: IDataObject, value: unknown): IDataObject | undefined {
	let found = value;
	for (let hops = 0; isRecord(found) && hops < MAX_HOPS; hops += 1) {
		const { $ref } = found;
		if ($ref === undefined) return found;
		const names = toPlainText($ref).split('/');
		if (names.shift() !== '#') return undefined;
		found = names.reduce<unknown>((at, name) => {
			const key = name.replace(/~1/g, '/').replace(/~0/g, '~');
			return isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined;
		}, description);
	}
	return undefined;
}

const listRecords = (value: unknown): IDataObject[] =>
	Array.isArray(value) ? value.filter(isRecord) : [];

type Schema = IDataObject & { properties: IDataObject; required: unknown[] };

/**
 * A schema with the members of all its parts, each once, and without `null` among its choices.
 *
 * @param description what its references are in
 * @param seen its parts so far
 */
export function flattenSchema(
	description: IDataObject,
	value: unknown,
	seen = new Set<IDataObject>(),
): Schema {
	const schema = resolve(description, value);
	if (!schema || seen.has(schema) || seen.size >= MAX_PARTS)
		return { properties: {}, required: [] };
	seen.add(schema);
	const choices = listRecords(schema.anyOf ?? schema.oneOf).filter(({ type }) => type !== 'null');
	const parts = [...listRecords(schema.allOf), ...(choices.length === 1 ? choices : [])];
	// One that may also be null is what it else is.
	const own = choices.length === 1 ? { ...schema, anyOf: undefined, oneOf: undefined } : schema;
	const all: IDataObject[] = [own, ...parts.map((part) => flattenSchema(description, part, seen))];
	const members = all.flatMap(({ properties }) =>
		isRecord(properties) ? Object.entries(properties) : [],
	);
	const merged = Object.assign({}, ...all.toReversed()) as IDataObject;
	const types = [merged.type ?? []].flat().filter((type) => type !== 'null');
	return {
		...merged,
		type: types.length === 1 ? types[0] : undefined,
		properties: Object.fromEntries(members),
		required: all.flatMap(({ required }) => required ?? []),
	};
}

/** The JSON of a request's body; undefined when it takes something else, null when it takes nothing. */
function findJsonBody(description: IDataObject, requestBody: unknown) {
	if (requestBody === undefined) return null;
	const body = resolve(description, requestBody);
	const json = isRecord(body?.content) ? body.content['application/json'] : undefined;
	return isRecord(json) ? { schema: json.schema, isRequired: body?.required === true } : undefined;
}

/** The body as one parameter for each of its members, or as one where it has none. */
function listBodyParameters(
	description: IDataObject,
	body: { schema: unknown; isRequired: boolean },
): ApiParameter[] {
	const schema = flattenSchema(description, body.schema);
	const properties = Object.entries(schema.properties).slice(0, MAX_PARAMETERS);
	if (properties.length === 0) {
		// One of several kinds of object, for instance.
		const type = schema.type ?? 'object';
		return [{ id: BODY, isRequired: body.isRequired, schema: { ...schema, type } }];
	}
	return properties.map(([name, property]) => ({
		id: `${BODY}.${name}`,
		isRequired: schema.required.includes(name),
		schema: flattenSchema(description, property),
	}));
}

/** Whether a success returns JSON or nothing, rather than a file. */
function hasJsonResponse(description: IDataObject, responses: unknown): boolean {
	const all = Object.entries(isRecord(responses) ? responses : {});
	const [, success] = all.find(([status]) => status.startsWith('2')) ?? [];
	const content = resolve(description, success)?.content;
	return !isRecord(content) || Object.keys(content).some((type) => /json/i.test(type));
}

/** The requests of a deployment that take and return JSON, by path, but for those that are never made. */
export function listApiRequests(description: IDataObject): ApiRequest[] {
	const paths = Object.entries(isRecord(description.paths) ? description.paths : {});
	return paths
		.slice(0, MAX_PATHS)
		.flatMap(([path, methods]) =>
			API_METHODS.flatMap((method) => {
				const entry = resolve(description, methods);
				const operation = entry && resolve(description, entry[method.toLowerCase()]);
				if (!operation || checkApiPath(method, path) !== undefined) return [];
				if ([operation.tags].flat().includes('superuser')) return [];
				const body = findJsonBody(description, operation.requestBody);
				if (body === undefined || !hasJsonResponse(description, operation.responses)) return [];
				const summary = toPlainText(operation.summary) || toPlainText(operation.operationId);
				const own = [entry.parameters, operation.parameters].flatMap((list) =>
					Array.isArray(list) ? list.slice(0, MAX_PARAMETERS) : [],
				);
				if (own.some((each) => hasRequiredHeader(resolve(description, each)))) return [];
				const listParameters = () => {
					// A value of the path is known by its name alone, and otherwise the later one of two counts.
					const byId = new Map<string, ApiParameter & { isInPath: boolean }>();
					for (const value of own.flatMap((each) => toParameter(description, each) ?? [])) {
						if (value.isInPath || !byId.get(value.id)?.isInPath) byId.set(value.id, value);
					}
					return [...byId.values(), ...(body ? listBodyParameters(description, body) : [])];
				};
				return { method, path, summary, listParameters };
			}),
		)
		.sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
}

/** Headers are the business of the client. */
const hasRequiredHeader = (parameter?: IDataObject) =>
	parameter?.in === 'header' && parameter.required === true;

function toParameter(description: IDataObject, value: unknown) {
	const parameter = resolve(description, value);
	const { name, in: place, required } = parameter ?? {};
	if (typeof name !== 'string' || (place !== 'path' && place !== 'query')) return undefined;
	const schema = flattenSchema(description, parameter?.schema);
	const isInPath = place === 'path';
	return { id: name, isInPath, isRequired: isInPath || required === true, schema };
}

/** How the pages of a list are asked for: by what the page before says, or by a number of records. */
export interface ApiPaging {
	cursorName: string;
	kind: 'cursor' | 'offset';
	/** The parameter for the size of a page, if it has one, and the size. */
	sizeName?: string;
	size: number;
}

/** Names of parameters, by what they say; the first one that a request has counts. */
const CURSOR_NAMES = ['cursor', 'page_token', 'pageToken'];
const OFFSET_NAMES = ['offset', 'skip'];
const SIZE_NAMES = ['size', 'limit', 'page_size', 'pageSize', 'per_page'];

/** How the pages of a list follow each other, by the names of its parameters; undefined when it has none. */
export function findPaging({ listParameters }: ApiRequest): ApiPaging | undefined {
	const parameters = listParameters();
	const find = (names: string[]) => parameters.find(({ id }) => names.includes(id));
	const size = find(SIZE_NAMES);
	const most = Number(size?.schema.maximum);
	const cursor = find(CURSOR_NAMES) ?? find(OFFSET_NAMES);
	return (
		cursor && {
			...{ cursorName: cursor.id, kind: CURSOR_NAMES.includes(cursor.id) ? 'cursor' : 'offset' },
			...{ sizeName: size?.id, size: Number.isSafeInteger(most) && most > 0 ? most : 100 },
		}
	);
}
