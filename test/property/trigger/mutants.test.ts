import * as fc from 'fast-check';

import type * as AuditWatch from '../../../nodes/Wherobots/trigger/core/auditPoll';
import type * as Frontier from '../../../nodes/Wherobots/trigger/core/watermark';
import type * as RunWatch from '../../../nodes/Wherobots/trigger/core/runPoll';
import type * as Sweep from '../../../nodes/Wherobots/trigger/core/readList';
import { STEPS } from './histories';
import { auditHistories, AuditTrial } from './model/auditHistory';
import { runHistories, RunTrial } from './model/runHistory';

/**
 * The mistakes that a trigger is likely to make, planted one at a time: a property that lets one of
 * them pass proves nothing. `mutants` replace the module of the same name.
 */
const mutants: Array<{ mistake: string; module: 'watermark' | 'readList'; mutate: Mutate }> = [
	{
		mistake: 'no overlap: records that appear late are forgotten',
		module: 'watermark',
		mutate: (actual: typeof Frontier) => ({
			...actual,
			nextFloor: (floor: number, reading: Frontier.Reading) => actual.nextFloor(floor, reading, 0),
		}),
	},
	{
		mistake: 'a failed page counts as the end of the list',
		module: 'readList',
		mutate: (actual: typeof Sweep) => ({
			...actual,
			sweep: async (plan: Sweep.SweepPlan<unknown>): Promise<Sweep.Swept> => {
				const now = plan.source.now();
				const end: Sweep.Swept = { kind: 'complete', pages: 1, begun: now, newest: now };
				return await actual.sweep(plan).catch(() => end);
			},
		}),
	},
	{
		mistake: 'a list cut short counts as a whole one',
		module: 'readList',
		mutate: (actual: typeof Sweep) => ({
			...actual,
			sweep: async (plan: Sweep.SweepPlan<unknown>): Promise<Sweep.Swept> => {
				const swept = await actual.sweep(plan);
				return swept.kind === 'truncated' ? { kind: 'complete', pages: 1, ...swept.resume } : swept;
			},
		}),
	},
	{
		mistake: 'the floor goes to the present instead of the newest record',
		module: 'watermark',
		mutate: (actual: typeof Frontier) => ({
			...actual,
			nextFloor: (_floor: number, reading: Frontier.Reading) => reading.begun,
		}),
	},
];

type Mutate = (actual: never) => object;

const FOLDER = '../../../nodes/Wherobots/trigger/core';
const ENOUGH = { numRuns: 500, endOnFailure: true, seed: 1 };

/** A module of the core with a mistake somewhere below it. */
function withMistake<T>(name: string, { module, mutate }: (typeof mutants)[number]): T {
	let loaded: unknown;
	jest.isolateModules(() => {
		jest.doMock(`${FOLDER}/${module}`, () =>
			mutate(jest.requireActual<never>(`${FOLDER}/${module}`)),
		);
		loaded = jest.requireActual(`${FOLDER}/${name}`);
	});
	jest.dontMock(`${FOLDER}/${module}`);
	return loaded as T;
}

describe.each(mutants)('$mistake', (mutant) => {
	test('is noticed in the histories of runs', async () => {
		const core = withMistake<typeof RunWatch>('runPoll', mutant);
		const property = fc.asyncProperty(runHistories(STEPS), async (history) => {
			await new RunTrial(core, history).run();
		});
		expect((await fc.check(property, ENOUGH)).failed).toBe(true);
	});

	test('is noticed in the histories of the audit log', async () => {
		const core = withMistake<typeof AuditWatch>('auditPoll', mutant);
		const property = fc.asyncProperty(auditHistories(STEPS), async (history) => {
			await new AuditTrial(core, history).run();
		});
		expect((await fc.check(property, ENOUGH)).failed).toBe(true);
	});
});

test('without a mistake the same histories pass', async () => {
	const none = {
		mistake: 'none',
		module: 'watermark' as const,
		mutate: (actual: object) => actual,
	};
	const core = withMistake<typeof RunWatch>('runPoll', none);
	const property = fc.asyncProperty(runHistories(STEPS), async (history) => {
		await new RunTrial(core, history).run();
	});
	expect((await fc.check(property, { ...ENOUGH, numRuns: 20 })).failed).toBe(false);
});
