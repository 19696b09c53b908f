/** API: Request with services that describe other requests, and other lists, than the sandbox. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import type { INodeParameters } from 'n8n-workflow';

import { forgetThrottles } from '../../../nodes/Wherobots/transport/throttle';
import { runNode } from '../harness';
import { fieldsOf } from '../harness/pickers';
import { callsOf } from '../harness/tools';

interface Received {
	method: string;
	url: string;
	body: string;
}

/** An answer without content. */
const NOTHING = Symbol('nothing');

let received: Received[] = [];
let answer: (request: Received) => unknown = () => ({});
let server: Server;
let account: Parameters<typeof runNode>[0];

beforeAll(async () => {
	server = createServer((request, response) => {
		void text(request).then((body) => {
			const { method = '', url = '' } = request;
			received.push({ method, url, body });
			response.setHeader('content-type', 'application/json');
			const given = answer({ method, url, body });
			if (given === NOTHING) response.statusCode = 204;
			response.end(given === NOTHING ? undefined : JSON.stringify(given));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const keys = { apiKey: 'foreign-key-123456789', bearerToken: 'foreign-token-123456789' };
	account = { baseUrl: `http://127.0.0.1:${port}`, credentials: { admin: keys } } as typeof account;
});

afterAll(() => server.close());

beforeEach(() => {
	received = [];
	answer = () => ({});
	forgetThrottles();
});

const node = (apiRequest: string, more: object = {}): INodeParameters => ({
	...{ resource: 'api', operation: 'request', allowChanges: true, parametersFrom: 'json' },
	apiRequest: { __rl: true, mode: 'path', value: apiRequest },
	...more,
});

const withJson = (parameters: object | string) => ({
	parametersJson: typeof parameters === 'string' ? parameters : JSON.stringify(parameters),
});

const run = async (apiRequest: string, more?: object) =>
	await runNode(account, node(apiRequest, more));

const sent = () => received.map(({ method, url }) => `${method} ${url}`);

/** A description with one request. */
const describing = (path: string, operation: object, schemas = {}) => ({
	paths: { [path]: operation },
	components: { schemas },
});

describe('what is never made, with a name in braces for a part of its path', () => {
	it.each([
		['GET /{x}/quotas/all', { x: 'management' }],
		['DELETE /{x}/{id}', { x: 'organization', id: '123' }],
		['DELETE /{path}', { path: 'organization/123' }],
		['POST /{x}/cancel', { x: 'subscriptions' }],
		['POST /sub{x}/cancel', { x: 'scriptions' }],
		['DELETE /organization/{path}', { path: '123/' }],
		['GET /x/{p}', { p: '../management/users' }],
		['GET /x/{p}', { p: '..\\management\\users' }],
		['GET /{x}', { x: '/management' }],
		['GET /{x}/users', { x: 'x/../management' }],
		['GET /{x}/users', { x: '%6Danagement' }],
		['GET /{x}/users', { x: '%2Fv1%2Fmanagement' }],
		['GET /v1/{x}/portal', { x: 'subscriptions' }],
		['GET /v1/management/users', {}],
	])('%s', async (request, values) => {
		const { error } = await run(request, withJson(values));
		expect(error?.message).toMatch(/^'(API Request|Parameters \(JSON\))' /);
		expect(sent()).toEqual([]);
	});

	it('nor for an agent', async () => {
		const tool = node('GET /{x}/users', withJson({ x: 'management' }));
		await expect(callsOf(account, tool, {})()).rejects.toThrow('must not be a request');
		expect(sent()).toEqual([]);
	});
});

describe('an answer', () => {
	it.each([
		['GET', null, { value: null }],
		['GET', NOTHING, { value: null }],
		['GET', 'text', { value: 'text' }],
		['GET', false, { value: false }],
		['DELETE', null, { success: true }],
		['POST', NOTHING, { success: true }],
	])('to %s of nothing, or of a single value, is one item: %p', async (method, given, expected) => {
		answer = () => given;
		const { json, error } = await run(`${method} /me/instance-latest`);
		expect(error).toBeUndefined();
		expect(json).toEqual([expected]);
	});
});

describe('Return All', () => {
	/** Three pages of two records, and the description. */
	const serve = (names: string[], page: (number: number, records: object[]) => unknown) => {
		const parameters = names.map((name) => ({ name, in: 'query', schema: { maximum: 2 } }));
		let number = 0;
		answer = ({ url }) => {
			if (url === '/openapi.json') return describing('/list', { get: { parameters } });
			const records = number < 3 ? [{ id: number * 2 }, { id: number * 2 + 1 }] : [];
			return page(number++, records);
		};
	};
	const readAll = async () => {
		const { json, error } = await run('GET /list', { returnAllPages: true });
		return error?.description ?? json.map(({ id }) => id);
	};
	const next = (number: number) => (number < 2 ? `c${number}` : null);
	const ALL = [0, 1, 2, 3, 4, 5];

	it.each([[['cursor']], [['cursor', 'page_size']], [['page_token', 'limit']]])(
		'reads to the end with %j',
		async (names) => {
			serve(names, (number, items) => ({ items, next_page: next(number) }));
			expect(await readAll()).toEqual(ALL);
		},
	);

	it.each(['next_cursor', 'nextCursor'])('finds the next page as %s', async (name) => {
		serve(['cursor', 'size'], (number, items) => ({ items, [name]: next(number) }));
		expect(await readAll()).toEqual(ALL);
	});

	it('finds the records beside an empty list', async () => {
		const toPage = (number: number, runs: object[]) => ({
			runs,
			warnings: [] as string[],
			next_page: next(number),
		});
		serve(['cursor', 'size'], toPage);
		expect(await readAll()).toEqual(ALL);
	});

	it.each([2, 1])(
		'reads a list that is the response itself, by offsets (%d at once)',
		async (most) => {
			answer = ({ url }) => {
				const { pathname, searchParams } = new URL(url, 'http://service');
				const parameters = ['offset', 'limit'].map((name) => ({ name, in: 'query' }));
				if (pathname === '/openapi.json') return describing('/list', { get: { parameters } });
				const from = Number(searchParams.get('offset') ?? 0);
				return ALL.slice(from, from + most).map((id) => ({ id }));
			};
			expect(await readAll()).toEqual(ALL);
		},
	);

	it.each<[string, (number: number, items: object[]) => unknown]>([
		['a page did not say whether more records follow', (_, items) => ({ items })],
		['a page has no single list of records', (_, items) => ({ one: items, other: items })],
		[
			'a page has no single list of records',
			(number, items) => (number === 1 ? {} : { items, next_page: 'c' }),
		],
	])('never returns a part as if it were all: %s', async (why, page) => {
		serve(['cursor', 'size'], page);
		expect(await readAll()).toContain(why);
	});

	it('nor where there is no size to compare with', async () => {
		serve(['cursor'], (_, items) => ({ items, after: 'c' }));
		expect(await readAll()).toContain('a page did not say whether more records follow');
	});

	it('ends where an offset changes nothing', async () => {
		serve(['offset', 'limit'], () => [{ id: 1 }, { id: 2 }]);
		expect(await readAll()).toContain('pages in a row contained nothing new');
	});

	/** A list by offsets, with one more record at the front after each of its first pages. */
	const serveShifting = (toRecord: (id: number) => unknown) => {
		const parameters = ['offset', 'limit'].map((name) => ({
			name,
			in: 'query',
			schema: { maximum: 2 },
		}));
		let shift = 0;
		answer = ({ url }) => {
			const { pathname, searchParams } = new URL(url, 'http://service');
			if (pathname === '/openapi.json') return describing('/list', { get: { parameters } });
			const from = Number(searchParams.get('offset') ?? 0) - Math.min(shift++, 2);
			const size = Number(searchParams.get('limit') ?? 2);
			return ALL.slice(Math.max(from, 0), Math.max(from + size, 0)).map(toRecord);
		};
	};

	it.each(['id', 'taskRunId', 'event_id'])(
		'has no record twice when pages shift, by its %s',
		async (name) => {
			serveShifting((id) => ({ [name]: id, at: 1 }));
			const { json } = await run('GET /list', { returnAllPages: true });
			expect(json.map((each) => each[name])).toEqual(ALL);
		},
	);

	it('begins and goes on as it is entered', async () => {
		serve(['offset', 'limit'], (_, records) => records);
		const entered = withJson({ offset: 40, limit: 1 });
		await run('GET /list', { returnAllPages: true, ...entered });
		expect(sent().slice(1)).toEqual([
			'GET /list?limit=1&offset=40',
			'GET /list?limit=1&offset=42',
			'GET /list?limit=1&offset=44',
			'GET /list?limit=1&offset=46',
		]);
	});

	it('says where it does not know whether a cursor that is entered is that of the last page', async () => {
		serve(['cursor', 'size'], (_, items) => ({ items }));
		const entered = withJson({ cursor: 'c', size: 50 });
		const { error } = await run('GET /list', { returnAllPages: true, ...entered });
		expect(error?.description).toContain('a page did not say whether more records follow');
	});

	it.each([null, ''])('begins at the first page where its cursor is %j', async (cursor) => {
		serve(['cursor', 'size'], (number, items) => ({ items, next_page: next(number) }));
		const entered = withJson({ cursor });
		const { json } = await run('GET /list', { returnAllPages: true, ...entered });
		expect(json).toHaveLength(ALL.length);
		expect(sent()[1]).toBe('GET /list?size=2');
	});

	it.each([false, null, '', 0])('ends where the next page is %j', async (end) => {
		serve(['cursor', 'size'], (number, items) => ({
			items,
			next_cursor: number < 2 ? `c${number}` : end,
		}));
		expect(await readAll()).toEqual(ALL);
	});

	it('takes 200,000 records at once', async () => {
		const items = Array.from({ length: 200_000 }, (_, id) => ({ id }));
		serve(['cursor'], () => ({ items, next_page: null }));
		expect(await readAll()).toHaveLength(200_000);
	});

	it('says where the description has no pages', async () => {
		answer = ({ url }) =>
			url === '/openapi.json' ? describing('/list', { get: {} }) : { items: [] };
		const { hints } = await run('GET /list', { returnAllPages: true });
		expect(JSON.stringify(hints)).toContain('only its first response is returned');
	});
});

it('says that a description is too complex, rather than to read it for minutes', async () => {
	const properties = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`p${at}`, {}]));
	const parameters = Array.from({ length: 100 }, (_, at) => ({
		...{ name: `q${at}`, in: 'query', schema: { allOf: [{ $ref: '#/components/schemas/L' }] } },
	}));
	answer = () => describing('/a', { get: { parameters } }, { L: { properties } });
	await expect(
		fieldsOf(account as never, 'getApiParameters', node('GET /a')),
	).rejects.toMatchObject({ message: expect.stringContaining('too complex') });
});

describe('the form is sent', () => {
	/** As the editor saves it: all fields that it offers, and the values of those that were added. */
	const filled = async (apiRequest: string, value: object | null) => {
		const form = await fieldsOf(account as never, 'getApiParameters', node(apiRequest));
		const schema = form.fields.map((field) => ({
			...field,
			removed: !Object.hasOwn(value ?? {}, field.id),
		}));
		received = [];
		const parameters = { mappingMode: 'defineBelow', value, schema } as never;
		expect((await run(apiRequest, { parametersFrom: 'form', parameters })).error).toBeUndefined();
		return received.map(({ method, url, body }) => [`${method} ${url}`, body]);
	};
	const withBody = (properties: object) => ({
		parameters: [
			{ name: 'storage-id', in: 'path', required: true, schema: { type: 'string' } },
			{ name: 'dry', in: 'query', schema: { type: 'boolean' } },
			{ name: 'tags', in: 'query', schema: { type: 'array' } },
		],
		requestBody: {
			required: true,
			content: { 'application/json': { schema: { type: 'object', properties } } },
		},
	});

	it('with its values in path, query and body', async () => {
		const properties = { name: { type: 'string' }, limits: { type: 'object' }, size: {} };
		answer = () => describing('/a/{storage-id}/b/', { post: withBody(properties) });
		const value = {
			...{ 'storage-id': 'x/1', dry: true, tags: '["a","b"]' },
			...{ 'body.name': 'n', 'body.limits': '{"cpu":{"max":2}}' },
		};
		expect(await filled('POST /a/{storage-id}/b/', value)).toEqual([
			[
				'POST /a/x%2F1/b/?dry=true&tags=a&tags=b',
				JSON.stringify({ name: 'n', limits: { cpu: { max: 2 } } }),
			],
		]);
	});

	it.each([null, {}])('with an empty body where nothing of it is added: %j', async (value) => {
		answer = () => describing('/a', { post: { ...withBody({ x: {} }), parameters: [] } });
		expect(await filled('POST /a', value)).toEqual([['POST /a', '{}']]);
	});

	it.each([
		{ additionalProperties: true },
		{ additionalProperties: { type: 'string' } },
		{ patternProperties: { x: {} } },
		{ oneOf: [{ properties: { y: {} } }, { properties: { z: {} } }] },
	])('with other names where its body may have them: %j', async (more) => {
		const schema = { type: 'object', properties: { name: {} }, ...more };
		const requestBody = { content: { 'application/json': { schema } } };
		answer = () => describing('/a', { post: { requestBody } });
		expect((await run('POST /a', withJson({ body: { y: 1 } }))).error).toBeUndefined();
		const { error } = await run('POST /a', withJson({ body: { y: 1 }, dry: true }));
		expect(error?.message).toContain('has an unknown parameter: dry');
	});

	it('with a name that comes after as many as are listed', async () => {
		const parameters = Array.from({ length: 101 }, (_, at) => ({ name: `q${at}`, in: 'query' }));
		answer = () => describing('/a', { get: { parameters } });
		expect((await run('GET /a', withJson({ q100: 1 }))).error).toBeUndefined();
	});

	it('without a body where the request takes none', async () => {
		answer = () => describing('/a', { post: {} });
		expect(await filled('POST /a', null)).toEqual([['POST /a', '']]);
	});
});

describe('values', () => {
	it('keep their digits in path and query', async () => {
		await run('GET /a/{x}', withJson('{"x": 9007199254740993123, "q": 9007199254740993123}'));
		expect(sent().at(-1)).toBe('GET /a/9007199254740993123?q=9007199254740993123');
	});

	it.each([
		['DELETE /a/{x}', { x: { a: 1 } }, 'needs x, which must be text or a number'],
		['DELETE /a/{x}', { x: [1, 2] }, 'needs x, which must be text or a number'],
		['GET /a/{constructor}', {}, 'needs constructor, which must not be empty'],
		['GET /a/{path}', { path: '../x' }, 'needs path, which must not contain ".."'],
		['GET /a', { body: { a: 1 } }, 'must not have a body for a GET request'],
		['POST /a', { body: { a: 1 }, 'body.b': 2 }, 'must have body, or values that begin with body.'],
	])('that cannot be sent are refused by name: %s %j', async (request, values, says) => {
		const { error } = await run(request, withJson(values));
		expect(error?.message).toContain(`'Parameters (JSON)' ${says}`);
		expect(sent()).toEqual([]);
	});
});
