/**
 * What a deployment says of its own requests in `/openapi.json` (OpenAPI 3). It comes from outside: any
 * part may be missing, refer to itself, or be something else.
 */
import type { IDataObject } from 'n8n-workflow';

import { PATH_NAME } from './endpoints';
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
	/** Whether it may take others like this one, in its query or body, that are not listed. */
	isOpen(id: string): boolean;
}

/** A value of a request: `name` of the path or query, `body.name` of the body, or the whole `body`. */
interface ApiParameter {
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

/** More values of a request, and longer summaries, are cut. */
const MAX_PARAMETERS = 100;
const MAX_SUMMARY = 200;

/** More would block all workflows: a description may refer to the same large part again and again. */
const MAX_STEPS = 3_000_000;

/** The name of the whole body among the parameters. */
export const BODY = 'body';

/** What is for the vendor's staff and other services. */
const INTERNAL = /^\/(management|user-management|webhook|ste)(\/|$)/i;

/**
 * What ends or changes the organization's contract, or the organization itself. Whoever has the address of
 * the portal can do so, too.
 */
const FINAL: Array<[method: RegExp, path: RegExp]> = [
	[/^DELETE$/, /^\/organization(\/[^/]*)?$/i],
	[/^(POST|PUT|PATCH|DELETE)$/, /^\/subscriptions(\/|$)/i],
	[/^/, /^\/subscriptions\/portal(\/|$)/i],
];

/** Files that the service describes as JSON. */
const FILE = /\/(export|thumbnail)$/i;

const PATH = /^(\/(?!\.{1,2}(\/|$))[\w.~{}@:+-]+)+\/?$/;

/**
 * Why a request is not made; undefined for one that is. Its path has no empty, dotted or encoded parts,
 * whatever its values may be.
 */
export function checkApiPath(method: string, path: string): string | undefined {
	if (!PATH.test(path) || /[{}]/.test(path.replace(PATH_NAME, ''))) {
		return 'must be a path such as /storage/{storage_id}: it begins with a slash, and has a name in braces for each value and no query';
	}
	return checkApiPlace(method, path);
}

/** Why nothing is asked of a place; undefined for others. @param path with its values, if it has any, encoded */
export function checkApiPlace(method: string, path: string): string | undefined {
	const place = toPlace(path);
	if (INTERNAL.test(place)) {
		return 'must not be a request reserved for Wherobots staff or internal services';
	}
	const isFinal = FINAL.some(([methods, paths]) => methods.test(method) && paths.test(place));
	return isFinal
		? 'must not delete an organization, change its subscription or open its billing portal'
		: undefined;
}

/** What a path leads to where a server or gateway decodes it twice, resolves its dots and drops its version. */
function toPlace(path: string): string {
	const parts: string[] = [];
	for (const part of decode(decode(path)).split(/[/\\]+/)) {
		if (part === '..') parts.pop();
		else if (part !== '' && part !== '.') parts.push(part);
	}
	return `/${parts.join('/')}`.replace(/^\/v\d+(?=\/)/i, '');
}

/** Takes percent signs that encode nothing as they are. */
const decode = (text: string) =>
	text.replace(/(%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());

type Schema = IDataObject & { properties: IDataObject; required: unknown[] };

/**
 * A description, or another document with schemas, that is read in a limited number of steps.
 *
 * @throws RangeError, in each method, when there would be more
 */
export class Description {
	private stepsLeft = MAX_STEPS;

	constructor(private readonly root: IDataObject) {}

	private take(steps: number): void {
		this.stepsLeft -= steps;
		if (this.stepsLeft < 0)
			throw new RangeError(
				'The description is too complex to show here: enter the values as JSON and, for an API request, the method and the path yourself',
			);
	}

	/** The members of an object; none of anything else. */
	entries(value: unknown): Array<[string, unknown]> {
		const found = isRecord(value) ? Object.entries(value) : [];
		this.take(found.length);
		return found;
	}

	/** The elements of a list; none of anything else. */
	list(value: unknown): unknown[] {
		const found = Array.isArray(value) ? (value as unknown[]) : [];
		this.take(found.length);
		return found;
	}

	/** What a value refers to, at most so many times; undefined when that is nowhere. */
	resolve(value: unknown): IDataObject | undefined {
		let found = value;
		for (let hops = 0; isRecord(found) && hops < MAX_HOPS; hops += 1) {
			const { $ref } = found;
			const text = toPlainText($ref);
			this.take(1 + text.length / 8);
			if ($ref === undefined) return found;
			const names = decode(text).split('/');
			if (names.shift() !== '#') return undefined;
			found = names.reduce<unknown>((at, name) => {
				const key = name.replace(/~1/g, '/').replace(/~0/g, '~');
				return isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined;
			}, this.root);
		}
		return undefined;
	}

	/** A schema with the members of all its parts, each once, and without `null` among its choices. */
	flatten(value: unknown): Schema {
		const all = [...this.listParts(value).values()];
		const members = all.toReversed().flatMap((part) => this.entries(part));
		const merged: IDataObject = Object.fromEntries(members as Array<[string, IDataObject]>);
		const types = this.list([merged.type].flat()).filter((type) => type !== 'null');
		return {
			...merged,
			type: types.length === 1 ? (types[0] as string) : undefined,
			properties: Object.fromEntries(
				all.flatMap(({ properties }) => this.entries(properties)),
			) as IDataObject,
			required: all.flatMap(({ required }) => this.list(required)),
		};
	}

	/** The parts of a schema, itself first, as they came and as they count. */
	private listParts(
		value: unknown,
		parts = new Map<IDataObject, IDataObject>(),
	): Map<IDataObject, IDataObject> {
		const schema = this.resolve(value);
		if (!schema || parts.has(schema) || parts.size >= MAX_PARTS) return parts;
		const choices = this.list(schema.anyOf ?? schema.oneOf).filter(
			(each) => isRecord(each) && each.type !== 'null',
		);
		// One that may also be null is what it else is.
		const isOne = choices.length === 1;
		parts.set(schema, isOne ? { ...schema, anyOf: undefined, oneOf: undefined } : schema);
		for (const part of this.list(schema.allOf)) this.listParts(part, parts);
		return isOne ? this.listParts(choices[0], parts) : parts;
	}
}

/** The JSON of a request's body; undefined when it takes something else, null when it takes nothing. */
function findJsonBody(description: Description, requestBody: unknown) {
	if (requestBody === undefined) return null;
	const body = description.resolve(requestBody);
	const json = isRecord(body?.content) ? body.content['application/json'] : undefined;
	return isRecord(json) ? { schema: json.schema, isRequired: body?.required === true } : undefined;
}

/** The body as one parameter for each of its members, or as one where it has none. */
function listBodyParameters(
	description: Description,
	body: { schema: unknown; isRequired: boolean },
): ApiParameter[] {
	const schema = description.flatten(body.schema);
	const properties = Object.entries(schema.properties).slice(0, MAX_PARAMETERS);
	if (properties.length === 0) {
		// One of several kinds of object, for instance.
		const type = schema.type ?? 'object';
		return [{ id: BODY, isRequired: body.isRequired, schema: { ...schema, type } }];
	}
	return properties.map(([name, property]) => ({
		id: `${BODY}.${name}`,
		isRequired: schema.required.includes(name),
		schema: description.flatten(property),
	}));
}

/** Whether an object may have members that are not listed. */
function isOpenObject(description: Description, value: unknown): boolean {
	const schema = description.flatten(value);
	const others = [
		schema.additionalProperties,
		schema.patternProperties,
		schema.anyOf,
		schema.oneOf,
	];
	const count = Object.keys(schema.properties).length;
	return count === 0 || count > MAX_PARAMETERS || others.some(Boolean);
}

/** Whether each success returns JSON, or nothing where that is an answer, rather than a file. */
function hasJsonResponse(description: Description, method: ApiMethod, responses: unknown): boolean {
	const all = description.entries(responses);
	const successes = all.filter(([status]) => status.startsWith('2'));
	if (all.length > 0 && successes.length === 0) return false;
	return successes.every(([status, response]) => {
		const types = description.entries(description.resolve(response)?.content);
		if (types.length === 0) return method !== 'GET' || status === '204';
		return types.every(([type]) => /[/+]json(;|$)/i.test(type));
	});
}

/**
 * The requests of a deployment that take and return JSON, by path, but for those that are never made.
 *
 * @throws RangeError when that is too much work, as `listParameters` does
 */
export function listApiRequests(root: IDataObject): ApiRequest[] {
	const description = new Description(root);
	return description
		.entries(root.paths)
		.flatMap(([path, methods]) => {
			const entry = description.resolve(methods);
			return API_METHODS.flatMap((method) => {
				const operation = description.resolve(entry?.[method.toLowerCase()]);
				if (!entry || !operation || checkApiPath(method, path) !== undefined) return [];
				if (description.list(operation.tags).includes('superuser')) return [];
				const body = findJsonBody(description, operation.requestBody);
				const isFile = method === 'GET' && FILE.test(path);
				if (body === undefined || isFile) return [];
				if (!hasJsonResponse(description, method, operation.responses)) return [];
				const summary = toPlainText(operation.summary) || toPlainText(operation.operationId);
				const lists = [entry.parameters, operation.parameters].filter(Array.isArray);
				const own = lists.flatMap((list) => list.slice(0, MAX_PARAMETERS) as unknown[]);
				// Headers are the business of the client.
				const needsHeader = own.some((each) => {
					const parameter = description.resolve(each);
					return parameter?.in === 'header' && parameter.required === true;
				});
				if (needsHeader) return [];
				const listParameters = () => {
					const reading = new Description(root);
					// A value of the path is known by its name alone, and otherwise the later one of two counts.
					const byId = new Map<string, ApiParameter & { isInPath: boolean }>();
					for (const value of own.flatMap((each) => toParameter(reading, each) ?? [])) {
						if (value.isInPath || !byId.get(value.id)?.isInPath) byId.set(value.id, value);
					}
					return [...byId.values(), ...(body ? listBodyParameters(reading, body) : [])];
				};
				const isOpen = (id: string) =>
					id.startsWith(`${BODY}.`)
						? body !== null && isOpenObject(new Description(root), body.schema)
						: lists.some(({ length }) => length > MAX_PARAMETERS);
				return { method, path, summary: summary.slice(0, MAX_SUMMARY), listParameters, isOpen };
			});
		})
		.sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
}

function toParameter(description: Description, value: unknown) {
	const parameter = description.resolve(value);
	const { name, in: place, required, explode } = parameter ?? {};
	if (typeof name !== 'string' || (place !== 'path' && place !== 'query')) return undefined;
	const schema = description.flatten(parameter?.schema);
	// A list in one value is a text with commas.
	if (explode === false && schema.type === 'array') schema.type = 'string';
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
