import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import {
	amend,
	explanationOf,
	factsOf,
	failureOf,
	hasStatus,
	isAmbiguous,
	isTemporary,
	toNodeApiError,
} from '../../../../nodes/Wherobots/transport/failures/errors';
import { pathFacts } from '../../../../nodes/Wherobots/transport/failures/requestFailure';

const node = { name: 'Wherobots', type: 't', typeVersion: 1, position: [0, 0] } as unknown as INode;
const failure = { message: 'Lost', description: 'Why.\n  <b> & so' };
const errorOf = (more: object = {}) => toNodeApiError(node, { ...failure, ...more });

describe('the error that n8n shows', () => {
	it('has the words, as plain text and as the panel needs them', () => {
		const error = errorOf();
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error.message).toBe('Lost');
		expect(error.description).toBe('Why.<br>&nbsp;&nbsp;&lt;b&gt; &amp; so');
		expect(explanationOf(error)).toBe('Why.\n  <b> & so');
		expect(error.messages).toEqual([]);
		expect(error.errorResponse).toEqual({ message: 'Lost', codes: [], requestId: null });
		expect(error.httpCode).toBeNull();
	});

	it('has a note of bounded length before what it says', () => {
		const error = errorOf();
		amend(error, { before: 'x'.repeat(1_000_000) });
		expect(explanationOf(error)).toMatch(/^x{1000}…\nWhy\./);
	});

	it('keeps its message, whatever codes of Node.js that seems to contain', () => {
		const message = 'EPERM in hypermedia, ECONNREFUSED too';
		expect(errorOf({ message }).message).toBe(message);
	});

	it('is explained by its description where nothing else is known', () => {
		expect(explanationOf(new NodeOperationError(node, 'm', { description: 'd' }))).toBe('d');
		expect(explanationOf(new NodeOperationError(node, 'm'))).toBe('');
	});

	it.each([
		['401', { cause: 'credential-invalid' }],
		['429', { cause: 'rate-limited', retryAfterMs: 7 }],
		['503', { cause: 'temporarily-unavailable', retryAfterMs: 7 }],
		[undefined, { cause: 'temporarily-unavailable', retryAfterMs: 7 }],
		['404', undefined],
	])('tells the scheduler about status %s', (httpCode, expected) => {
		const error = errorOf({ httpCode, retryAfterMs: 7 });
		expect((error as { failure?: object }).failure).toEqual(expected);
		expect(error.httpCode).toBe(httpCode ?? null);
	});

	it('keeps what is known beyond its words', () => {
		const error = errorOf({
			codes: ['A'],
			ambiguous: true,
			temporary: true,
			addressAtFault: true,
			places: ['query.region'],
			requestId: 'q1',
			facts: { runId: 'r1' },
		});
		expect(error.errorResponse).toMatchObject({ codes: ['A'], requestId: 'q1' });
		expect(failureOf(error)).toMatchObject({
			codes: ['A'],
			ambiguous: true,
			temporary: true,
			addressAtFault: true,
			places: ['query.region'],
		});
		expect(factsOf(error)).toEqual({ runId: 'r1', requestId: 'q1', ambiguous: true });
		expect(error.context.facts).toEqual(factsOf(error));
		expect([isAmbiguous(error), isTemporary(error)]).toEqual([true, true]);
	});

	it('claims nothing that is not known', () => {
		const error = errorOf();
		expect(factsOf(error)).toEqual({});
		expect([isAmbiguous(error), isTemporary(error)]).toEqual([false, false]);
		const other = new NodeOperationError(node, 'm');
		expect([factsOf(other), isAmbiguous(other), isTemporary(other)]).toEqual([{}, false, false]);
	});

	it.each([
		[errorOf({ httpCode: '404' }), true],
		[errorOf({ httpCode: '40' }), false],
		[errorOf(), false],
		[new Error('404'), false],
		[{ httpCode: '404' }, false],
	])('has a status: %#', (error, expected) => {
		expect(hasStatus(error, 404)).toBe(expected);
	});
});

it.each([
	{},
	{
		httpCode: '503',
		codes: ['A'],
		ambiguous: true,
		temporary: true,
		addressAtFault: true,
		places: ['query.region'],
		facts: { runId: 'r1', ambiguous: true },
	},
])('the failure behind an error is the one that it was made of: %j', (more) => {
	expect(failureOf(errorOf(more))).toEqual({
		...failure,
		httpCode: undefined,
		facts: {},
		...more,
	});
});

describe('facts', () => {
	it('take the place of those of the same names', () => {
		const error = errorOf({ facts: { runId: 'r1', status: 'RUNNING' } });
		amend(error, { facts: { runId: 'r2', runName: 'n' } });
		expect(factsOf(error)).toEqual({ runId: 'r2', status: 'RUNNING', runName: 'n' });
		expect(explanationOf(error)).toBe(failure.description);
	});

	it('of a path have the names of outputs', () => {
		expect(pathFacts({ run_id: 'r', api_key_id: 'k', name: 'n' })).toEqual({
			runId: 'r',
			apiKeyId: 'k',
			name: 'n',
		});
		expect(pathFacts()).toEqual({});
	});
});

describe('notes', () => {
	it('come before or behind the rest', () => {
		const error = errorOf({ description: 'Why.' });
		amend(error, { before: 'First <of> all.', after: 'At last.' });
		expect(explanationOf(error)).toBe('First <of> all.\nWhy.\nAt last.');
		expect(error.description).toBe('First &lt;of&gt; all.<br>Why.<br>At last.');
	});

	it('are all there is where nothing was said before', () => {
		const error = errorOf({ description: '' });
		amend(error, { after: 'Alone.' });
		expect(explanationOf(error)).toBe('Alone.');
	});
});
