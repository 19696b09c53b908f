import { STATEMENT_LIMITS } from '../../../../nodes/Wherobots/useCases/sql/statement';
import { suiteWithSandbox } from '../../../engine/harness/suite';
import type { SqlFaultRule } from '../../../sandbox';
import { againstSession, CITIES, frame, READ, sent, WRITE } from './againstSession';

const suite = suiteWithSandbox({ seed: 'empty' });
const { against, query, done } = againstSession(suite);

/** With whether the session still knows the statement over another connection. */
const CUT: Array<[string, SqlFaultRule, boolean]> = [
	['before it was taken', { at: 'statement', fault: { kind: 'cut', taken: false } }, false],
	['after it was taken', { at: 'statement', fault: { kind: 'cut', taken: true } }, true],
	['with a code', { at: 'statement', fault: { kind: 'cut', taken: true, code: 1012 } }, true],
	['with the session', { at: 'statement', fault: { kind: 'die' } }, false],
	[
		'before the first state',
		{ ...frame('state_updated', 'pending'), fault: { kind: 'cut', where: 'before' } },
		true,
	],
	[
		'inside the success',
		{ ...frame('state_updated', 'succeeded'), fault: { kind: 'cut', where: 'inside' } },
		true,
	],
];

describe('a lost connection', () => {
	it.each(CUT)('%s is made again, or an error says what is uncertain', async (_, rule, isKnown) => {
		const { error, json } = await against(rule, WRITE);
		expect(done.writes).toBe(isKnown ? 1 : 0);
		if (isKnown) return expect(json).toEqual([expect.objectContaining({ state: 'succeeded' })]);
		expect(json).toEqual([]);
		expect(error?.message).toBe(
			'The connection to the SQL session was lost: it is not certain what the statement changed',
		);
		expect(error?.description).toMatch(/was not sent again/);
		const [{ id = '' } = {}] = suite.sql.taken();
		expect(error?.description).toContain(id);
	});

	it.each(CUT)(
		'%s never makes Retry On Fail send a statement that changes something again',
		async (_, rule, isKnown) => {
			suite.sql.addFault({ ...rule, times: 1 });
			const { error } = await query(WRITE, {}, { maxTries: 3 });
			if (!isKnown) expect(error?.message).toMatch(/not certain/);
			expect(suite.sql.taken(WRITE).length).toBeLessThanOrEqual(1);
			expect(done.writes).toBe(isKnown ? 1 : 0);
		},
	);

	it.each(['before', 'inside'] as const)('%s the rows has them sent again, once', async (where) => {
		// Only the loss of the connection asks for them again, however slow the machine is.
		jest.replaceProperty(STATEMENT_LIMITS, 'resultMs', 60_000);
		const rule = { ...frame('execution_result'), fault: { kind: 'cut', where } } as const;
		expect((await against({ ...rule, times: 1 }, READ)).json).toEqual(CITIES);
		const { error, items } = await against(rule, READ);
		expect(error?.message).toBe(
			'The statement succeeded, but its result did not arrive: the connection was lost each time',
		);
		expect(error?.description).toMatch(/'Output' to a file.*Node\.js 22\.23, 24\.21/);
		expect(items).toEqual([]);
		expect(suite.sql.taken().map(({ retrievals }) => retrievals)).toEqual([2, 2]);
	});

	it('again at once each time is given up after a minute', async () => {
		let began = 0;
		suite.sql.answer(READ, () => {
			began = suite.clock.now();
			return { rows: CITIES, seconds: 1e9 };
		});
		suite.sql.addFault({ at: 'statement', fault: { kind: 'cut', taken: true } });
		suite.sql.addFault({ at: 'retrieve', fault: { kind: 'cut' } });
		const { error } = await query(READ);
		expect(error?.message).toBe('The connection to the SQL session was lost');
		expect(suite.clock.now() - began).toBeLessThan(70_000);
	});

	it('after the rows is not an error', async () => {
		const { json } = await against(
			{ ...frame('execution_result'), fault: { kind: 'cut', where: 'after' } },
			READ,
		);
		expect(json).toEqual(CITIES);
	});
});

describe('a statement that takes too long', () => {
	beforeEach(() => suite.sql.answer(/slow/, { rows: [], seconds: 1e9 }));
	const options = { queryTimeoutSeconds: 1 };

	it('is cancelled', async () => {
		jest.replaceProperty(STATEMENT_LIMITS, 'cancelMs', 10_000);
		const { error } = await query('SELECT slow', { options });
		expect(error?.message).toBe('The statement took too long and was cancelled');
		expect(suite.sql.taken()[0]).toMatchObject({ state: 'cancelled', cancels: 1 });
	});

	it('is an error that says so when its cancellation is not confirmed', async () => {
		suite.timings.sqlCancelMs = 1e9;
		const { error } = await query('INSERT slow', { options });
		expect(error?.message).toMatch(/took too long: it is not certain/);
		expect(error?.description).toMatch(/did not confirm/);
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
