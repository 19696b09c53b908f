/** Running a task, and what the service's description says about it. */
import { notFound, ServiceError } from '../server/errors';
import { route } from '../server/route';
import type { Variants } from '../variants';

/** The part of an OpenAPI description that matters, among others that look similar. */
function describe({ taskRunPath }: Variants): object {
	const inputs = { type: 'object', additionalProperties: true };
	const own = { inputs: { $ref: '#/components/schemas/Inputs' } };
	const task = /\{(\w+)\}/.exec(taskRunPath)?.[1];
	return {
		openapi: '3.1.0',
		info: { title: 'Sandbox', version: '1' },
		paths: {
			'/tasks/{task_name}': { get: { operationId: 'get_task' } },
			'/tasks/{task_name}/triggers/{trigger_id}/run': { post: { operationId: 'run_task_trigger' } },
			[taskRunPath]: {
				parameters: [{ name: task, in: 'path', required: true, schema: { type: 'string' } }],
				post: {
					operationId: `run_task${taskRunPath.replace(/\W/g, '_')}_post`,
					requestBody: { $ref: '#/components/requestBodies/RunTask' },
				},
			},
			'/task-runs/{task_run_id}/cancel': { post: { operationId: 'cancel_task_run' } },
		},
		components: {
			requestBodies: {
				RunTask: {
					content: { 'application/json': { schema: { $ref: '#/components/schemas/RunTask' } } },
				},
			},
			schemas: {
				Inputs: inputs,
				RunTask: { $ref: '#/components/schemas/Base' },
				Base: { type: 'object', properties: own },
			},
		},
	};
}

const getDescription = route({
	at: 'GET /openapi.json',
	isPublic: true,
	handle({ env }) {
		const { description } = env.variants;
		if (description === 'missing') throw notFound('Description', 'openapi.json');
		return { json: description === 'whole' ? describe(env.variants) : { paths: {} } };
	},
});

interface Property {
	/** `#/$defs/Name` */
	$ref?: string;
	type?: string;
	enum?: string[];
}

/** What is wrong with the inputs, with one entry for each problem. */
function problemsOf(
	schema: { properties?: object; required?: string[]; $defs?: Record<string, Property> },
	inputs: object,
): string[] {
	const properties = (schema.properties ?? {}) as Record<string, Property>;
	const missing = (schema.required ?? []).filter((name) => !(name in inputs));
	const wrong = Object.entries(inputs).flatMap(([name, value]) => {
		const kind = Array.isArray(value) ? 'array' : typeof value;
		const property = properties[name] ?? {};
		const { type = kind, enum: values } = schema.$defs?.[property.$ref?.slice(8) ?? ''] ?? property;
		if (values && !values.includes(String(value))) return [`${name}: one of ${values.join(', ')}`];
		return type.replace('integer', 'number') === kind ? [] : [`${name}: ${type} expected`];
	});
	return [...missing.map((name) => `${name}: required`), ...wrong];
}

const runTask = route<object, { inputs?: object }>({
	at: ['POST /tasks/{taskName}/runs', 'POST /tasks/{taskName}/run'],
	success: 201,
	body: { type: 'object', properties: { inputs: { type: 'object' } }, additionalProperties: false },
	handle({ env, params, body, path }) {
		const end = env.variants.taskRunPath.split('/').at(-1);
		const asked = params.taskName;
		const { tasks } = env.store.tasks;
		const task = /\{(task_?)?id\}/i.test(env.variants.taskRunPath)
			? [...tasks.values()].find(({ taskId }) => taskId === asked)
			: tasks.get(asked);
		if (!task || !path.endsWith(`/${end}`)) throw notFound('Task', asked);
		const { inputs = {} } = body;
		const draft = { taskName: task.name, region: 'aws-us-west-2', inputs };
		const problems = problemsOf(task.inputSchema, inputs);
		if (problems.length > 0) {
			env.store.tasks.createRun({ ...draft, state: 'REJECTED' });
			throw new ServiceError(
				400,
				problems.map((details) => ({
					message: 'Invalid input',
					details,
					field: details.split(':')[0],
				})),
			);
		}
		return { json: env.store.tasks.detail(env.store.tasks.createRun(draft)) };
	},
});

export const taskRunRoutes = { getDescription, runTask };
