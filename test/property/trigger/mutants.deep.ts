import * as fc from 'fast-check';

import type * as AuditPolling from '../../../nodes/Wherobots/trigger/core/audit/auditPoll';
import type * as RunPolling from '../../../nodes/Wherobots/trigger/core/runs/runPoll';
import { SEED, STEPS } from './histories';
import { auditHistories, AuditTrial, type AuditHistory } from './model/auditHistory';
import { mutants, present, type Core, type Mutant } from './model/plantedMistakes';
import { runHistories, RunTrial, type RunHistory } from './model/runHistory';

const FOLDER = '../../../nodes/Wherobots/trigger/core';

/** A module of the core with a mistake somewhere below it. */
function withMistake<T>(name: string, { module, mutate }: Mutant): T {
	let loaded: unknown;
	jest.isolateModules(() => {
		const actual: object = jest.requireActual(`${FOLDER}/${module}`);
		jest.doMock(`${FOLDER}/${module}`, () => ({ ...actual, ...mutate(actual as never) }));
		loaded = jest.requireActual(`${FOLDER}/${name}`);
	});
	jest.dontMock(`${FOLDER}/${module}`);
	return loaded as T;
}

/** The first history in which a mistake is noticed, or the word that there is none. */
async function problemWith(
	core: Core,
	mutant: Mutant,
	numRuns = mutant.isRare ? 10_000 : 1_000,
): Promise<string> {
	const enough = { numRuns, endOnFailure: true, seed: SEED };
	if (core === 'runs') {
		const mistaken = withMistake<typeof RunPolling>('runs/runPoll', mutant);
		const live = async (history: RunHistory) => await lived(new RunTrial(mistaken, history));
		const { failed, errorInstance } = await fc.check(
			fc.asyncProperty(runHistories(STEPS), live),
			enough,
		);
		return failed ? String(errorInstance) : 'none';
	}
	const mistaken = withMistake<typeof AuditPolling>('audit/auditPoll', mutant);
	const live = async (history: AuditHistory) => await lived(new AuditTrial(mistaken, history));
	const { failed, errorInstance } = await fc.check(
		fc.asyncProperty(auditHistories(STEPS), live),
		enough,
	);
	return failed ? String(errorInstance) : 'none';
}

async function lived(trial: RunTrial | AuditTrial): Promise<void> {
	trial.onPoll = (now) => (present.time = now);
	await trial.run();
}

const cases = mutants.flatMap((mutant) =>
	(mutant.only ? [mutant.only] : (['runs', 'audit'] as const)).map((core) => ({ ...mutant, core })),
);

test.each(cases)(
	'$mistake: noticed in the histories of $core',
	async ({ core, ...mutant }) => {
		expect(await problemWith(core, mutant)).toMatch(
			/never given|times$|gave|settled|not there|got going/,
		);
	},
	600_000,
);

test.each(['runs', 'audit'] as const)(
	'without a mistake the same histories of %s pass',
	async (core) => {
		const none = { mistake: 'none', module: 'watermark', mutate: () => ({}) };
		expect(await problemWith(core, none, 20)).toBe('none');
	},
);
