import {
	checkApiPath,
	findPaging,
	listApiRequests,
} from '../../../nodes/Wherobots/service/apiDescription';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });

/** A description with one request, and what it refers to. */
const describeOne = (operation: object, schemas: object = {}, path = '/things/{id}') => ({
	openapi: '3.1.0',
	paths: { [path]: { post: operation } },
	components: { schemas },
});

const parametersOf = (operation: object, schemas?: object) =>
	listApiRequests(describeOne(operation, schemas) as never)
		.flatMap((each) => each.listParameters())
		.map(({ id, isRequired, schema }) => [id, isRequired, schema.type]);

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe('the parameters of a request', () => {
	it('are those of its path and query, and the members of its body', () => {
		const operation = {
			parameters: [
				{ name: 'id', in: 'path', required: true, schema: { type: 'string' } },
				{ name: 'size', in: 'query', schema: { anyOf: [{ type: 'integer' }, { type: 'null' }] } },
				{ name: 'X-Trace', in: 'header', schema: { type: 'string' } },
			],
			requestBody: json(ref('Thing')),
		};
		const Thing = {
			allOf: [
				ref('Base'),
				{ type: 'object', properties: { kind: { enum: ['a'] } }, required: ['kind'] },
			],
		};
		const Base = { properties: { name: { type: 'string' } } };
		expect(parametersOf(operation, { Thing, Base })).toEqual([
			['id', true, 'string'],
			['size', false, 'integer'],
			['body.name', false, 'string'],
			['body.kind', true, undefined],
		]);
	});

	it('are the whole body where that is a list, or one of several things', () => {
		const list = { requestBody: { ...json({ type: 'array' }), required: true } };
		expect(parametersOf(list)).toEqual([['body', true, 'array']]);
		const choice = { oneOf: [{ properties: { a: {} } }, { properties: { b: {} } }] };
		expect(parametersOf({ requestBody: json(choice) })).toEqual([['body', false, 'object']]);
	});

	it('are at most a hundred, so that reading them blocks nobody', () => {
		const parameters = Array.from({ length: 2_000 }, (_, at) => ({ name: `p${at}`, in: 'query' }));
		expect(parametersOf({ parameters })).toHaveLength(100);
	});

	it('are those of the operation where its path has one of the same name', () => {
		const parameter = (type: string, place = 'query') => ({
			name: 'q',
			in: place,
			schema: { type },
		});
		const get = { parameters: [parameter('integer')] };
		const paths = { '/a': { parameters: [parameter('string')], get } };
		const [request] = listApiRequests({ paths } as never);
		expect(request.listParameters().map(({ schema }) => schema.type)).toEqual(['integer']);
	});

	it('end where schemas refer to each other', () => {
		const Loop = { allOf: [ref('Loop'), ref('Other')], properties: { a: ref('Loop') } };
		const Other = { allOf: [ref('Loop')], properties: { b: { type: 'string' } } };
		const operation = { requestBody: json(ref('Loop')) };
		expect(parametersOf(operation, { Loop, Other }).map(([id]) => id)).toEqual([
			'body.a',
			'body.b',
		]);
		const Itself = ref('Itself');
		expect(parametersOf({ requestBody: json(Itself) }, { Itself })).toEqual([
			['body', false, 'object'],
		]);
	});

	it('come at once from many parts that refer to all others', () => {
		const names = Array.from({ length: 400 }, (_, at) => `Part${at}`);
		const schemas = Object.fromEntries(names.map((name) => [name, { allOf: names.map(ref) }]));
		expect(parametersOf({ requestBody: json(ref('Part0')) }, schemas)).toHaveLength(1);
	});
});

describe('the requests of a deployment', () => {
	it.each([
		[null],
		['text'],
		[{}],
		[{ paths: [] }],
		[{ paths: { '/a': null, '/b': { get: 7 }, '/c': { $ref: '#/nowhere' } } }],
		[{ paths: { '/a': { get: { parameters: 'x', responses: 7, tags: {} } } } }],
	])('may be described by anything: %j', (description) => {
		const found = listApiRequests({ ...(description as object) } as never);
		for (const each of found) expect(each.listParameters()).toEqual([]);
	});

	it('are none that take or return files, and none for the staff', () => {
		const file = { content: { 'text/csv': {} } };
		const upload = { content: { 'multipart/form-data': {} } };
		const paths = {
			'/export': { get: { responses: { 200: file } } },
			'/upload': { post: { requestBody: upload } },
			'/management/all': { get: {} },
			'/staff': { get: { tags: ['superuser'] } },
			'/organization': { delete: {}, get: { summary: 'Get it' } },
		};
		const found = listApiRequests({ paths } as never);
		expect(found.map(({ method, path, summary }) => [method, path, summary])).toEqual([
			['GET', '/organization', 'Get it'],
		]);
	});

	it('may be described in twenty megabytes', () => {
		const text = 'x'.repeat(1_000);
		const paths = Object.fromEntries(
			Array.from({ length: 20_000 }, (_, at) => [`/path${at}`, { get: { summary: text } }]),
		);
		expect(listApiRequests({ paths } as never)).toHaveLength(20_000);
	});
});

it.each([
	[['cursor', 'size'], 'cursor'],
	[['offset', 'limit'], 'offset'],
	[['offset'], 'offset'],
	[['size'], undefined],
])('come in pages by their parameters: %j', (names, expected) => {
	const parameters = names.map((name) => ({ name, in: 'query', schema: { maximum: 30 } }));
	const paths = { '/list': { get: { parameters } } };
	const [request] = listApiRequests({ paths } as never);
	const paging = findPaging(request);
	const size = names.length > 1 ? 30 : 100;
	expect([paging?.cursorName, paging?.size]).toEqual([expected, expected && size]);
});

it.each([
	['GET', '/storage/{storage_id}/files/a.b~c-d_e', undefined],
	['GET', '/a/{b}{c}', undefined],
	['GET', '/a/{b c}', 'must be a path'],
	['GET', '/a/..', 'must be a path'],
	['GET', '/a/', 'must be a path'],
	['GET', '', 'must be a path'],
	['GET', '/organization', undefined],
	['DELETE', '/organization/users/{user_email}', undefined],
	['DELETE', '/organization/{id}', 'must not delete'],
	['PATCH', '/subscriptions', 'must not delete'],
	['GET', '/subscriptions', undefined],
])('%s %s: %s', (method, path, expected) => {
	const problem = checkApiPath(method, path);
	if (expected === undefined) expect(problem).toBeUndefined();
	else expect(problem).toContain(expected);
});
