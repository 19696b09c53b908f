import { jobRuns } from '../../../../../nodes/Wherobots/trigger/serviceSource';
import {
	exceedingRuns,
	type DurationLimits,
} from '../../../../../nodes/Wherobots/trigger/core/runs/runDurations';
import { pollRuns } from '../../../../../nodes/Wherobots/trigger/core/runs/runPoll';
import { TrackedRuns } from '../../../../../nodes/Wherobots/trigger/core/runs/trackedRuns';
import type { RunSource } from '../../../../../nodes/Wherobots/trigger/core/source';
import {
	newRunState,
	readState,
	type RunState,
} from '../../../../../nodes/Wherobots/trigger/core/state';
import type { Run } from '../../../../../nodes/Wherobots/service/types';

const START = Date.parse('2026-03-10T12:00:00Z') * 1000;
const MINUTE = 60_000_000;
const unlimited = { spent: () => false };
const OVERLAP = jobRuns.overlap;
const limits = { PENDING: 5 * MINUTE, RUNNING: 10 * MINUTE };
const iso = (time: number) => new Date(time / 1000).toISOString();

/** A service whose responses have a `Date` header only if `dateAhead` is set. */
class Service {
	now = START;

	/** Minutes by which n8n's clock is ahead. */
	skew = 0;

	/** Minutes by which the service's clock is ahead, when its responses tell the time. */
	dateAhead: number | undefined;

	runs: Run[] = [];

	/** Runs that lists do not show. */
	unlisted: Run[] = [];

	/** How many minutes it takes to read a single run. */
	slowness = 0;

	/** Undefined when the workflow is being published. */
	state: RunState | undefined = newRunState('scope', START - 60 * MINUTE, []);

	create(id: string, status: string): Run {
		const run = { id, name: id, status, createTime: iso(this.now) } as Run;
		if (status === 'RUNNING') run.startTime = run.createTime;
		this.runs.push(run);
		return run;
	}

	/** What a poll reports after this many minutes. */
	async poll(minutes = 1): Promise<string[]> {
		this.now += minutes * MINUTE;
		const source: RunSource<Run> = {
			kind: jobRuns,
			now: () => this.now + (this.dateAhead ?? this.skew) * MINUTE,
			knowsTime: () => this.dateAhead !== undefined,
			localNow: () => this.now + this.skew * MINUTE,
			broken: (what) => new Error(what),
			maySuspectCursor: () => false,
			runs: async () => await Promise.resolve({ items: this.runs.map((run) => ({ ...run })) }),
			run: async (id) => {
				this.now += this.slowness * MINUTE;
				return await Promise.resolve([...this.runs, ...this.unlisted].find((run) => run.id === id));
			},
		};
		const polled = await pollRuns(this.state, 'scope', source, unlimited, limits);
		expect(readState(JSON.parse(JSON.stringify(polled.state)))).toMatchObject({ kind: 'state' });
		this.state = polled.state;
		return polled.exceeded.map(({ run, status, duration }) => {
			return `${run.id} ${status} ${Math.floor(duration / MINUTE)}`;
		});
	}
}

let service: Service;

beforeEach(() => {
	service = new Service();
});

test.each([
	['without a Date header', undefined],
	['with a correct one', 0],
	['with one that is days ahead', 3 * 1440],
	['with one that is years ahead', 1_000 * 1440],
])('a run is reported when it is due and not before, with a service %s', async (_, dateAhead) => {
	service.dateAhead = dateAhead;
	service.create('long', 'RUNNING');
	for (let minute = 1; minute <= 15; minute++) expect(await service.poll()).toEqual([]);
	expect(await service.poll()).toEqual(['long RUNNING 16']);
	expect(await service.poll()).toEqual([]);
});

test.each([0, -15])(
	"with n8n's clock off by %d minutes, a run that has exceeded a limit and ended is reported once",
	async (skew) => {
		service.skew = skew;
		const run = service.create('ended', 'RUNNING');
		await service.poll();
		service.now += 12 * MINUTE;
		Object.assign(run, { status: 'COMPLETED', completeTime: iso(service.now) });
		expect(await service.poll()).toEqual(['ended RUNNING 13']);
		Object.assign(run, { status: 'FAILED' });
		expect(await service.poll()).toEqual([]);
	},
);

test('a run that was reported while it was running is not reported again when it ends', async () => {
	const run = service.create('long', 'RUNNING');
	await service.poll();
	expect(await service.poll(16)).toHaveLength(1);
	Object.assign(run, { status: 'COMPLETED', completeTime: iso(service.now) });
	expect(await service.poll()).toEqual([]);
});

test('a run that was pending for too long but started before the next poll is reported by that poll, and not again when it ends', async () => {
	service.dateAhead = 0;
	const run = service.create('late', 'PENDING');
	expect(await service.poll(4.5)).toEqual([]);
	service.now += MINUTE;
	Object.assign(run, { status: 'RUNNING', startTime: iso(service.now) });
	expect(await service.poll(0.5)).toEqual(['late PENDING 5']);
	expect(await service.poll(1)).toEqual([]);
	Object.assign(run, { status: 'COMPLETED', completeTime: iso(service.now) });
	expect(await service.poll()).toEqual([]);
});

test('a run is judged by when it was shown, not by when the poll ended', async () => {
	service.dateAhead = 0;
	const long = service.create('long', 'RUNNING');
	service.create('other', 'QUEUED');
	expect(await service.poll()).toEqual([]);
	service.unlisted = service.runs.splice(1);
	service.slowness = 0.6;
	expect(await service.poll(8.5)).toEqual([]);
	// It ended while the other one was being read.
	Object.assign(long, { status: 'COMPLETED', completeTime: iso(START + 9.8 * MINUTE) });
	expect(await service.poll()).toEqual([]);
});

test('a run that left a status in time is not reported when a replica still shows it there', async () => {
	service.dateAhead = 0;
	const run = service.create('quick', 'PENDING');
	expect(await service.poll(1)).toEqual([]);
	const stale = { ...run };
	service.now += 2 * MINUTE;
	Object.assign(run, { status: 'RUNNING', startTime: iso(service.now) });
	const fresh = service.runs;
	service.runs = [stale];
	// Three minutes after its start, and six after its creation, a replica does not know yet that it started.
	expect(await service.poll(3)).toEqual([]);
	service.runs = fresh;
	expect(await service.poll(1)).toEqual([]);
});

test('a run that had been pending for too long before the workflow was published is not reported when it ends', async () => {
	Object.assign(service, { dateAhead: 0, state: undefined });
	const run = service.create('old', 'RUNNING');
	Object.assign(run, { createTime: iso(START - 30 * MINUTE), startTime: iso(START) });
	expect(await service.poll()).toEqual([]);
	service.now += MINUTE;
	Object.assign(run, { status: 'COMPLETED', completeTime: iso(service.now) });
	expect(await service.poll()).toEqual([]);
});

/** A run with these times, in minutes after the start. */
function runWith(status: string, times: Record<string, number>): Run {
	const texts = Object.entries(times).map(([name, minutes]) => [
		name,
		iso(START + minutes * MINUTE),
	]);
	return { id: 'run', status, ...Object.fromEntries(texts) } as Run;
}

describe('a run that is in a status', () => {
	/** By how much a run exceeds the limit of its status, this long after it could have reached that. */
	function excess(run: Run, after: number, seen = [run.status]): number[] {
		const limit = limits[run.status as keyof typeof limits];
		const tracked = new TrackedRuns(jobRuns, seen.length > 0 ? [[run.id, START, seen]] : []);
		const exceeding = exceedingRuns(
			tracked,
			[{ run, at: START + limit + OVERLAP + after }],
			limits,
			jobRuns,
		);
		return exceeding.map(({ duration }) => duration - limit - OVERLAP);
	}

	test.each([
		['pending run counts from its creation', 'PENDING', { createTime: 0 }],
		[
			'pending run counts from its creation even with a start',
			'PENDING',
			{ createTime: 0, startTime: 3 },
		],
		['running run counts from its start', 'RUNNING', { createTime: -30, startTime: 0 }],
		['running run without a start counts from its creation', 'RUNNING', { createTime: 0 }],
	])('a %s, and may last as long as the limit says', (_, status, times) => {
		const run = runWith(status, times as Record<string, number>);
		expect(excess(run, 0)).toEqual([]);
		expect(excess(run, 1)).toEqual([1]);
	});

	test('counts from its creation when its start is not a time', () => {
		const run = { ...runWith('RUNNING', { createTime: 0 }), startTime: 'soon' };
		expect(excess(run, 1)).toEqual([1]);
	});

	test('is not reported as pending by a list that is behind', () => {
		expect(excess(runWith('PENDING', { createTime: 0 }), MINUTE, ['RUNNING'])).toEqual([]);
	});

	test('is not reported when it is not tracked or has no times', () => {
		expect(excess(runWith('PENDING', { createTime: 0 }), MINUTE, [])).toEqual([]);
		expect(excess(runWith('PENDING', {}), MINUTE)).toEqual([]);
	});
});

/** What is reported about a run that has left a status, with its minutes in that status. */
function passed(run: Run, allowed: DurationLimits): string[] {
	const tracked = new TrackedRuns(jobRuns, [[run.id, START, [run.status]]]);
	const changes = [{ run, previousStatus: null }];
	const passing = exceedingRuns(tracked, [{ run, at: START }], allowed, jobRuns, changes);
	return passing.map(({ status, duration }) => `${status} ${duration / MINUTE}`);
}

test.each([
	['is reported for no limit that it reached exactly', { startTime: 5, completeTime: 15 }, []],
	['is reported for each limit', { startTime: 6, completeTime: 17 }, ['PENDING 6', 'RUNNING 11']],
	['was pending all along if it never started', { completeTime: 60 }, ['PENDING 60']],
])('a run that ended %s', (_, times, expected) => {
	const run = runWith('CANCELLED', { createTime: 0, ...times } as Record<string, number>);
	expect(passed(run, limits)).toEqual(expected);
});

test('a run that ended is not reported for a status without a limit, nor without its creation time', () => {
	const times = { startTime: 60, completeTime: 61 };
	const { RUNNING } = limits;
	expect(passed(runWith('FAILED', { createTime: 0, ...times }), { RUNNING })).toEqual([]);
	expect(passed(runWith('FAILED', times), limits)).toEqual([]);
});

test('a run that is still pending has not left that status, whatever its start says', () => {
	expect(passed(runWith('PENDING', { createTime: 0, startTime: 60 }), limits)).toEqual([]);
});
