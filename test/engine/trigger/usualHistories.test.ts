import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import { suiteWithTrigger } from '../harness/polling';

const MINUTE = 60_000;

const { suite, pass, active } = suiteWithTrigger({});

/** Work that grows or shrinks, takes longer one day a week, varies, and fails now and then. */
const histories = fc.record({
	base: fc.integer({ min: 4, max: 9 }),
	growth: fc.double({ min: 0.97, max: 1.04, noNaN: true }),
	weekly: fc.constantFrom(1, 1.5, 3),
	factor: fc.constantFrom(1.2, 1.5, 2, 2.5),
	compared: fc.integer({ min: 5, max: 20 }),
	jobs: fc.array(
		fc.record({
			noise: fc.double({ min: 0.7, max: 1.4, noNaN: true }),
			outlier: fc.constantFrom(1, 1, 1, 1, 0.2, 4),
			fails: fc.constantFrom(false, false, false, true),
		}),
		{ minLength: 12, maxLength: 30 },
	),
});

function computeMedian(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const { length } = sorted;
	return (sorted[Math.floor((length - 1) / 2)] + sorted[Math.floor(length / 2)]) / 2;
}

/** A long day every week, and an outlier. */
const season = {
	...{ base: 5, growth: 1, weekly: 3, factor: 2, compared: 5 },
	jobs: Array.from({ length: 12 }, (_, day) => ({
		...{ noise: 1, outlier: day === 9 ? 4 : 1, fails: day === 10 },
	})),
};

/** The sandbox ends runs after an hour. */
const LONGEST = 55 * MINUTE;

interface Kind {
	event: string;
	settings: INodeParameters;
	/** The fields of what a run took or cost, and of the limit. */
	fields: [shown: string, limit: string];
	/** For how long it is certain only later, or its cost not final, in milliseconds. */
	lateMs: number;
	everyMs: number;
	/** How many random histories, beside the season. */
	numRuns: number;
	/** Starts a run of so many milliseconds, or of a cost in proportion, and returns the ID of its event. */
	start(work: string, day: number, amount: number, fails: boolean): string;
}

const durations = { pendingMinutes: 0, runningMinutes: 0 };

const usually = { lateMs: 5 * MINUTE, everyMs: 4 * MINUTE, numRuns: 3 };

function startJob(work: string, day: number, amount: number, fails: boolean): string {
	const plan = { pendingMs: 0, runningMs: amount, ...(fails && { outcome: 'FAILED' as const }) };
	return `run/${suite.store.createRun({ name: `${work}-${day + 2}`, plan }).id}`;
}

function startTask(taskName: string, amount: number, fails: boolean, cost?: string): string {
	Object.assign(suite.timings, { pendingMs: 0, runningMs: amount, costSettlingMs: 20 * MINUTE });
	const run = suite.store.tasks.createRun({ taskName, ...(cost && { cost }) });
	if (fails) Object.assign(run.transitions.at(-1)!, { state: 'FAILED' });
	return `taskRun/${run.taskRunId}`;
}

const kinds: Record<string, Kind> = {
	'durations of job runs': {
		...{ ...usually, event: 'runExceededDuration', settings: durations, numRuns: 6 },
		fields: ['minutes', 'limitMinutes'],
		start: (...job) => `${startJob(...job)}/exceeded/RUNNING`,
	},
	'costs of job runs': {
		...{ ...usually, event: 'runExceededCost', settings: { costLimit: '0' } },
		fields: ['cost', 'costLimit'],
		start: (...job) => `${startJob(...job)}/cost`,
	},
	'durations of task runs': {
		...{ ...usually, event: 'taskRunExceededDuration', settings: durations },
		fields: ['minutes', 'limitMinutes'],
		start: (work, _day, amount, fails) => `${startTask(work, amount, fails)}/exceeded/RUNNING`,
	},
	'costs of task runs': {
		...{ ...usually, event: 'taskRunExceededCost', settings: { costLimit: '0' } },
		...{ lateMs: 36 * MINUTE, everyMs: 12 * MINUTE },
		fields: ['cost', 'costLimit'],
		start: (work, _day, amount, fails) =>
			`${startTask(work, MINUTE, fails, String(amount / MINUTE))}/cost`,
	},
};

const { seed = Date.now() % 2 ** 31 } = fc.readConfigureGlobal() as { seed?: number };

let works = 0;

describe.each(Object.entries(kinds))('whatever the history, of %s', (_name, kind) => {
	const { event, settings, fields, lateMs, everyMs, numRuns } = kind;
	const [shown, limit] = fields;
	const chosen = [season, ...fc.sample(histories, { numRuns, seed })];
	const reported = { yes: 0, no: 0 };

	test.each(chosen.map((history, number) => ({ ...history, number })))(
		`what is above what is usual comes once, and nothing else (seed ${seed}, history $number)`,
		async ({ base, growth, weekly, factor, compared, jobs }) => {
			works += 1;
			const digits = [...String(works)].map((digit) => 'abcdefghij'[Number(digit)]);
			const work = `work${digits.join('')}`;
			const options = { comparedRuns: compared };
			const trigger = await active({ event, ...settings, factor, options });
			const [completed, due]: [number[], string[]] = [[], []];
			for (const [day, { noise, outlier, fails }] of jobs.entries()) {
				const usual = base * growth ** day * (day % 7 === 0 ? weekly : 1);
				const amount = Math.min(LONGEST, Math.round(usual * noise * outlier * MINUTE));
				const eventId = kind.start(work, day, amount, fails);
				const past = completed.slice(-compared);
				const isMuch = past.length >= 5 && amount > factor * computeMedian(past);
				if (isMuch) due.push(eventId);
				reported[isMuch ? 'yes' : 'no'] += 1;
				if (!fails) completed.push(amount);
				for (let at = 0; at < amount + lateMs; at += everyMs) {
					await trigger.poll();
					pass(everyMs);
				}
				// What was read in the last hour counts.
				pass(70 * MINUTE);
			}
			await trigger.poll();
			const items = trigger.take();
			expect(items.map((item) => item.eventId)).toEqual(due);
			expect(trigger.errors).toEqual([]);
			for (const item of items) {
				// Whole minutes.
				expect(Number(item[shown])).toBeGreaterThanOrEqual(
					shown === 'minutes' ? Math.floor(Number(item[limit])) : Number(item[limit]),
				);
			}
		},
	);

	test('some are above, and some are not', () => {
		expect(Math.min(reported.yes, reported.no)).toBeGreaterThan(1);
	});
});
