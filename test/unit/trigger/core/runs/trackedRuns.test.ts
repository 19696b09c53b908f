import { jobRuns } from '../../../../../nodes/Wherobots/trigger/serviceSource';
import type { Run } from '../../../../../nodes/Wherobots/service/types';
import {
	isUsable,
	TrackedRuns,
} from '../../../../../nodes/Wherobots/trigger/core/runs/trackedRuns';
import type { TrackedRun } from '../../../../../nodes/Wherobots/trigger/core/state';
import {
	MAX_REMEMBERED,
	MINUTE,
	SECOND,
} from '../../../../../nodes/Wherobots/trigger/core/watermark';

const ENDS = ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'];
const NOW = Date.parse('2026-03-10T12:00:00Z') * 1000;

function run(status: string, time?: number, id = 'a'): Run {
	const createTime = time === undefined ? undefined : new Date(time / 1000).toISOString();
	return { id, status, createTime } as Run;
}

/** The statuses that come as changes when a run is shown with one after the other. */
function changesOf(...statuses: string[]): string[] {
	const runs = new TrackedRuns(jobRuns);
	return statuses.filter(
		(status) => runs.observe(jobRuns.read(run(status, NOW - MINUTE)), NOW) !== undefined,
	);
}

describe('what is a change', () => {
	test.each([
		['each status once', ['PENDING', 'RUNNING', 'COMPLETED'], ['PENDING', 'RUNNING', 'COMPLETED']],
		['not the same one again', ['RUNNING', 'RUNNING'], ['RUNNING']],
		['not that a running one is pending', ['RUNNING', 'PENDING'], ['RUNNING']],
		['not that an ended one goes on', ['COMPLETED', 'RUNNING'], ['COMPLETED']],
		[
			'not that an ended one goes on, whatever it was before',
			['PENDING', 'FAILED', 'RUNNING'],
			['PENDING', 'FAILED'],
		],
		['another end', ['FAILED', 'COMPLETED'], ['FAILED', 'COMPLETED']],
		[
			'a status that nobody has heard of',
			['PENDING', 'PAUSED', 'RUNNING'],
			['PENDING', 'PAUSED', 'RUNNING'],
		],
		['a pending one after an unknown status', ['PAUSED', 'PENDING'], ['PAUSED', 'PENDING']],
	])('%s', (_, shown, changes) => {
		expect(changesOf(...shown)).toEqual(changes);
	});

	test('of a kind of run with other statuses: none comes after a later one', () => {
		const active = ['PENDING', 'SUBMITTED', 'RUNNING', 'CANCELLING'];
		const runs = new TrackedRuns({ active, terminal: ['SUCCEEDED'] });
		const shown = ['SUBMITTED', 'PENDING', 'CANCELLING', 'RUNNING', 'SUCCEEDED', 'CANCELLING'];
		const changes = shown.filter((status) => runs.observe({ id: 'a', status }, NOW) !== undefined);
		expect(changes).toEqual(['SUBMITTED', 'CANCELLING', 'SUCCEEDED']);
	});

	test('statuses that a service invents come sixteen times, and the end still comes', () => {
		const invented = Array.from({ length: 20 }, (_, index) => `STATUS_${index}`);
		expect(changesOf(...invented, 'COMPLETED')).toEqual([...invented.slice(0, 16), 'COMPLETED']);
	});

	test('a change names the status before it', () => {
		const runs = new TrackedRuns(jobRuns);
		expect(runs.observe(jobRuns.read(run('PENDING', NOW)), NOW)).toBeNull();
		expect(runs.observe(jobRuns.read(run('RUNNING', NOW)), NOW)).toBe('PENDING');
	});
});

test('the newest run comes first among the newest', () => {
	const entry = (id: string, created: number): TrackedRun => [id, created, ['RUNNING']];
	const runs = new TrackedRuns(jobRuns, [
		entry('b', NOW - 2),
		entry('a', NOW - 3),
		entry('c', NOW - 1),
	]);
	expect(runs.newestIds(2)).toEqual(['c', 'b']);
});

describe('what is remembered', () => {
	const OLD = NOW - 60 * MINUTE;

	test('of a run that ends: how it ended', () => {
		const runs = new TrackedRuns(jobRuns);
		runs.observe(jobRuns.read(run('PENDING', OLD)), NOW - 2 * MINUTE);
		runs.observe(jobRuns.read(run('RUNNING', OLD)), NOW - MINUTE);
		runs.observe(jobRuns.read(run('FAILED', OLD)), NOW);
		runs.observe(jobRuns.read(run('COMPLETED', OLD)), NOW + MINUTE);
		expect(runs.entries(OLD)).toEqual([['a', OLD, ['FAILED', 'COMPLETED']]]);
	});

	test('an ended run that the next list shows, from its first moment on', () => {
		const entries: TrackedRun[] = [
			['a', NOW, ['COMPLETED']],
			['b', NOW - 1, ['COMPLETED']],
			['c', NOW - 1, ['RUNNING']],
		];
		expect(new TrackedRuns(jobRuns, entries).entries(NOW)).toEqual([entries[0], entries[2]]);
	});

	test('which limits an active run has exceeded, and of an ended one no longer', () => {
		const runs = new TrackedRuns(jobRuns, [['a', OLD, ['PENDING']]]);
		expect(runs.noteExceeded('a', 'PENDING')).toBe(true);
		expect(runs.noteExceeded('a', 'PENDING')).toBe(false);
		expect(runs.noteExceeded('a', 'RUNNING')).toBe(true);
		expect(runs.entries(NOW)).toEqual([
			['a', OLD, ['PENDING'], { exceeded: ['PENDING', 'RUNNING'] }],
		]);
		runs.observe(jobRuns.read(run('COMPLETED', OLD)), NOW);
		expect(runs.entries(OLD)).toEqual([['a', OLD, ['COMPLETED']]]);
	});

	test('how often a run was not found, since the first time, until it is shown again', () => {
		const runs = new TrackedRuns(jobRuns, [['a', OLD, ['RUNNING']]]);
		expect(runs.noteMissing('a', NOW)).toEqual([1, NOW]);
		expect(runs.noteMissing('a', NOW + MINUTE)).toEqual([2, NOW]);
		expect(runs.noteMissing('a', NOW - MINUTE)).toEqual([3, NOW - MINUTE]);
		runs.observe(jobRuns.read(run('RUNNING', OLD)), NOW);
		expect(runs.noteMissing('a', NOW)).toEqual([1, NOW]);
	});

	test('a run that is given up, as an ended one', () => {
		const runs = new TrackedRuns(jobRuns, [['a', OLD, ['RUNNING'], { exceeded: ['RUNNING'] }]]);
		runs.drop('a');
		expect(runs.active()).toEqual([]);
		expect(runs.entries(OLD)).toEqual([['a', OLD, ENDS]]);
	});

	test('the state that it came from stays as it is', () => {
		const entry: TrackedRun = ['a', OLD, ['PENDING'], {}];
		const runs = new TrackedRuns(jobRuns, [entry]);
		runs.observe(jobRuns.read(run('RUNNING', OLD)), NOW);
		runs.noteMissing('a', NOW);
		expect(entry).toEqual(['a', OLD, ['PENDING'], {}]);
	});

	test('nothing of runs that it does not know', () => {
		const runs = new TrackedRuns(jobRuns, [['a', OLD, ['RUNNING']]]);
		runs.moveToEnd('b');
		runs.drop('b');
		runs.noteMissing('b', NOW);
		runs.noteExceeded('b', 'RUNNING');
		expect(runs.entries(NOW)).toEqual([['a', OLD, ['RUNNING']]]);
	});
});

test('the run that was just read is the last to be read next time', () => {
	const ids = ['a', 'b', 'c'];
	const runs = new TrackedRuns(
		jobRuns,
		ids.map((id): TrackedRun => [id, NOW, ['RUNNING']]),
	);
	runs.moveToEnd('a');
	expect(runs.active()).toEqual(['b', 'c', 'a']);
});

describe('more ended runs than can be remembered', () => {
	const ended = (count: number): TrackedRun[] =>
		Array.from({ length: count }, (_, index) => {
			// Not in the order of their times.
			const place = (index * 7) % count;
			return [`run-${place}`, NOW + place * SECOND, ['COMPLETED']];
		});
	const active: TrackedRun[] = [['active', NOW - 60 * MINUTE, ['RUNNING']]];

	test('are none up to the limit', () => {
		expect(
			new TrackedRuns(jobRuns, [...ended(MAX_REMEMBERED), ...active]).bound(NOW),
		).toBeUndefined();
	});

	test('leave the newest half of them after the watermark', () => {
		const runs = new TrackedRuns(jobRuns, [...active, ...ended(MAX_REMEMBERED + 1)]);
		const first = MAX_REMEMBERED + 1 - MAX_REMEMBERED / 2;
		expect(runs.bound(NOW)).toBe(NOW + first * SECOND);
	});
});

test('only a run with a usable id and a status can be followed', () => {
	expect(isUsable(jobRuns.read(run('RUNNING')))).toBe(true);
	expect(isUsable(jobRuns.read(run('')))).toBe(false);
	expect(isUsable(jobRuns.read(run('RUNNING', NOW, '..')))).toBe(false);
	expect(isUsable(jobRuns.read(run('RUNNING', NOW, '\ud800')))).toBe(false);
	expect(isUsable(jobRuns.read({ id: 'a' } as Run))).toBe(false);
});
