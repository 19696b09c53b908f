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
			response.end(JSON.stringify(answer({ method, url, body })));
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
		['a page arrived without one list of records', (_, items) => ({ one: items, other: items })],
		[
			'a page arrived without one list of records',
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

	it('takes 200,000 records at once', async () => {
		const items = Array.from({ length: 200_000 }, (_, id) => ({ id }));
		serve(['cursor'], () => ({ items, next_page: null }));
		expect(await readAll()).toHaveLength(200_000);
	});

	it('says where the description has no pages', async () => {
		answer = ({ url }) =>
			url === '/openapi.json' ? describing('/list', { get: {} }) : { items: [] };
		const { hints } = await run('GET /list', { returnAllPages: true });
		expect(JSON.stringify(hints)).toContain('this is all of its first response');
	});
});

describe('the form', () => {
	const schemas = {
		M: { type: 'object', properties: { a: {} } },
		L: { type: 'array' },
		N: { type: 'integer' },
	};
	const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

	it.each([
		[{ anyOf: [ref('M'), { type: 'null' }] }, 'object'],
		[{ anyOf: [ref('L'), { type: 'null' }] }, 'array'],
		[{ anyOf: [ref('N'), { type: 'null' }] }, 'number'],
		[{ type: ['integer', 'null'] }, 'number'],
		[{ type: ['array', 'null'] }, 'array'],
	])('has the type of what may be null: %j', async (property, expected) => {
		const schema = { type: 'object', properties: { x: property } };
		const requestBody = { content: { 'application/json': { schema } } };
		answer = () => describing('/a', { post: { requestBody } }, schemas);
		const { fields } = await fieldsOf(account as never, 'getApiParameters', node('POST /a'));
		expect(fields[0].type).toBe(expected);
	});
});

describe('values', () => {
	it('keep their digits in path and query', async () => {
		await run('GET /a/{x}', withJson('{"x": 9007199254740993123, "q": 9007199254740993123}'));
		expect(sent()).toEqual(['GET /a/9007199254740993123?q=9007199254740993123']);
	});

	it.each([
		['DELETE /a/{x}', { x: { a: 1 } }, 'needs x, which must be text or a number'],
		['DELETE /a/{x}', { x: [1, 2] }, 'needs x, which must be text or a number'],
		['GET /a/{constructor}', {}, 'needs constructor, which must not be empty'],
		['GET /a/{path}', { path: '../x' }, 'needs path, which must not be ".."'],
		['GET /a', { body: { a: 1 } }, 'must not have a body for a GET request'],
		['POST /a', { body: { a: 1 }, 'body.b': 2 }, 'must have body, or values that begin with body.'],
	])('that cannot be sent are refused by name: %s %j', async (request, values, says) => {
		const { error } = await run(request, withJson(values));
		expect(error?.message).toContain(`'Parameters (JSON)' ${says}`);
		expect(sent()).toEqual([]);
	});
});
