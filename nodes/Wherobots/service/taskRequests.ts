/**
 * How a task is run, and what inputs it takes. Neither is in the public description of the service: a
 * deployment says the one at /openapi.json, and a task the other in its details.
 */
import type { IDataObject } from 'n8n-workflow';

import { isRecord } from './types';

/** The request that runs a task. */
export interface TaskRequest {
	/** Its path, with one `{name}` for the task. */
	path: string;
	/** The names of its query parameters, and of the fields of its body. */
	query: string[];
	body: string[];
}

const TASK_RUNS = /^\/tasks\/\{\w+\}\/runs?$/;

/** `run_task`, `runTask`, `run_a_task`, also with the path that frameworks append. */
const RUN_TASK = /^run_?(a_?)?task(_tasks_.*)?$/i;

/** The request as an OpenAPI description has it; undefined when it has none. */
export function findTaskRequest(description: unknown): TaskRequest | undefined {
	const posts = Object.entries(at(description, description, 'paths')).map(([path, item]) => ({
		path,
		shared: isRecord(item) ? item.parameters : undefined,
		post: at(description, item, 'post'),
	}));
	const found =
		posts.find(({ path, post }) => TASK_RUNS.test(path) && Object.keys(post).length > 0) ??
		posts.find(({ path, post }) => /^\/[^{]*\{\w+\}[^{]*$/.test(path) && isNamed(post));
	if (!found) return undefined;
	const { path, shared, post } = found;
	const parameters = [shared, post.parameters]
		.flat()
		.map((parameter) => at(description, { parameter }, 'parameter'));
	const steps = ['requestBody', 'content', 'application/json', 'schema'];
	const schemas = variantsOf(description, at(description, post, ...steps));
	return {
		path,
		query: parameters.filter((each) => each.in === 'query').map(({ name }) => String(name)),
		body: schemas.flatMap((each) => Object.keys(at(description, each, 'properties'))),
	};
}

function isNamed({ operationId }: IDataObject): boolean {
	return RUN_TASK.test(String(operationId));
}

/**
 * The query and body with these values, each where the request takes it. A body that names no `inputs`
 * consists of them.
 *
 * @returns `misplaced` names the values that the request does not take
 */
export function fillTaskRequest(
	request: TaskRequest,
	{ inputs, name, region }: { inputs: IDataObject; name?: string; region?: string },
) {
	const query: IDataObject = {};
	const body: IDataObject = request.body.includes('inputs') ? { inputs } : { ...inputs };
	const misplaced: string[] = [];
	for (const [label, value] of Object.entries({ name, region })) {
		if (value === undefined) continue;
		if (request.query.includes(label)) query[label] = value;
		else if (request.body.includes(label)) body[label] = value;
		else misplaced.push(label);
	}
	return { query, body, misplaced };
}

/** An input of a task. Without a type it is anything else, to be written as JSON. */
export interface TaskInput {
	id: string;
	required: boolean;
	type?: 'boolean' | 'number' | 'options' | 'string';
	options?: string[];
}

/** The inputs that a task describes with a JSON schema; undefined when it describes none. */
export function taskInputs(task: IDataObject): TaskInput[] | undefined {
	const schema = ['inputSchema', 'input_schema', 'inputs', 'schema']
		.map((name) => at(task, task, name))
		.find(({ properties }) => isRecord(properties));
	if (!schema) return undefined;
	const { required } = schema;
	return Object.keys(at(schema, schema, 'properties')).map((id) => ({
		id,
		required: Array.isArray(required) && (required as unknown[]).includes(id),
		...typeOf(schema, at(schema, schema, 'properties', id)),
	}));
}

function typeOf(root: IDataObject, schema: IDataObject): Pick<TaskInput, 'type' | 'options'> {
	const variants = variantsOf(root, schema);
	const { enum: values, type: named } = variants.length === 1 ? variants[0] : {};
	if (Array.isArray(values) && values.every((value) => typeof value === 'string')) {
		return { type: 'options', options: values as string[] };
	}
	const [type, ...more] = [named].flat().filter((each) => each !== 'null');
	if (more.length > 0) return {};
	if (type === 'integer' || type === 'number') return { type: 'number' };
	return type === 'boolean' || type === 'string' ? { type } : {};
}

/** What a value may be besides null: one that may be null is a choice between its schema and null. */
function variantsOf(root: unknown, schema: IDataObject): IDataObject[] {
	return [schema.anyOf ?? schema.oneOf ?? schema.allOf ?? schema]
		.flat()
		.map((variant) => at(root, { variant }, 'variant'))
		.filter(({ type }) => type !== 'null');
}

/**
 * The object at a place below another, an empty one when there is none. Where one of them refers to a
 * place in the document (`{"$ref": "#/components/schemas/X"}`), it is the one there.
 */
function at(root: unknown, from: unknown, ...steps: string[]): IDataObject {
	let node = from;
	for (const step of steps) {
		node = isRecord(node) ? node[step] : undefined;
		// A reference may lead to another, but not for ever.
		for (let turn = 0; turn < 5 && isRecord(node) && typeof node.$ref === 'string'; turn++) {
			const names = node.$ref.replace('#/', '').split('/');
			node = names.reduce<unknown>(
				(place, name) => (isRecord(place) ? place[name] : undefined),
				root,
			);
		}
	}
	return isRecord(node) ? node : {};
}
