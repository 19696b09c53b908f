import { digest } from '../../../../nodes/Wherobots/trigger/core/ids';
import {
	newAuditState,
	newRunState,
	readState,
	scopeOf,
} from '../../../../nodes/Wherobots/trigger/core/state';

const T = 1_773_144_000_000_000;
const runs = newRunState('scope', T, [['r1', T, ['RUNNING'], { missing: [1, T] }]]);
const audit = newAuditState('scope', T, 'query', [
	['k1', T],
	['k2', T],
]);

describe('a stored state', () => {
	test.each([
		['of runs', runs],
		['of runs without a newest one', newRunState('scope', T, [])],
		[
			'of runs, with everything',
			{
				...runs,
				...{ credential: 'c', restUntil: T, newest: T, since: T, baseline: 2 },
				...{ resume: { cursor: 'c', count: 1, final: T, oldestNew: T } },
				odd: [10, T],
			},
		],
		['of a doubt that has begun', { ...runs, doubt: { credential: 'c', asked: 0 } }],
		[
			'of a doubt, with everything',
			{
				...runs,
				doubt: { credential: 'c', asked: 1, since: T },
			},
		],
		['of a first poll', { ...runs, baseline: 0, resume: { cursor: 'c', count: 0, final: 0 } }],
		['of events', audit],
		[
			'of events, with everything',
			{
				...audit,
				...{ way: 'export', span: 60, began: T, newest: T },
				resume: { cursor: 'c', count: 3, total: 7, final: T, oldestNew: T, end: T },
			},
		],
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
		["'scope' is damaged", { ...runs, scope: 7 }],
		["'watermark' is damaged", { ...runs, watermark: 1.5 }],
		["'watermark' is damaged", { ...runs, watermark: '1' }],
		["'resume' is damaged", { ...runs, resume: {} }],
		["'resume' is damaged", { ...runs, resume: null }],
		["'resume' is damaged", { ...runs, resume: { cursor: '' } }],
		...[null, { asked: 0 }, { credential: 'c' }, { credential: 'c', asked: 0, since: 'x' }].map(
			(doubt): [string, unknown] => ["'doubt' is damaged", { ...runs, doubt }],
		),
		["'credential' is damaged", { ...runs, credential: '' }],
		["'restUntil' is damaged", { ...runs, restUntil: 'x' }],
		["'odd' is damaged", { ...runs, odd: null }],
		["'odd' is damaged", { ...audit, odd: [1, 'x'] }],
		["'newest' is damaged", { ...audit, newest: 'x' }],
		["'resume' is damaged", { ...audit, resume: { cursor: '', count: 1, final: T } }],
		["'resume' is damaged", { ...audit, resume: { cursor: 'c', count: 'x', final: T } }],
		["'resume' is damaged", { ...audit, resume: { cursor: 'c', count: 1, final: 'x' } }],
		["'resume' is damaged", { ...audit, resume: { cursor: 'c', count: 1, final: T, end: 'x' } }],
		["'resume' is damaged", { ...audit, resume: { cursor: 'c', count: 1, final: T, total: 'x' } }],
		[
			"'resume' is damaged",
			{ ...audit, resume: { cursor: 'c', count: 1, final: T, oldestNew: 'x' } },
		],
		["'since' is damaged", { ...runs, since: 'x' }],
		["'baseline' is damaged", { ...runs, baseline: true }],
		["'runs' is damaged", { ...runs, runs: {} }],
		["'runs' is damaged", { ...runs, runs: ['r1'] }],
		["'runs' is damaged", { ...runs, runs: [7] }],
		["'runs' is damaged", entry('', T, ['A'])],
		["'runs' is damaged", entry('r', 'x', ['A'])],
		["'runs' is damaged", entry('r', T, [''])],
		["'runs' is damaged", entry('r', T, 'A')],
		["'runs' is damaged", entry('r', T, ['A'], null)],
		["'runs' is damaged", entry('r', T, ['A'], 'x')],
		["'runs' is damaged", entry('r', T, ['A'], { endedAt: 'x' })],
		["'runs' is damaged", entry('r', T, ['A'], { missing: [1, 'x'] })],
		["'runs' is damaged", entry('r', T, ['A'], { missing: 1 })],
		["'runs' is damaged", entry('r', T, ['A'], { exceeded: [''] })],
		["'kind' is unknown", { ...runs, kind: 'x' }],
		["'way' is damaged", { ...audit, way: 'x' }],
		["'span' is damaged", { ...audit, span: 'x' }],
		["'began' is damaged", { ...audit, began: 'recent' }],
		["'seen' is damaged", { ...audit, seen: {} }],
		["'seen' is damaged", { ...audit, seen: ['k'] }],
		["'seen' is damaged", { ...audit, seen: [null] }],
		["'seen' is damaged", seen('', T)],
		["'seen' is damaged", seen('k', 'x')],
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
