import { checkApiPath, listApiRequests } from '../../../nodes/Wherobots/service/apiDescription';

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

/** Many paths with the same requests. */
const paths = (count: number, item: object) =>
	Object.fromEntries(Array.from({ length: count }, (_, at) => [`/path${at}`, item]));

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

	it('are one text where a list is sent as one value', () => {
		const schema = { type: 'array', items: { type: 'string' } };
		const parameters = [{ name: 'ids', in: 'query', explode: false, schema }];
		expect(parametersOf({ parameters })).toEqual([['ids', false, 'string']]);
	});

	it.each(['a~1b', 'a%7E1b', 'a%2fb', 'a b', 'a%20b', '%C3%A9', '50%'])(
		'may be in a schema whose reference is encoded: %s',
		(name) => {
			const schemas = { 'a/b': { type: 'integer' }, 'a b': { type: 'integer' } };
			const others = { é: { type: 'integer' }, '50%': { type: 'integer' } };
			const parameters = [{ name: 'q', in: 'query', schema: ref(name) }];
			// A slash is part of a name only as ~1.
			const expected = name === 'a%2fb' ? undefined : 'integer';
			expect(parametersOf({ parameters }, { ...schemas, ...others })).toEqual([
				['q', false, expected],
			]);
		},
	);

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

describe('the work of reading a description is limited', () => {
	/** How often anything of a value is looked at. */
	const watch = (value: object) => {
		let looks = 0;
		const watched = new WeakMap<object, object>();
		const wrap = (target: unknown): unknown => {
			if (typeof target !== 'object' || target === null) return target;
			let proxy = watched.get(target);
			if (!proxy) {
				proxy = new Proxy(target, {
					get: (of, name) => {
						looks += 1;
						return wrap(Reflect.get(of, name));
					},
				});
				watched.set(target, proxy);
			}
			return proxy;
		};
		return { root: wrap(value) as never, count: () => looks };
	};
	const chain = (length: number, end: object) =>
		Object.fromEntries(
			Array.from({ length }, (_, at) => [`C${at}`, at === length - 1 ? end : ref(`C${at + 1}`)]),
		);

	it('where many paths refer to one that is large', () => {
		const parameters = Array.from({ length: 200 }, () => ref('C0'));
		const methods = ['get', 'post', 'put', 'patch', 'delete'];
		const item = Object.fromEntries(methods.map((method) => [method, { parameters }]));
		const schemas = { ...chain(19, { name: 'a', in: 'query' }), Item: { ...item, parameters } };
		const { root, count } = watch({ paths: paths(20_000, ref('Item')), components: { schemas } });
		expect(() => listApiRequests(root)).toThrow('too complex');
		expect(count()).toBeLessThan(20_000_000);
	});

	it('where many paths have one long summary', () => {
		const schemas = { Item: { get: { summary: 'x'.repeat(1_000_000) } } };
		const description = { paths: paths(2_000, ref('Item')), components: { schemas } };
		const found = listApiRequests(description as never);
		expect(found.map(({ summary }) => summary).join('').length).toBeLessThan(1_000_000);
	});

	it('where parts of schemas are nested', () => {
		const properties = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`p${at}`, {}]));
		const Parts = Object.fromEntries(
			Array.from({ length: 40 }, (_, at) => [`P${at}`, { properties, allOf: [ref(`P${at + 1}`)] }]),
		);
		const { root, count } = watch(describeOne({ requestBody: json(ref('P0')) }, Parts));
		expect(listApiRequests(root)[0].listParameters()).toHaveLength(100);
		// Each part once, not once more for each part that it is in.
		expect(count()).toBeLessThan(40 * 2_000 * 2);
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

	const offered = (paths: object) =>
		listApiRequests({ paths } as never).map(({ method, path }) => `${method} ${path}`);
	const success = (content?: object, status = 200) => ({
		responses: { [status]: { content }, 422: { content: { 'application/json': {} } } },
	});

	it.each<[string, string, object]>([
		['a file, too', 'get', success({ 'application/json': {}, 'application/octet-stream': {} })],
		['lines of JSON', 'get', success({ 'application/jsonl': {} })],
		['content that is not described', 'get', success()],
		['a redirect', 'post', success({ 'application/json': {} }, 303)],
	])('are none that return %s', (_, method, operation) => {
		expect(offered({ '/a': { [method]: operation } })).toEqual([]);
	});

	it.each(['/users/export', '/notebooks/{id}/thumbnail'])(
		'are none that return a file whatever is described: %s',
		(path) => {
			expect(offered({ [path]: { get: success({ 'application/json': {} }) } })).toEqual([]);
		},
	);

	it.each<[string, object]>([
		['delete', success(undefined, 204)],
		['get', success(undefined, 204)],
		['post', success(undefined, 201)],
		['get', success({ 'application/problem+json; charset=utf-8': {} })],
	])('are those that return JSON or nothing: %s %j', (method, operation) => {
		expect(offered({ '/a': { [method]: operation } })).toHaveLength(1);
	});

	it('may be described in twenty megabytes', () => {
		const large = paths(20_000, { get: { summary: 'x'.repeat(1_000) } });
		expect(listApiRequests({ paths: large } as never)).toHaveLength(20_000);
	});
});

it.each([
	['GET', '/storage/{storage_id}/files/a.b~c-d_e', undefined],
	['GET', '/a/{b}{c}', undefined],
	['GET', '/a/{b c}', 'must be a path'],
	['GET', '/a/..', 'must be a path'],
	['GET', '/a/', undefined],
	['GET', '/a//', 'must be a path'],
	['GET', '/a/{storage-id}', undefined],
	['GET', '', 'must be a path'],
	['GET', '/organization', undefined],
	['DELETE', '/organization/users/{user_email}', undefined],
	['GET', '/subscriptions', undefined],
	['DELETE', '/v1/organization', 'must not delete'],
	['GET', '/v1/runs', undefined],
])('%s %s: %s', (method, path, expected) => {
	const problem = checkApiPath(method, path);
	if (expected === undefined) expect(problem).toBeUndefined();
	else expect(problem).toContain(expected);
});
