import fc from 'fast-check';

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

let jobs = 0;

test('whatever the history of a job, what takes longer than usual comes once, and nothing else', async () => {
	const reported = { yes: 0, no: 0 };
	await fc.assert(
		fc.asyncProperty(histories, async ({ base, growth, weekly, factor, compared, ...history }) => {
			jobs += 1;
			const stem = `job${[...String(jobs)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`;
			const trigger = await active({
				...{ event: 'runExceededDuration', pendingMinutes: 0, runningMinutes: 0, factor },
				...{ options: { comparedRuns: compared }, filters: { name: `${stem}*` } },
			});
			const [completed, due]: [number[], string[]] = [[], []];
			for (const [day, { noise, outlier, fails }] of history.jobs.entries()) {
				const usual = base * growth ** day * (day % 7 === 0 ? weekly : 1);
				// The sandbox ends runs after an hour.
				const runningMs = Math.min(55 * MINUTE, Math.round(usual * noise * outlier * MINUTE));
				const plan = { pendingMs: 0, runningMs, ...(fails && { outcome: 'FAILED' as const }) };
				const { id } = suite.store.createRun({ name: `${stem}-${day + 2}`, plan });
				const past = completed.slice(-compared);
				const isLong = past.length >= 5 && runningMs > factor * computeMedian(past);
				if (isLong) due.push(`run/${id}/exceeded/RUNNING`);
				reported[isLong ? 'yes' : 'no'] += 1;
				if (!fails) completed.push(runningMs);
				for (let at = 0; at < runningMs + 5 * MINUTE; at += 4 * MINUTE) {
					await trigger.poll();
					pass(4 * MINUTE);
				}
				// What was read in the last hour counts.
				pass(70 * MINUTE);
			}
			await trigger.poll();
			const items = trigger.take();
			expect(items.map(({ eventId }) => eventId)).toEqual(due);
			for (const { minutes, limitMinutes } of items) {
				expect(minutes).toBeGreaterThanOrEqual(Math.floor(Number(limitMinutes)));
			}
		}),
		{ numRuns: 6, endOnFailure: true },
	);
	expect(Math.min(reported.yes, reported.no)).toBeGreaterThan(10);
});
