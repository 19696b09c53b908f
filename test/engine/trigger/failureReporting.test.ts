import type { NodeApiError } from 'n8n-workflow';

import { ActiveTrigger, suiteWithTrigger, type TriggerOptions } from '../harness/polling';

const RUNS = { event: 'runStatusChanged', statuses: [] };

const { suite, pass, active: activated } = suiteWithTrigger(RUNS);
const trigger = (options?: TriggerOptions) => new ActiveTrigger(suite.sandbox, RUNS, options);

describe('activation', () => {
	test.each([
		['key', { apiKey: 'not-a-key' }, '401'],
		['key', { apiKey: '' }, undefined],
		['address', { baseUrl: 'https://wherobots.invalid' }, undefined],
	])('says at once that a %s is wrong although there is a state', async (_, wrong, httpCode) => {
		const active = await activated();
		Object.assign(active.credentials, wrong);
		const error: unknown = await active.restart().catch((thrown: unknown) => thrown);
		expect((error as NodeApiError).httpCode ?? undefined).toBe(httpCode);
		expect((error as NodeApiError).message).toMatch(/key|Key|host name/);
	});

	describe.each([
		['classic', 503],
		['classic', 429],
		['durable', 503],
		['durable', 429],
	] as const)('on the %s engine, while the service responds with status %i', (engine, status) => {
		const down = () => suite.faults.add({ fault: { kind: 'status', status } });

		test('fails when there is no state to continue from, because n8n would not store one later', async () => {
			down();
			const httpCode = String(status);
			await expect(trigger({ engine }).activate()).rejects.toMatchObject({ httpCode });
		});

		test('does not fail when there is a state, and continues from it', async () => {
			const active = await activated({}, { engine });
			const first = suite.store.createRun({ status: 'PENDING' });
			pass();
			await active.poll();
			const outage = down();
			await active.restart();
			outage.remove();
			const second = suite.store.createRun({ status: 'PENDING' });
			pass();
			await active.poll();
			const ids = [first, second].map(({ id }) => `run/${id}/PENDING`);
			expect(active.take().map(({ eventId }) => eventId)).toEqual(ids);
		});
	});
});

describe('later failures', () => {
	test('are reported once an hour by the classic engine, others at once', async () => {
		const active = await activated();
		const status = (code: number) =>
			suite.faults.add({ fault: { kind: 'status', status: code, body: 'empty' } });
		const down = status(500);
		for (let polls = 0; polls < 5; polls++) {
			pass();
			await active.poll();
		}
		expect(active.errors).toHaveLength(1);
		down.remove();
		const refused = status(403);
		pass();
		await active.poll();
		expect(active.errors.map((error) => (error as NodeApiError).httpCode)).toEqual(['500', '403']);
		for (let polls = 0; polls < 61; polls++) {
			pass();
			await active.poll();
		}
		expect(active.errors).toHaveLength(3);
		refused.remove();
		// And again at once after a poll that succeeded.
		await active.poll();
		status(403);
		await active.poll();
		expect(active.errors).toHaveLength(4);
	});

	test('tell the durable scheduler each time how long to back off', async () => {
		const active = await activated({}, { engine: 'durable' });
		suite.faults.add({ fault: { kind: 'status', status: 429, retryAfter: 300 } });
		for (let polls = 0; polls < 2; polls++) {
			pass();
			await active.poll();
		}
		expect(active.errors).toHaveLength(2);
		expect(active.errors[1]).toMatchObject({
			httpCode: '429',
			failure: { cause: 'rate-limited', retryAfterMs: 300_000 },
		});
	});
});

test('a poll that gets nowhere within its time is an error that people see', async () => {
	// Enough for the activation on a busy machine.
	const active = await activated({}, { budgetMs: 2_500 });
	const hang = suite.fails('listRuns', { kind: 'hang' });
	const state = JSON.stringify(active.state);
	await active.poll();
	expect(active.errors).toHaveLength(1);
	expect(active.errors[0].message).toBe('Wherobots Cloud did not respond in time');
	expect(JSON.stringify(active.state)).toBe(state);
	hang.remove();
});
