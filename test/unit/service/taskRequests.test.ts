import { findTaskRequest, taskInputs } from '../../../nodes/Wherobots/service/taskRequests';

describe('the request that runs a task', () => {
	const post = (operationId?: string) => ({ post: { operationId, responses: {} } });

	it.each<[string, object]>([
		['nothing', {}],
		['no description', { paths: [] }],
		['a task that can only be read', { paths: { '/tasks/{name}/runs': { get: {} } } }],
		['a run of a schedule', { paths: { '/schedules/{id}/run': post('run_task_trigger') } }],
		['two values in the path', { paths: { '/a/{b}/c/{d}': post('runTask') } }],
		['no value in the path', { paths: { '/run-task': post('runTask') } }],
		// After a base URL it would name another host.
		['a path without a slash', { paths: { '@example.com/{task}': post('runTask') } }],
	])('is not found in %s', (_, description) => {
		expect(findTaskRequest(description)).toBeUndefined();
	});

	it.each(['runTask', 'run_task', 'run_a_task', 'run_task_tasks__task_name__go_post'])(
		'is found by the name %s where its path is another',
		(name) => {
			const paths = { '/tasks/{task_name}/go': post(name) };
			expect(findTaskRequest({ paths })).toEqual({
				...{ query: [], body: [] },
				path: '/tasks/{task_name}/go',
			});
		},
	);

	it.each(['anyOf', 'oneOf', 'allOf'])('may have a body that is a choice (%s)', (choice) => {
		const schema = { [choice]: [{ $ref: '#/components/Run' }, { type: 'null' }] };
		const requestBody = { content: { 'application/json': { schema } } };
		const components = { Run: { type: 'object', properties: { inputs: {}, name: {} } } };
		const paths = { '/tasks/{id}/runs': { post: { requestBody } } };
		expect(findTaskRequest({ paths, components })?.body).toEqual(['inputs', 'name']);
	});

	it('ends where references lead in a circle', () => {
		const circle = { $ref: '#/components/a' };
		const paths = {
			'/tasks/{id}/runs': { post: { requestBody: circle, parameters: [circle, 5] } },
		};
		expect(findTaskRequest({ paths, components: { a: circle } })).toMatchObject({ body: [] });
	});
});

describe('the inputs of a task', () => {
	const typeOf = (property: object, more = {}) => {
		const { id, required, ...type } = (taskInputs({
			schema: { properties: { a: property }, ...more },
		}) ?? [])[0];
		return [id, required, type];
	};
	const of = (type: string) => ['a', false, { type }];

	it.each([
		[{ type: 'string', format: 'date-time' }, of('string')],
		[{ type: 'integer' }, of('number')],
		[{ type: 'boolean', default: true }, of('boolean')],
		[{ type: ['number', 'null'] }, of('number')],
		[{ anyOf: [{ type: 'string' }, { type: 'null' }] }, of('string')],
		[{ oneOf: [{ type: 'null' }, { type: 'boolean' }] }, of('boolean')],
		[{ enum: ['x', 'y'] }, ['a', false, { type: 'options', options: ['x', 'y'] }]],
		[{ enum: ['x', 5] }, ['a', false, {}]],
		[{ type: 'array', items: { type: 'string' } }, ['a', false, {}]],
		[{ type: 'object' }, ['a', false, {}]],
		[{ anyOf: [{ type: 'string' }, { type: 'number' }] }, ['a', false, {}]],
		[{}, ['a', false, {}]],
	])('have the kind of their schema: %j', (property, expected) => {
		expect(typeOf(property)).toEqual(expected);
	});

	it('are found behind references, of the whole and of one choice of several', () => {
		const $defs = { Kind: { enum: ['x'] } };
		const options = ['a', true, { type: 'options', options: ['x'] }];
		const more = { $defs, required: ['a'] };
		expect(typeOf({ $ref: '#/$defs/Kind' }, more)).toEqual(options);
		expect(typeOf({ allOf: [{ $ref: '#/$defs/Kind' }], default: 'x' }, more)).toEqual(options);
	});

	it.each([{}, { inputs: ['a'] }, { inputSchema: { type: 'object' } }, { schema: null }])(
		'are unknown where there is no schema with properties: %j',
		(task) => {
			expect(taskInputs(task)).toBeUndefined();
		},
	);
});
