import { suiteWithSandbox } from '../../../engine/harness/suite';
import { againstSession, CITIES, frame, READ, sent, WRITE } from './againstSession';

const suite = suiteWithSandbox({ seed: 'empty' });
const { against } = againstSession(suite);

describe('rows', () => {
	it.each([1, 2, 10, 24, 46])(
		'that end after %i bytes are an error, and none is returned',
		async (bytes) => {
			const { error, items } = await against(
				{ ...frame('execution_result'), fault: { kind: 'shorten', bytes } },
				READ,
			);
			expect(error?.message).toMatch(/rows that the SQL session sent cannot be read/);
			expect(items).toEqual([]);
		},
	);

	it.each([
		['an unknown format', { format: 'orc' }],
		['JSON, which was not asked for', { format: 'json', result_bytes: Buffer.from('[]') }],
		['an unknown compression', { compression: 'lz4', result_bytes: Buffer.of(4, 34, 77) }],
		['a compression that was not applied', { result_bytes: Buffer.of(1) }],
		[
			'a stream without an end',
			{ compression: 'none', result_bytes: Buffer.of(255, 255, 255, 255) },
		],
	])('in %s are an error', async (_, change) => {
		const edit = (message: Record<string, unknown>) => ({
			...message,
			results: { ...(message.results as object), ...change },
		});
		const { error } = await against(
			{ ...frame('execution_result'), fault: { kind: 'edit', edit } },
			READ,
		);
		expect(error?.message).toMatch(/cannot be read/);
	});

	it('that never come are an error within the time limit', async () => {
		const options = { queryTimeoutSeconds: 1 };
		const { error } = await against({ at: 'retrieve', fault: { kind: 'running' } }, READ, {
			options,
		});
		expect(error?.message).toBe('The statement succeeded, but its result did not arrive');
	});

	it('that the session has forgotten are an error', async () => {
		const { error } = await against({ at: 'retrieve', fault: { kind: 'forgotten' } }, READ);
		expect(error?.message).toBe('The statement succeeded, but its result did not arrive');
	});
});

describe('what is not a message', () => {
	it.each<[string, string | Buffer]>([
		['text', 'upstream connect error'],
		['a length that exceeds the message', Buffer.from('5b7fffffffffffffff', 'hex')],
		['deep JSON', '['.repeat(200_000)],
	])('ends the statement with a clear error: %s', async (_, data) => {
		const rule = { ...frame(undefined, 'succeeded'), fault: { kind: 'replace', data } } as const;
		const { error } = await against(rule, WRITE);
		expect(error?.message).toBe(
			'The SQL session sent a message that cannot be read: it is not certain what the statement changed',
		);
		expect(sent(suite.sandbox)).toEqual({ [WRITE]: 1 });
	});

	it.each<[string, string]>([
		['null', 'null'],
		['a number', '1'],
		['a list', '[]'],
		['an object without a kind', '{}'],
	])('is ignored when it says nothing: %s', async (_, data) => {
		const rule = { ...frame(undefined, 'running'), fault: { kind: 'replace', data } } as const;
		expect((await against(rule, READ)).json).toEqual(CITIES);
	});
});
