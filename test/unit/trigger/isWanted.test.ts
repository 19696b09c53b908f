import type { Run } from '../../../nodes/Wherobots/service/types';
import { isWanted } from '../../../nodes/Wherobots/trigger/events/runStatusChanged';

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
		['with any outcome when all ended runs are chosen', runOf('CANCELLED'), ['finished'], true],
		[
			'not while it is active when only ended runs are chosen',
			runOf('RUNNING'),
			['finished'],
			false,
		],
		['with a timeout that the service calls a failure', timedOut, ['TIMED_OUT'], true],
		[
			'with a timeout when failures are chosen, as the service calls it a failure',
			timedOut,
			['FAILED'],
			true,
		],
		['not with any other failure when timeouts are chosen', runOf('FAILED'), ['TIMED_OUT'], false],
	])('%s', (_, run, statuses, expected) => {
		expect(isWanted(run, statuses)).toBe(expected);
	});
});
