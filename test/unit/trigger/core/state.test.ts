import { digest } from '../../../../nodes/Wherobots/trigger/core/ids';
import {
	newAuditState,
	newRunState,
	readState,
	scopeOf,
} from '../../../../nodes/Wherobots/trigger/core/state';

const T = 1_773_144_000_000_000;
const runs = newRunState('scope', T, [['r1', T, ['RUNNING'], { missing: [1, T] }]]);
const audit = newAuditState('scope', T, 'query');

describe('a stored state', () => {
	test.each([
		['of runs', () => newRunState('scope', T, runs.runs)],
		['of events', () => newAuditState('scope', T, 'query')],
	])('is read as it was stored: %s', (_, create) => {
		const state = create();
		expect(readState(state)).toEqual({ kind: 'state', state });
	});

	test.each([undefined, null])('may be missing: %s', (stored) => {
		expect(readState(stored)).toEqual({ kind: 'none' });
	});

	test.each<[string, unknown]>([
		['its version is undefined, not 1', []],
		['its version is undefined, not 1', 'text'],
		['its version is 2, not 1', { ...runs, v: 2 }],
		['it is damaged', { ...runs, watermark: 1.5 }],
		['it is damaged', { ...runs, watermark: NaN }],
		['it is damaged', { ...runs, runs: {} }],
		['it is damaged', { ...runs, kind: 'audit' }],
		['it is damaged', { ...audit, seen: undefined }],
		['it is damaged', { ...runs, kind: 'x' }],
	])('is not used when %s: %#', (problem, stored) => {
		expect(readState(stored)).toEqual({ kind: 'broken', problem });
	});
});

test('a scope is the same in any order of its parts, and different when a part is', () => {
	const scope = scopeOf({ event: 'a', baseUrl: 'b' });
	expect(scopeOf({ baseUrl: 'b', event: 'a' })).toBe(scope);
	expect(scopeOf({ event: 'a', baseUrl: 'b', name: undefined })).not.toBe(scopeOf({ event: 'a' }));
	expect(scopeOf({ event: 'a', baseUrl: 'c' })).not.toBe(scope);
	expect(scope).toMatch(/^[\w-]{12}$/);
});

test('a digest is as long as requested', () => {
	expect(digest('a', 16)).toBe('ypeBEsobvcr6wjGz'.slice(0, 16));
	expect(digest('b', 4)).toHaveLength(4);
});
