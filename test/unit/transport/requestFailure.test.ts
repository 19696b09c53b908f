import { endpoints } from '../../../nodes/Wherobots/service/endpoints';
import type { FailedRequest } from '../../../nodes/Wherobots/transport/pace/pacedRequest';
import { describeRequest } from '../../../nodes/Wherobots/transport/requestFailure';

const lost: FailedRequest = {
	kind: 'failed',
	result: { kind: 'network', code: 'ECONNRESET', detail: 'socket hang up' },
	attempt: { kind: 'network', code: 'ECONNRESET' },
	ambiguous: true,
	temporary: true,
};
const refused: FailedRequest = {
	kind: 'failed',
	result: { kind: 'response', status: 404, text: '', contentType: '' },
	attempt: { kind: 'status', status: 404 },
	ambiguous: false,
	temporary: false,
};

it('a failure has the values of its path, and whether and when it passes', () => {
	const path = { run_id: 'r1' };
	expect(describeRequest(endpoints.getRun, refused, { path })).toMatchObject({
		httpCode: '404',
		facts: { runId: 'r1' },
		temporary: false,
	});
	const busy = { ...lost, askedToWaitMs: 7_000 };
	expect(describeRequest(endpoints.getRun, busy, { path })).toMatchObject({
		description: expect.stringContaining('socket hang up'),
		retryAfterMs: 7_000,
		temporary: true,
	});
});

describe('what to look for', () => {
	const lookFor = 'a job run named "x"';

	it('is said of what may have been created', () => {
		const failure = describeRequest(endpoints.createRun, lost, { lookFor });
		expect(failure.description).toContain(lookFor);
		expect(failure.ambiguous).toBe(true);
	});

	it.each([
		['of a request that may be repeated', endpoints.getRun, lost],
		['when it is certain that nothing was created', endpoints.createRun, refused],
	])('is not said %s', (_, endpoint, outcome) => {
		const failure = describeRequest(endpoint, outcome, { lookFor });
		expect(failure.description).not.toContain(lookFor);
		expect(failure.ambiguous).toBeFalsy();
	});
});
