/** Some weeks of job runs: every status, region and runtime, and a few that are still active. */
import { RUNTIMES } from '../endpoints/runSchemas';
import type { Model } from '../server/environment';
import { people } from '../model/people';
import type { RunDraft } from '../model/runs';
import type { RunPayload } from '../model/runTypes';
import { DAY_MS } from '../time';
import demo from './demo.json';
import type { Choices } from './random';

const OUTCOMES = [
	...Array<string>(12).fill('COMPLETED'),
	...['FAILED', 'FAILED', 'FAILED', 'CANCELLED', 'TIMED_OUT'],
];

/** The timeout that runs which timed out have used up. */
const TIMEOUT_SECONDS = 600;

/** The last lines of a run that waits for a table that somebody else has locked. */
const HANGING = [
	'matching 1,204 routes',
	'org_catalog.demo.routes is locked by another writer, trying again',
];

function payloadFor(job: string, choices: Choices): Partial<RunPayload> {
	if (choices.next() < 0.2) {
		const mainClass = 'com.example.jobs.Main';
		return { runJar: { uri: `s3://acme-jobs/${job}.jar`, args: ['--full'], mainClass } };
	}
	const day = `2026-${String(choices.between(1, 9)).padStart(2, '0')}-15`;
	return {
		runPython: { uri: `s3://acme-jobs/${job}.py`, args: ['--date', day] },
		environment: {
			sparkDriverDiskGB: 100,
			sparkConfigs: { 'spark.sql.shuffle.partitions': '400' },
			dependencies: [
				{ sourceType: 'PYPI', libraryName: 'rasterio', libraryVersion: '==1.4.3' },
				{ sourceType: 'FILE', filePath: 's3://acme-jobs/lib/common.whl' },
			],
		},
	};
}

export function seedRuns({ store, clock, variants }: Model, choices: Choices): void {
	const now = clock.now();
	const runtimes = RUNTIMES.filter((runtime) => /[a-z]/.test(runtime));
	const count = 260;
	for (let index = 0; index < count; index += 1) {
		const job = choices.of(demo.jobs);
		const ageMs = ((count - index) / count) * 42 * DAY_MS + choices.between(900_000, 3_600_000);
		const outcome = choices.of(OUTCOMES);
		const createTime = Math.round(now - ageMs);
		const payload = payloadFor(job, choices);
		const pendingMs = choices.between(20_000, 90_000);
		const runningMs = choices.between(60_000, TIMEOUT_SECONDS * 1000);
		const failure = outcome === 'FAILED' ? choices.of(demo.failures) : undefined;
		const timedOut = outcome === 'TIMED_OUT';
		const draft: RunDraft = {
			name: `${job}-${new Date(createTime).toISOString().slice(0, 10)}-${index}`,
			region: variants.regions[index % variants.regions.length],
			runtime: runtimes[index % runtimes.length],
			payload: { ...payload, ...(timedOut && { timeoutSeconds: TIMEOUT_SECONDS }) },
			createTime,
			status: outcome,
			plan: {
				pendingMs,
				runningMs: timedOut ? TIMEOUT_SECONDS * 1000 : runningMs,
				message: failure && `Job failed: ${payload.runJar ? failure.jar : failure.python}`,
			},
			triggeredBy: choices.of([people.admin, people.user, people.service]),
		};
		store.createRun(draft);
	}
	const active = (name: string, ageMs: number, plan: RunDraft['plan']) =>
		store.createRun({ name, createTime: now - ageMs, plan, payload: payloadFor(name, choices) });
	active('nightly-mosaic-running', 600_000, { pendingMs: 60_000, runningMs: 1_800_000 });
	active('parcel_join-running', 120_000, { pendingMs: 30_000, runningMs: 900_000, logs: 2_000 });
	store.createRun({
		name: 'hail-report-will-fail',
		createTime: now - 60_000,
		plan: {
			...{ pendingMs: 30_000, runningMs: 240_000, outcome: 'FAILED' },
			message: `Job failed: ${choices.of(demo.failures).python}`,
		},
		payload: { runPython: { uri: 's3://acme-jobs/hail-report.py', args: ['--full'] } },
	});
	active('land-cover-pending', 10_000, { pendingMs: 240_000, runningMs: 600_000 });
	const day = { timeoutSeconds: 86_400 };
	store.createRun({
		name: 'route-matching-hangs',
		createTime: now - 18_000_000,
		plan: { pendingMs: 60_000, runningMs: 80_000_000, logs: HANGING },
		payload: { ...day, runPython: { uri: 's3://acme-jobs/route-matching.py', args: ['--full'] } },
	});
	store.createRun({
		name: 'ingest-roads',
		createTime: now - 1_500_000,
		plan: { pendingMs: 60_000, runningMs: 600_000 },
	});
}
