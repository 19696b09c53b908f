import { loggedStatus } from '../../../../nodes/Wherobots/actions/jobRun/wait';

it("n8n's log has a line with the status of a run", () => {
	const info = jest.fn();
	const run = { id: 'r1', name: 'nightly', status: 'RUNNING' };
	loggedStatus({ logger: { info } as never })(run as never);
	expect(info.mock.calls).toEqual([['Wherobots job run nightly: RUNNING', { runId: 'r1' }]]);
});
