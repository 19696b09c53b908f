import type { Failure } from '../../../../nodes/Wherobots/transport/failure';
import { finishRun } from '../../../../nodes/Wherobots/actions/runs/wait';
import type { FailedRun } from '../../../../nodes/Wherobots/service/runs/failedRun';
import { JobRun } from '../../../../nodes/Wherobots/service/records/jobRun';
import { fetchLog } from '../../../../nodes/Wherobots/useCases/runs/logs';
import { clientWith } from '../../../support/clientWith';

jest.mock('../../../../nodes/Wherobots/useCases/runs/logs');

const readsLog = jest.mocked(fetchLog);

/** The error of a run that failed with this message and these lines in its log. */
async function failing(message: string, log: string[], failure?: FailedRun) {
	const raw = { id: 'r1', name: 'nightly-etl', status: 'FAILED', kubeApp: { message } };
	const run = new JobRun(raw);
	const lines = log.map((raw) => ({ timestamp: 1, raw }));
	readsLog.mockReset().mockResolvedValue({ run, lines, complete: true, failure });
	const options = { onFailure: 'fail', logLines: 50, includeCost: false };
	const { client } = await clientWith();
	const work = finishRun({ client } as never, run, options as never);
	const error = (await work.catch((reason: unknown) => reason)) as Failure;
	const [, ...says] = error.description.split('\n');
	return { error, says, facts: error.facts };
}

const NO_LINES = 'The log has no lines from the program.';

describe('the error of a run that failed', () => {
	it.each(['ValueError: boom', 'Job failed: ValueError: boom', 'Job failed', ''])(
		'does not repeat a message of the service that says no more: %j',
		async (message) => {
			const failure = { cause: 'ValueError: boom', excerpt: ['Traceback'] };
			const { says } = await failing(message, [], failure);
			expect(says).toEqual(['Traceback']);
		},
	);

	it('says how the program ended when nobody says why', async () => {
		const failure = { excerpt: [], returnCode: 3 };
		const { error, says } = await failing('', ['bye'], failure);
		expect(error.message).toBe(
			'Job run "nightly-etl" failed: The program ended with return code 3',
		);
		expect(says).toEqual(['Return code: 3', 'Last log lines:', 'bye']);
	});

	it.each([
		['Job failed: No such bucket', ': No such bucket'],
		['Run timed out.', ''],
		['Job failed over to us-east-1', ': Job failed over to us-east-1'],
	])('does not say twice that it failed: %s', async (message, says) => {
		const { error, says: below, facts } = await failing(message, []);
		expect(error.message).toBe(`Job run "nightly-etl" failed${says}`);
		expect(below).toEqual([NO_LINES]);
		expect(facts.cause).toBe(message);
	});

	it('has the first words of a long message in its title, and more of it below', async () => {
		const message = 'y'.repeat(2_500);
		const { error, says, facts } = await failing(message, []);
		expect(error.message).toBe(`Job run "nightly-etl" failed: ${'y'.repeat(300)}`);
		expect(says).toEqual(['y'.repeat(2_000), NO_LINES]);
		expect(facts.cause).toBe(message);
	});
});
