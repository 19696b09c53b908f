import type { INode, IPollFunctions } from 'n8n-workflow';

import type { Run } from '../../../nodes/Wherobots/service/types';
import { isWanted, readSettings } from '../../../nodes/Wherobots/trigger/settings';

const MINUTE = 60_000_000;

/** The settings that a trigger with these parameters has; others have their defaults. */
function settingsOf(parameters: Record<string, unknown>) {
	const context = {
		getNode: () => ({ name: 'Wherobots Trigger' }) as INode,
		getTimezone: () => 'UTC',
		getNodeParameter: (path: string, unset: unknown) =>
			Object.hasOwn(parameters, path) ? parameters[path] : unset,
	};
	return readSettings(context as unknown as IPollFunctions);
}

describe('the limits of durations', () => {
	const limitsOf = (pendingMinutes: number, runningMinutes: number) =>
		settingsOf({ event: 'runExceededDuration', pendingMinutes, runningMinutes });

	// A limit of no time at all would be exceeded by every run.
	it.each([
		[5, 0, { PENDING: 5 * MINUTE, RUNNING: undefined }],
		[0, 10, { PENDING: undefined, RUNNING: 10 * MINUTE }],
		[5, 10, { PENDING: 5 * MINUTE, RUNNING: 10 * MINUTE }],
	])('are those that are not 0: pending %i, running %i', (pending, running, limits) => {
		expect(limitsOf(pending, running)).toMatchObject({ event: 'runExceededDuration', limits });
	});

	it('are refused when both are 0, by the names of both fields', () => {
		expect(() => limitsOf(0, 0)).toThrow(
			/^'Running Longer Than \(Minutes\)' or 'Pending Longer Than \(Minutes\)' must/,
		);
	});
});

describe('a run starts the workflow', () => {
	const runOf = (status: string, events: object[] = []): Run => ({
		id: 'r1',
		name: 'nightly',
		status,
		createTime: '2026-11-21T12:00:00Z',
		kubeApp: { events },
	});
	const timedOut = runOf('FAILED', [{ code: 'RUN_TIMEOUT', message: 'timed out' }]);

	it.each([
		['in any status when none is chosen', runOf('HIBERNATING'), [], true],
		['in a status that is chosen', runOf('RUNNING'), ['PENDING', 'RUNNING'], true],
		['not in a status that is not chosen', runOf('RUNNING'), ['PENDING'], false],
		['not with an outcome that is not chosen', runOf('FAILED'), ['COMPLETED'], false],
		['with any outcome when that is chosen', runOf('CANCELLED'), ['finished'], true],
		['not while it goes on when only that is chosen', runOf('RUNNING'), ['finished'], false],
		['with a timeout that the service calls a failure', timedOut, ['TIMED_OUT'], true],
		[
			'with a timeout when failures are chosen, as the service calls it one',
			timedOut,
			['FAILED'],
			true,
		],
		['not with any other failure when timeouts are chosen', runOf('FAILED'), ['TIMED_OUT'], false],
	])('%s', (_, run, statuses, expected) => {
		expect(isWanted(run, statuses)).toBe(expected);
	});
});
