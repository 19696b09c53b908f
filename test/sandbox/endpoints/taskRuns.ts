/** Running a task, and what the service's description says about it. */
import { Ajv } from 'ajv';
import { z } from 'zod/v4';

import { describePaths } from '../server/description';
import { notFound, ServiceError } from '../server/errors';
import { route } from '../server/route';
import { recordOf } from '../server/validation';
import type { Variants } from '../variants';

/** The part of an OpenAPI description that matters, among others that look similar. */
function describe({ taskRunPath }: Variants, others: object): object {
	const inputs = { type: 'object', additionalProperties: true };
	const own = { inputs: { $ref: '#/components/schemas/Inputs' } };
	const task = /\{(\w+)\}/.exec(taskRunPath)?.[1];
	return {
		openapi: '3.1.0',
		info: { title: 'Sandbox', version: '1' },
		paths: {
			...others,
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

export const getDescription = route({
	at: 'GET /openapi.json',
	isPublic: true,
	async handle({ env }) {
		const { description } = env.variants;
		// It describes the table that it is part of.
		const { routes } = await import('./index');
		const others = describePaths(routes.filter(({ endpoint }) => endpoint !== 'runTask'));
		if (description === 'missing') throw notFound('Description', 'openapi.json');
		return { json: description === 'whole' ? describe(env.variants, others) : { paths: {} } };
	},
});

const ajv = new Ajv({ allErrors: true });

/** What is wrong with the inputs, by the name of each that is. */
function problemsOf(schema: object, inputs: object): Array<{ field: string; details: string }> {
	ajv.validate(schema, inputs);
	return (ajv.errors ?? []).map(({ instancePath, params, message = '' }) => {
		const field = instancePath.split('/')[1] ?? String(params.missingProperty);
		return { field, details: `${field}: ${message}` };
	});
}

export const runTask = route({
	at: ['POST /tasks/{taskName}/runs', 'POST /tasks/{taskName}/run'],
	success: 201,
	body: z.strictObject({ inputs: recordOf(z.unknown()).default({}) }),
	handle({ env, params, body, path }) {
		const end = env.variants.taskRunPath.split('/').at(-1);
		const asked = params.taskName;
		const task = env.store.tasks.tasks.get(asked);
		if (!task || !path.endsWith(`/${end}`)) throw notFound('Task', asked);
		const { inputs } = body;
		const draft = { taskName: task.name, region: 'aws-us-west-2', inputs };
		const problems = problemsOf(task.inputSchema, inputs);
		if (problems.length > 0) {
			env.store.tasks.createRun({ ...draft, state: 'REJECTED' });
			throw new ServiceError(
				400,
				problems.map((problem) => ({ message: 'Invalid input', ...problem })),
			);
		}
		return { json: env.store.tasks.detail(env.store.tasks.createRun(draft)) };
	},
});
