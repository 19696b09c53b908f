import { suiteWithSandbox } from '../../../engine/harness/suite';
import { againstSession, CITIES, frame, READ, sent, WRITE } from './againstSession';

const suite = suiteWithSandbox({ seed: 'empty' });
const { against } = againstSession(suite);

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
