import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import {
	toFailure,
	Failure,
	type FailureParts,
	hasStatus,
	toNodeError,
	addContext,
} from '../../../nodes/Wherobots/transport/failure';

const node = { name: 'Wherobots', type: 't', typeVersion: 1, position: [0, 0] } as unknown as INode;
const failing = (more: Partial<FailureParts> = {}) =>
	new Failure({ message: 'Lost', description: 'Why.', ...more });

describe('a failure', () => {
	it('never changes: context makes another one', () => {
		const failure = failing({ facts: { runId: 'r1', status: 'RUNNING' } });
		const more = failure
			.withContext({ before: 'First <of> all.', after: 'At last.', facts: { runId: 'r2' } })
			.withContext({ before: 'Earlier.', after: 'Later.' });
		expect(more.description).toBe('Earlier.\nFirst <of> all.\nWhy.\nAt last.\nLater.');
		expect(more.facts).toEqual({ runId: 'r2', status: 'RUNNING' });
		expect([failure.description, failure.facts.runId]).toEqual(['Why.', 'r1']);
	});

	it('ends with what to do, which who knows better replaces', () => {
		const failure = failing({ nextStep: 'Try again later.' }).withContext({ after: 'At last.' });
		expect(failure.description).toBe('Why.\nAt last.\nTry again later.');
		const known = failure.with({ nextStep: 'Choose one from the list.' });
		expect(known.description).toBe('Why.\nAt last.\nChoose one from the list.');
	});

	it('is of bounded length, but for what comes last', () => {
		const long = 'x'.repeat(1_000_000);
		const failure = failing({ message: long, description: long });
		const { message, description } = failure.withContext({ before: long, after: long });
		expect(message).toHaveLength(1_001);
		expect(description).toHaveLength(1_001 + 1 + 8_001 + 1 + 1_000_000);
	});

	it('tells workflows about the request, and that it may have been handled', () => {
		const { facts } = failing({ requestId: 'q1', ambiguous: true, facts: { runId: 'r1' } });
		expect(facts).toEqual({ runId: 'r1', requestId: 'q1', ambiguous: true });
		expect(failing().facts).toEqual({});
	});

	it('has a status', () => {
		expect(hasStatus(failing({ httpCode: '404' }), 403, 404)).toBe(true);
		expect(hasStatus(failing({ httpCode: '40' }), 403, 404)).toBe(false);
	});

	it('of others stays as it is', () => {
		const error = new Error('Out of memory');
		expect(addContext(error, { before: 'Now.' })).toBe(error);
	});

	it('shows no secret, whatever part has it', () => {
		const facts = { uri: 'https://s/a?X-Amz-Signature=abc', name: 'a hunter2-hunter2' };
		const { message, description, parts } = toFailure(
			failing({ message: 'hunter2-hunter2', description: 'hunter2-hunter2', facts }),
			['hunter2-hunter2'],
		);
		expect([message, description]).toEqual(['***', '***']);
		expect(parts.facts).toEqual({ uri: 'https://s/a?***', name: 'a ***' });
	});
});

describe('the error that n8n shows', () => {
	it('has the words as the panel needs them, and the facts', () => {
		const failure = failing({ description: 'Why.\n  <b> & so', facts: { runId: 'r1' } });
		const error = toNodeError(node, failure, 3);
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: 'Lost',
			description: 'Why.<br>&nbsp;&nbsp;&lt;b&gt; &amp; so',
			messages: [],
			httpCode: null,
			errorResponse: { message: 'Lost', codes: [], requestId: null },
			context: { data: { runId: 'r1' }, itemIndex: 3 },
		});
	});

	it('keeps its message, whatever codes of Node.js it seems to contain', () => {
		const message = 'EPERM in hypermedia, ECONNREFUSED too';
		for (const isInput of [true, false]) {
			expect(toNodeError(node, failing({ message, isInput })).message).toBe(message);
		}
	});

	it('is one of the node where nothing was sent, and has what n8n itself says as it is', () => {
		const error = toNodeError(node, toFailure({ message: 'No', description: '<b>Why</b>' }));
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({ message: 'No', description: '<b>Why</b>' });
	});

	it.each([
		['401', { cause: 'credential-invalid' }],
		['429', { cause: 'rate-limited', retryAfterMs: 7 }],
		['503', { cause: 'temporarily-unavailable', retryAfterMs: 7 }],
		['404', undefined],
	])('tells the scheduler about status %s', (httpCode, expected) => {
		const error = toNodeError(node, failing({ httpCode, retryAfterMs: 7 }));
		expect(error).toMatchObject({ httpCode: httpCode ?? null });
		expect((error as { failure?: object }).failure).toEqual(expected);
	});
});
