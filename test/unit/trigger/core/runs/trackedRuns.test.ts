import { jobRuns } from '../../../../../nodes/Wherobots/trigger/serviceSource';
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

/** The statuses that count as changes when a run is shown with one after the other. */
function changesOf(...statuses: string[]): string[] {
	const runs = new TrackedRuns(jobRuns);
	return statuses.filter((status) => runs.observe({ id: 'a', status }, NOW) !== undefined);
}

describe('what is a change', () => {
	test.each([
		['each status, once', ['PENDING', 'RUNNING', 'COMPLETED'], ['PENDING', 'RUNNING', 'COMPLETED']],
		['not the same status again', ['RUNNING', 'RUNNING'], ['RUNNING']],
		['not a running run that is pending again', ['RUNNING', 'PENDING'], ['RUNNING']],
		['not an ended run that is running again', ['COMPLETED', 'RUNNING'], ['COMPLETED']],
		[
			'not an ended run that is running again, whatever it was before',
			['PENDING', 'FAILED', 'RUNNING'],
			['PENDING', 'FAILED'],
		],
		['another final status', ['FAILED', 'COMPLETED'], ['FAILED', 'COMPLETED']],
		['an unknown status', ['PENDING', 'PAUSED', 'RUNNING'], ['PENDING', 'PAUSED', 'RUNNING']],
		['a pending run after an unknown status', ['PAUSED', 'PENDING'], ['PAUSED', 'PENDING']],
	])('%s', (_, shown, changes) => {
		expect(changesOf(...shown)).toEqual(changes);
	});

	test('for another kind of run, an earlier status after a later one is not a change', () => {
		const active = ['PENDING', 'SUBMITTED', 'RUNNING', 'CANCELLING'];
		const runs = new TrackedRuns({ active, terminal: ['SUCCEEDED'] });
		const shown = ['SUBMITTED', 'PENDING', 'CANCELLING', 'RUNNING', 'SUCCEEDED', 'CANCELLING'];
		const changes = shown.filter((status) => runs.observe({ id: 'a', status }, NOW) !== undefined);
		expect(changes).toEqual(['SUBMITTED', 'CANCELLING', 'SUCCEEDED']);
	});

	test('sixteen unknown statuses of a run come, and its end still comes', () => {
		const invented = Array.from({ length: 20 }, (_, index) => `STATUS_${index}`);
		expect(changesOf(...invented, 'COMPLETED')).toEqual([...invented.slice(0, 16), 'COMPLETED']);
	});

	test('a change names the status before it', () => {
		const runs = new TrackedRuns(jobRuns);
		expect(runs.observe({ id: 'a', status: 'PENDING' }, NOW)).toBeNull();
		expect(runs.observe({ id: 'a', status: 'RUNNING' }, NOW)).toBe('PENDING');
	});
});

describe('what is remembered', () => {
	const OLD = NOW - 60 * MINUTE;

	test('how a run ended', () => {
		const runs = new TrackedRuns(jobRuns);
		runs.observe({ id: 'a', status: 'PENDING' }, OLD);
		runs.observe({ id: 'a', status: 'RUNNING' }, OLD);
		runs.observe({ id: 'a', status: 'FAILED' }, OLD);
		runs.observe({ id: 'a', status: 'COMPLETED' }, OLD);
		expect(runs.entries(OLD)).toEqual([['a', OLD, ['FAILED', 'COMPLETED']]]);
	});

	test('ended runs that the next list may show, including those at its very start', () => {
		const entries: TrackedRun[] = [
			['a', NOW, ['COMPLETED']],
			['b', NOW - 1, ['COMPLETED']],
			['c', NOW - 1, ['RUNNING']],
		];
		expect(new TrackedRuns(jobRuns, entries).entries(NOW)).toEqual([entries[0], entries[2]]);
	});

	test('which limits a run has exceeded, while it is active', () => {
		const runs = new TrackedRuns(jobRuns, [['a', OLD, ['PENDING']]]);
		expect(runs.noteExceeded('a', 'PENDING')).toBe(true);
		expect(runs.noteExceeded('a', 'PENDING')).toBe(false);
		expect(runs.noteExceeded('a', 'RUNNING')).toBe(true);
		expect(runs.entries(NOW)).toEqual([
			['a', OLD, ['PENDING'], { exceeded: ['PENDING', 'RUNNING'] }],
		]);
		runs.observe({ id: 'a', status: 'COMPLETED' }, OLD);
		expect(runs.entries(OLD)).toEqual([['a', OLD, ['COMPLETED']]]);
	});

	test('of an ended one, what its cost needs', () => {
		const entries: TrackedRun[] = [['a', OLD, ['COMPLETED'], { billedAs: 'a-1', endedAt: NOW }]];
		expect(new TrackedRuns(jobRuns, entries).entries(NOW)).toEqual(entries);
	});

	test('not for ever that its cost was reported', () => {
		const runs = new TrackedRuns(jobRuns, [['a', OLD, ['COMPLETED'], { billedAs: '' }]]);
		expect(runs.entries(OLD)).toEqual([['a', OLD, ['COMPLETED'], { billedAs: '' }]]);
		expect(runs.entries(NOW)).toEqual([]);
	});

	test('how often a run was not found, and since when, until it is shown again', () => {
		const runs = new TrackedRuns(jobRuns, [['a', OLD, ['RUNNING']]]);
		expect(runs.noteMissing('a', NOW)).toEqual([1, NOW]);
		expect(runs.noteMissing('a', NOW + MINUTE)).toEqual([2, NOW]);
		expect(runs.noteMissing('a', NOW - MINUTE)).toEqual([3, NOW - MINUTE]);
		runs.observe({ id: 'a', status: 'RUNNING' }, OLD);
		expect(runs.noteMissing('a', NOW)).toEqual([1, NOW]);
	});

	test('a run that is no longer tracked, as an ended one', () => {
		const runs = new TrackedRuns(jobRuns, [['a', OLD, ['RUNNING'], { exceeded: ['RUNNING'] }]]);
		runs.drop('a');
		expect(runs.active()).toEqual([]);
		expect(runs.entries(OLD)).toEqual([['a', OLD, ENDS]]);
	});

	test('nothing in the state that was passed in, which is not modified', () => {
		const entry: TrackedRun = ['a', OLD, ['PENDING'], {}];
		const runs = new TrackedRuns(jobRuns, [entry]);
		runs.observe({ id: 'a', status: 'RUNNING' }, OLD);
		runs.noteMissing('a', NOW);
		expect(entry).toEqual(['a', OLD, ['PENDING'], {}]);
	});

	test('nothing about unknown runs', () => {
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
			// Not in order of time.
			const place = (index * 7) % count;
			return [`run-${place}`, NOW + place * SECOND, ['COMPLETED']];
		});
	const active: TrackedRun[] = [['active', NOW - 60 * MINUTE, ['RUNNING']]];

	test('only begin beyond the limit', () => {
		expect(
			new TrackedRuns(jobRuns, [...ended(MAX_REMEMBERED), ...active]).bound(NOW),
		).toBeUndefined();
	});

	test('are none while runs are active, however many', () => {
		const running = ended(MAX_REMEMBERED + 1).map(([id, created]): TrackedRun => {
			return [id, created, ['RUNNING']];
		});
		expect(new TrackedRuns(jobRuns, running).bound(NOW)).toBeUndefined();
	});

	test('move the watermark so that the newest half of them is left after it', () => {
		const runs = new TrackedRuns(jobRuns, [...active, ...ended(MAX_REMEMBERED + 1)]);
		const first = MAX_REMEMBERED + 1 - MAX_REMEMBERED / 2;
		expect(runs.bound(NOW)).toBe(NOW + first * SECOND);
	});
});

test('only a run with a usable id and a status can be followed', () => {
	expect(isUsable({ id: 'a', status: 'RUNNING' })).toBe(true);
	expect(isUsable({ id: 'a', status: '' })).toBe(false);
	expect(isUsable({ id: '..', status: 'RUNNING' })).toBe(false);
	expect(isUsable({ id: '\ud800', status: 'RUNNING' })).toBe(false);
});
