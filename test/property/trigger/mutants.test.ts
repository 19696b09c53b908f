import * as fc from 'fast-check';

import type * as AuditPolling from '../../../nodes/Wherobots/trigger/core/auditPoll';
import type * as Watermark from '../../../nodes/Wherobots/trigger/core/watermark';
import type * as RunPolling from '../../../nodes/Wherobots/trigger/core/runPoll';
import type * as ReadPages from '../../../nodes/Wherobots/trigger/core/readPages';
import { STEPS } from './histories';
import { auditHistories, AuditTrial } from './model/auditHistory';
import { runHistories, RunTrial } from './model/runHistory';

/**
 * The mistakes that a trigger is likely to make, planted one at a time: a property that lets one of
 * them pass proves nothing. `mutants` replace the module of the same name.
 */
const mutants: Array<{ mistake: string; module: 'watermark' | 'readPages'; mutate: Mutate }> = [
	{
		mistake: 'no overlap: records that appear late are forgotten',
		module: 'watermark',
		mutate: (actual: typeof Watermark) => ({
			...actual,
			nextWatermark: (watermark: number, reading: Watermark.Reading) =>
				actual.nextWatermark(watermark, reading, 0),
		}),
	},
	{
		mistake: 'a failed page counts as the end of the list',
		module: 'readPages',
		mutate: (actual: typeof ReadPages) => ({
			...actual,
			readPages: async (plan: ReadPages.PagedRead<unknown>): Promise<ReadPages.PagedReadResult> => {
				const now = plan.source.now();
				const end: ReadPages.PagedReadResult = {
					kind: 'complete',
					pages: 1,
					startedAt: now,
					newest: now,
				};
				return await actual.readPages(plan).catch(() => end);
			},
		}),
	},
	{
		mistake: 'a list cut short counts as a whole one',
		module: 'readPages',
		mutate: (actual: typeof ReadPages) => ({
			...actual,
			readPages: async (plan: ReadPages.PagedRead<unknown>): Promise<ReadPages.PagedReadResult> => {
				const read = await actual.readPages(plan);
				return read.kind === 'truncated' ? { kind: 'complete', pages: 1, ...read.resume } : read;
			},
		}),
	},
	{
		mistake: 'the watermark goes to the present instead of the newest record',
		module: 'watermark',
		mutate: (actual: typeof Watermark) => ({
			...actual,
			nextWatermark: (_floor: number, reading: Watermark.Reading) => reading.startedAt,
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
		const core = withMistake<typeof RunPolling>('runPoll', mutant);
		const property = fc.asyncProperty(runHistories(STEPS), async (history) => {
			await new RunTrial(core, history).run();
		});
		expect((await fc.check(property, ENOUGH)).failed).toBe(true);
	});

	test('is noticed in the histories of the audit log', async () => {
		const core = withMistake<typeof AuditPolling>('auditPoll', mutant);
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
	const core = withMistake<typeof RunPolling>('runPoll', none);
	const property = fc.asyncProperty(runHistories(STEPS), async (history) => {
		await new RunTrial(core, history).run();
	});
	expect((await fc.check(property, { ...ENOUGH, numRuns: 20 })).failed).toBe(false);
});
