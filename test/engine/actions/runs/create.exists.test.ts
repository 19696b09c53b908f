/** "If a Run With This Name Exists". */
import { until } from '../../../support/until';
import { suiteWithSandbox } from '../../harness/suite';
import { pythonRun } from '../parameters';

const suite = suiteWithSandbox({ seed: 'empty' });

const HOUR_MS = 3_600_000;
const runs = () => suite.store.runs.all();
const useActive = { ...pythonRun, ifNameExists: 'useActive' };
const useAny = { ...pythonRun, ifNameExists: 'useAny', nameExistsHours: 12 };

const submit = async (parameters: object) => {
	const { json } = await suite.succeeds({ ...pythonRun, ...parameters });
	return json[0];
};

describe('using a run while it is active', () => {
	it('uses a run of exactly this name and no other', async () => {
		const first = await submit(useActive);
		await submit({ name: 'nightly-etl-2026-b' });
		expect(await submit(useActive)).toMatchObject({ id: first.id, reused: true });

		suite.clock.advance(HOUR_MS);
		const later = await submit(useActive);
		expect(later.id).not.toBe(first.id);
		expect(later.reused).toBe(false);
	});

	it('says so when a list may lack the run', async () => {
		suite.store.createRun({ name: 'nightly-etl-2026', status: 'COMPLETED' });
		suite.edits('listRuns', (page: object) => ({ ...page, total: 250, next_page: null }));
		const { json, hints } = await suite.run(useActive);
		expect(json[0].reused).toBe(false);
		expect(hints).toEqual([expect.stringContaining('this run may be a duplicate')]);
	});

	it('submits one run for executions at the same moment', async () => {
		const results = await Promise.all([submit(useActive), submit(useActive), submit(useActive)]);
		expect(runs()).toHaveLength(1);
		expect(results.map(({ reused }) => reused).sort()).toEqual([false, true, true]);
	});

	it('submits one run for three items when lists and records lag', async () => {
		suite.variants.runListLagMs = 60_000;
		suite.variants.runReadLagMs = 30_000;
		const { json } = await suite.run(useActive, { input: [{ n: 1 }, { n: 2 }, { n: 3 }] });
		expect(runs()).toHaveLength(1);
		expect(json.map(({ id, reused }) => [id, reused])).toEqual([
			[runs()[0].id, false],
			[runs()[0].id, true],
			[runs()[0].id, true],
		]);
	});

	it('submits another when the earlier one has ended, even when lists lag', async () => {
		suite.variants.runListLagMs = HOUR_MS;
		await submit(useActive);
		suite.clock.advance(60_000);
		expect((await submit(useActive)).reused).toBe(false);
		expect(runs()).toHaveLength(2);
	});

	it('does not hold up executions for other names while one is waiting', async () => {
		suite.fails('createRun', { kind: 'delay', ms: 3_000 }, { times: 1 });
		const order: unknown[] = [];
		const note = async (name: string) => order.push((await submit({ ...useActive, name })).name);
		const held = note('nightly-etl-a');
		await until(() => suite.requests.of('createRun').length > 0);
		await Promise.all([held, note('nightly-etl-b')]);
		expect(order).toEqual(['nightly-etl-b', 'nightly-etl-a']);
	});

	it('submits nothing when the runs with this name cannot be listed', async () => {
		suite.fails('listRuns', 403);
		expect((await suite.run(useActive)).error?.httpCode).toBe('403');
		expect(runs()).toHaveLength(0);
	});
});

describe('using a run whatever became of it', () => {
	const existing = (status: string, hoursAgo: number) =>
		suite.store.createRun({
			name: 'nightly-etl-2026',
			status,
			createTime: suite.clock.now() - hoursAgo * HOUR_MS,
		});

	it.each(['FAILED', 'CANCELLED', 'TIMED_OUT'])(
		'uses a %s run only if that is chosen',
		async (status) => {
			const { id } = existing(status, 1);
			expect(await submit({ ...useAny, ifExistingFailed: 'use' })).toMatchObject({
				id,
				reused: true,
			});
			expect((await submit(useAny)).reused).toBe(false);
		},
	);

	it('prefers an active run to a completed one, and that to a failed one', async () => {
		const parameters = { ...useAny, ifExistingFailed: 'use' };
		const active = existing('RUNNING', 3);
		const completed = existing('COMPLETED', 2);
		existing('FAILED', 1);
		expect((await submit(parameters)).id).toBe(active.id);
		suite.store.moveRun(active.id, 'CANCELLED');
		expect((await submit(parameters)).id).toBe(completed.id);
	});

	it('submits once for repeated executions when lists lag', async () => {
		suite.variants.runListLagMs = 60_000;
		for (let count = 0; count < 5; count++) {
			await submit(useAny);
			suite.clock.advance(60_000);
		}
		expect(runs()).toHaveLength(1);
	});
});
