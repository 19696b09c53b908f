import { clock } from '../../../../nodes/Wherobots/transport/clock';
import { errorOf } from '../../harness';
import { suiteWithSandbox } from '../../harness/suite';
import { ofRun } from '../parameters';

const suite = suiteWithSandbox({ seed: 'empty' });

const get = ofRun('get');

const create = (count: number) =>
	Array.from({ length: count }, () => ({ id: suite.store.createRun().id }));

describe('Job Run: Get', () => {
	it('tells how long a run has been running, or took', async () => {
		const { id } = suite.store.createRun({ plan: { pendingMs: 5_000, runningMs: 60_000 } });
		suite.clock.advance(35_000);
		// Not by n8n's clock.
		clock.now = () => suite.clock.now() + 3_600_000;
		expect((await suite.run(get(id))).json[0].durationSeconds).toBe(30);
		suite.clock.advance(3_600_000);
		expect((await suite.run(get(id))).json[0].durationSeconds).toBe(60);
	});

	it('keeps the order of 60 items, ten at a time, without waiting for slow ones', async () => {
		const input = create(60);
		// The first ones take longest, so the order of arrival would be different.
		for (const [index, { id }] of input.slice(0, 5).entries()) {
			const fault = { kind: 'delay', ms: 1_000 - index * 100 } as const;
			suite.faults.add({ path: new RegExp(id), fault });
		}
		let most = 0;
		suite.requests.listen(() => {
			const open = suite.requests.all().filter(({ status }) => status === undefined);
			most = Math.max(most, open.length);
		});
		const { items } = await suite.run(get('={{ $json.id }}'), { input });
		expect(items.map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual(
			input.map(({ id }, item) => [id, { item }]),
		);
		expect(most).toBeGreaterThan(3);
		expect(most).toBeLessThanOrEqual(10);
	});

	it('sends items that fail to the error output, each with its own reason', async () => {
		const [a, b] = create(2);
		const { items, errors } = await suite.run(get('={{ $json.id }}'), {
			input: [a, { id: 'gone' }, { id: '' }, b, { id: 'a/../b' }],
			onError: 'continueErrorOutput',
		});
		expect(items.map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual([
			[a.id, { item: 0 }],
			[b.id, { item: 3 }],
		]);
		expect(errors.map((item) => [errorOf(item)?.message, item.pairedItem])).toEqual([
			['There is no job run with the ID "gone"', { item: 1 }],
			["'Job Run' must not be empty", { item: 2 }],
			['There is no job run with the ID "a/../b"', { item: 4 }],
		]);
		expect(suite.requests.all().at(-1)?.path).toBe('/runs/a%2F..%2Fb');
	});
});
