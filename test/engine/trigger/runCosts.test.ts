import { editCosts, unavailable } from '../../support/costs';
import { ActiveTrigger, suiteWithTrigger } from '../harness/polling';

const PARAMETERS = { event: 'runStatusChanged', statuses: [], simplify: true };

const { suite, pass, active } = suiteWithTrigger(PARAMETERS);
const withCosts = { options: { includeCost: true } };

/** One poll in which `ended` runs have ended and one is running. */
async function pollWith(trigger: ActiveTrigger, ended: number) {
	pass();
	for (let i = 0; i < ended; i++) {
		suite.store.createRun({ plan: { pendingMs: 0, runningMs: 10_000 } });
	}
	pass();
	suite.store.createRun({ status: 'RUNNING' });
	await trigger.poll();
	return trigger.take();
}

const asked = () => suite.requests.of('getCosts').length;

describe('the cost of runs that the trigger reports', () => {
	it('comes with those that have ended, at one request for all of a poll', async () => {
		const items = await pollWith(await active(withCosts), 3);
		expect(items.map(({ status, costStatus }) => [status, costStatus])).toEqual([
			['COMPLETED', 'settling'],
			['COMPLETED', 'settling'],
			['COMPLETED', 'settling'],
			['RUNNING', undefined],
		]);
		expect(items[0].cost).toBe('0.0123456789012345670000');
		expect(items[3]).not.toHaveProperty('cost');
		expect(asked()).toBe(1);
	});

	it('takes one request for each hundred', async () => {
		const items = await pollWith(await active(withCosts), 120);
		expect(items.filter(({ cost }) => typeof cost === 'string')).toHaveLength(120);
		expect(asked()).toBe(2);
	});

	it('is not requested otherwise', async () => {
		const items = await pollWith(await active({}), 2);
		expect(items[0]).not.toHaveProperty('cost');
		expect(asked()).toBe(0);
	});

	it.each([
		['an outage', { kind: 'status', status: 503 }],
		['a failure of the billing system', editCosts(() => unavailable())],
	] as const)('never holds back an event (%s)', async (_, fault) => {
		const trigger = await active(withCosts);
		suite.fails('getCosts', fault);
		const items = await pollWith(trigger, 2);
		expect(items).toHaveLength(3);
		expect(items[0]).toMatchObject({
			status: 'COMPLETED',
			cost: null,
			costProblem: expect.stringMatching(/./),
		});
		expect(trigger.errors).toEqual([]);
		await trigger.poll();
		expect(trigger.take()).toEqual([]);
	});

	it('comes with the samples of a manual test as well', async () => {
		suite.store.createRun({ status: 'COMPLETED' });
		pass();
		const trigger = new ActiveTrigger(suite.sandbox, { ...PARAMETERS, ...withCosts });
		expect(await trigger.test()).toMatchObject([{ costStatus: 'settling' }]);
	});
});
