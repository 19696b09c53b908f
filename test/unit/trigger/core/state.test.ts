import { digest } from '../../../../nodes/Wherobots/trigger/core/digest';
import {
	newAuditState,
	newRunState,
	readState,
	scopeOf,
} from '../../../../nodes/Wherobots/trigger/core/state';

const T = 1_773_144_000_000_000;
const runs = newRunState('scope', T, [['r1', T, ['RUNNING'], { shownAt: T, missing: [1, T] }]], T);
const audit = newAuditState('scope', T, 'query', [
	['k1', T],
	['k2', T, T],
]);

describe('a stored state', () => {
	test.each([
		['of runs', runs],
		['of runs without a newest one', newRunState('scope', T, [])],
		[
			'of runs, with everything',
			{
				...runs,
				...{ credential: 'c', checkedAt: T, began: T, proven: [T, T, 5], baseline: 'recent' },
				...{ readings: 2, resume: { cursor: 'c', newest: T, oldestNew: T } },
				mistrust: { times: 10, since: T, until: T },
			},
		],
		['of a doubt that has begun', { ...runs, doubt: { credential: 'c', asked: 0 } }],
		[
			'of a doubt, with everything',
			{
				...runs,
				doubt: { credential: 'c', asked: 1, since: T, began: T, resume: { cursor: 'c' } },
			},
		],
		['of a first poll', { ...runs, baseline: 'active', resume: { cursor: 'c' } }],
		['of runs that wait to be read', { ...runs, isWaiting: true }],
		['of events', audit],
		[
			'of events, with everything',
			{
				...audit,
				...{
					way: 'export',
					span: 60,
					doubtfulUntil: T,
					baseline: true,
					range: { start: T, end: T },
				},
				resume: { cursor: 'c', count: 3, total: 7, last: 'k', shifted: true, fallen: true },
			},
		],
		['of events in an open range', { ...audit, range: { start: T }, resume: { cursor: 'c' } }],
		[
			'of a run that lasts too long',
			{ ...runs, runs: [['r', T, ['A'], { exceeded: ['A'], endedAt: T }]] },
		],
		['of ended runs', { ...runs, runs: [['r', T, ['COMPLETED', 'FAILED']]] }],
	])('is read as it is: %s', (_, state) => {
		expect(readState(state)).toEqual({ kind: 'state', state });
	});

	test('is a copy', () => {
		const read = readState(runs);
		expect(read.kind === 'state' && read.state === runs).toBe(false);
	});

	test.each([undefined, null])('may not be there: %s', (stored) => {
		expect(readState(stored)).toEqual({ kind: 'none' });
	});

	const entry = (...parts: unknown[]) => ({ ...runs, runs: [parts] });
	const seen = (...parts: unknown[]) => ({ ...audit, seen: [parts] });

	test.each<[string, unknown]>([
		['it is not an object', []],
		['it is not an object', 'text'],
		['it is not an object', 7],
		['its version is 2, not 1', { ...runs, v: 2 }],
		['its version is undefined, not 1', {}],
		["'scope' is not a text", { ...runs, scope: 7 }],
		["'watermark' is not a time", { ...runs, watermark: 1.5 }],
		["'watermark' is not a time", { ...runs, watermark: '1' }],
		["'resume' is damaged", { ...runs, resume: {} }],
		["'resume' is damaged", { ...runs, resume: null }],
		["'resume' is damaged", { ...runs, resume: { cursor: '' } }],
		["'resume' is damaged", { ...runs, resume: { cursor: 'c', newest: 'x' } }],
		["'resume' is damaged", { ...runs, resume: { cursor: 'c', oldestNew: 'x' } }],
		...[
			null,
			{ asked: 0 },
			{ credential: 'c' },
			{ credential: 'c', asked: 0, since: 'x' },
			{ credential: 'c', asked: 0, began: 'x' },
			{ credential: 'c', asked: 0, resume: {} },
		].map((doubt): [string, unknown] => ["'doubt' is damaged", { ...runs, doubt }]),
		["'credential' is not a text", { ...runs, credential: '' }],
		["'checkedAt' is not a time", { ...runs, checkedAt: 'x' }],
		["'resume' is damaged", { ...runs, resume: { cursor: 'c', count: 'x' } }],
		["'resume' is damaged", { ...runs, resume: { cursor: 'c', total: 'x' } }],
		["'resume' is damaged", { ...runs, resume: { cursor: 'c', last: 7 } }],
		["'resume' is damaged", { ...runs, resume: { cursor: 'c', shifted: 1 } }],
		["'resume' is damaged", { ...runs, resume: { cursor: 'c', fallen: 'x' } }],
		["'mistrust' is damaged", { ...runs, mistrust: null }],
		["'mistrust' is damaged", { ...runs, mistrust: { times: 'x', since: T } }],
		["'mistrust' is damaged", { ...runs, mistrust: { times: 1, since: 'x' } }],
		["'mistrust' is damaged", { ...runs, mistrust: { times: 1, since: T, until: 'x' } }],
		["'began' is not a time", { ...runs, began: 'x' }],
		["'since' is not a time", { ...runs, since: 'x' }],
		["'proven' is damaged", { ...runs, proven: [T, T] }],
		["'proven' is damaged", { ...runs, proven: [T, T, 'x'] }],
		["'proven' is damaged", { ...runs, proven: 'abc' }],
		["'baseline' is unknown", { ...runs, baseline: true }],
		["'readings' is not a number", { ...runs, readings: 'x' }],
		["'runs' is damaged", { ...runs, runs: {} }],
		["'runs' is damaged", { ...runs, runs: ['r1'] }],
		["'runs' is damaged", { ...runs, runs: [7] }],
		["'runs' is damaged", entry('', T, ['A'])],
		["'runs' is damaged", entry('r', 'x', ['A'])],
		["'runs' is damaged", entry('r', T, [])],
		["'runs' is damaged", entry('r', T, [''])],
		["'isWaiting' is unknown", { ...runs, isWaiting: false }],
		["'runs' is damaged", entry('r', T, 'A')],
		["'runs' is damaged", entry('r', T, ['A'], null)],
		["'runs' is damaged", entry('r', T, ['A'], 'x')],
		["'runs' is damaged", entry('r', T, ['A'], { shownAt: 'x' })],
		["'runs' is damaged", entry('r', T, ['A'], { endedAt: 'x' })],
		["'runs' is damaged", entry('r', T, ['A'], { missing: [1, 'x'] })],
		["'runs' is damaged", entry('r', T, ['A'], { missing: 1 })],
		["'runs' is damaged", entry('r', T, ['A'], { exceeded: [''] })],
		["'kind' is unknown", { ...runs, kind: 'x' }],
		["'way' is unknown", { ...audit, way: 'x' }],
		["'span' is not a length of time", { ...audit, span: 'x' }],
		["'doubtfulUntil' is not a time", { ...audit, doubtfulUntil: 'x' }],
		["'baseline' is unknown", { ...audit, baseline: 'recent' }],
		["'seen' is damaged", { ...audit, seen: {} }],
		["'seen' is damaged", { ...audit, seen: ['k'] }],
		["'seen' is damaged", { ...audit, seen: [null] }],
		["'seen' is damaged", seen('', T)],
		["'seen' is damaged", seen('k', 'x')],
		["'seen' is damaged", seen('k', T, 'x')],
		["'range' is damaged", { ...audit, range: {}, resume: { cursor: 'c' } }],
		["'range' is damaged", { ...audit, range: null, resume: { cursor: 'c' } }],
		["'range' is damaged", { ...audit, range: { start: T, end: 'x' }, resume: { cursor: 'c' } }],
		["'range' and 'resume' do not go together", { ...audit, range: { start: T } }],
		["'range' and 'resume' do not go together", { ...audit, resume: { cursor: 'c' } }],
	])('is not used when %s: %#', (problem, stored) => {
		expect(readState(stored)).toEqual({ kind: 'broken', problem });
	});

	test.each([
		[200_000, 'state'],
		[200_001, 'broken'],
	])('of %i entries is %s', (length, kind) => {
		const many = Array.from({ length }, () => ['k', T]);
		expect(readState({ ...audit, seen: many }).kind).toBe(kind);
	});
});

test('a scope is the same in any order of its parts, and another with any other part', () => {
	const scope = scopeOf({ event: 'a', baseUrl: 'b' });
	expect(scopeOf({ baseUrl: 'b', event: 'a' })).toBe(scope);
	expect(scopeOf({ event: 'a', baseUrl: 'b', name: undefined })).not.toBe(scopeOf({ event: 'a' }));
	expect(scopeOf({ event: 'a', baseUrl: 'c' })).not.toBe(scope);
	expect(scope).toMatch(/^[\w-]{12}$/);
});

test('a digest is as long as it is asked for', () => {
	expect(digest('a', 16)).toBe('ypeBEsobvcr6wjGz'.slice(0, 16));
	expect(digest('b', 4)).toHaveLength(4);
});
