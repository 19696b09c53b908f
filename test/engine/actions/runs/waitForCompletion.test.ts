import { aWhile, until } from '../../../support/until';
import { startNode, suiteWithSandbox } from '../../harness/suite';
import { ofRun } from '../parameters';

const suite = suiteWithSandbox({ seed: 'empty' });

const wait = ofRun('waitForCompletion');

/** A run that is running and ends `ms` from now. */
function going(ms: number, name = 'some-job-run', outcome: 'COMPLETED' | 'FAILED' = 'COMPLETED') {
	return suite.store.createRun({ name, plan: { pendingMs: 0, runningMs: ms, outcome } });
}
describe('Job Run: Wait for Completion', () => {
	it('returns a run that has already ended after one request', async () => {
		const { id } = suite.store.createRun({ status: 'COMPLETED' });
		const { json } = await suite.succeeds(wait(id));
		expect(json).toEqual([expect.objectContaining({ id, status: 'COMPLETED' })]);
		expect(suite.requests.count).toBe(1);
		expect(Math.max(...suite.time.pauses)).toBeLessThan(100);
	});

	it('waits for a run that is running, and returns all of it when Simplify is off', async () => {
		const { id } = going(900_000);
		const { json } = await suite.run(wait(id, { simplify: false }));
		expect(json[0]).toMatchObject({ id, status: 'COMPLETED', payload: { name: 'some-job-run' } });
		expect(Math.max(...suite.time.pauses)).toBeCloseTo(15_000, -3);
		expect(suite.requests.of('getRun').length).toBeLessThan(70);
	});

	it('waits at the chosen interval and up to the chosen time', async () => {
		const { id } = going(9_000_000);
		const waitOptions = { maxIntervalSeconds: 60, maxWaitMinutes: 30 };
		const { error } = await suite.run(wait(id, { waitOptions }));
		expect(error?.message).toBe('The job run did not end within 30 minutes');
		expect(error?.description).toContain(`The run was not cancelled. Run ID: ${id}`);
		expect(Math.max(...suite.time.pauses)).toBeCloseTo(60_000, -3);
		const waited = suite.time.pauses.reduce((sum, ms) => sum + ms, 0);
		expect(waited).toBeCloseTo(30 * 60_000, -3);
		expect(suite.requests.of('cancelRun')).toEqual([]);
	});

	it('stops waiting for other runs once one has failed the node', async () => {
		const bad = going(30_000, 'this-one-fails', 'FAILED');
		const slow = [1, 2, 3].map((i) => going(3_000_000, `slow-job-run-${i}`));
		const parameters = wait('={{ $json.id }}', { waitOptions: { cancelOnStop: true } });
		const input = [bad, ...slow].map(({ id }) => ({ id }));
		const { error } = await suite.run(parameters, { input });
		expect(error?.message).toContain('"this-one-fails" failed');
		// Requests that were under way may still arrive.
		await aWhile();
		const asked = suite.requests.count;
		suite.clock.advance(600_000);
		await aWhile();
		expect(suite.requests.count).toBe(asked);
		// Runs are cancelled only when the execution is stopped, which it was not.
		expect(suite.requests.of('cancelRun')).toEqual([]);
	});

	it.each(['FAILED', 'CANCELLED', 'TIMED_OUT'])(
		'fails for a %s run, or returns it',
		async (status) => {
			const { id, payload } = suite.store.createRun({ status });
			const verb = { FAILED: 'failed', CANCELLED: 'was cancelled', TIMED_OUT: 'timed out' }[status];
			const { error } = await suite.run(wait(id));
			expect(error?.message).toContain(`Job run "${payload.name}" ${verb}`);
			expect(error?.description).toMatch(/Traceback|Last log lines:|The log has no lines/);
			const advice =
				"To allow more time, raise 'Timeout (Minutes)' where the run is submitted: under 'Options' in Job Run: Create, or under 'Changes' in Run Again.";
			expect(error?.description?.endsWith(advice)).toBe(status === 'TIMED_OUT');

			const waitOptions = { onFailure: 'return' };
			expect((await suite.run(wait(id, { waitOptions }))).json[0]).toMatchObject({ id, status });
		},
	);

	it('names the run even when its log has lines without text, and removes signatures from addresses', async () => {
		const { id } = suite.store.createRun({ status: 'FAILED' });
		const signed = 'GET https://b.s3.amazonaws.com/k?X-Amz-Signature=abcdef0123456789';
		const items = [null, signed].map((raw, timestamp) => ({ timestamp, raw }));
		suite.edits('getRunLogs', (page: object) => ({ ...page, items, next_page: null }));
		const { error } = await suite.run(wait(id));
		expect(error?.description).toContain(`Run ID: ${id}`);
		expect(error?.description).toContain('GET https://b.s3.amazonaws.com/k');
		expect(error?.description).not.toContain('abcdef0123456789');
	});

	it('shows no log when none is wanted, and says when it cannot be read', async () => {
		const { id } = suite.store.createRun({ status: 'FAILED' });
		const none = await suite.run(wait(id, { waitOptions: { logLines: 0 } }));
		expect(none.error?.description).not.toContain('log');
		expect(suite.requests.of('getRunLogs')).toEqual([]);
		suite.fails('getRunLogs', 403);
		const refused = await suite.run(wait(id));
		expect(refused.error?.description).toContain('The log could not be read: ');
	});
});

it('a run that an execution only waits for goes on when the execution is stopped', async () => {
	const { id } = going(9_000_000);
	suite.time.restore();
	const running = startNode(suite.sandbox, wait(id));
	await until(() => suite.requests.of('getRun').length > 0);
	running.cancel();
	await running.result;
	await aWhile();
	expect(suite.requests.of('cancelRun')).toEqual([]);
});
