import type { Run } from '../../../nodes/Wherobots/service/types';
import type { Client } from '../../../nodes/Wherobots/transport/client';
import { readOutcomeFacts } from '../../../nodes/Wherobots/trigger/outcomeFacts';

const run = (status: string, message?: string) =>
	({ id: `${status} ${message}`, status, kubeApp: message && { events: [{ message }] } }) as Run;

const failed = [run('FAILED'), run('TIMED_OUT'), run('FAILED', 'The run timed out')];
const succeeded = [run('COMPLETED'), run('CANCELLED')];

const noLog = { logLines: [], logProblem: expect.stringContaining('no time left') };
const noCost = {
	cost: null,
	costStatus: null,
	costProblem: expect.stringContaining('no time left'),
};

test.each([
	['the log', { includeCost: false, logLines: 3 }, failed.map((each) => [each, noLog])],
	[
		'the cost',
		{ includeCost: true, logLines: 0 },
		[...succeeded, ...failed].map((each) => [each, noCost]),
	],
	[
		'either',
		{ includeCost: true, logLines: 3 },
		[
			...succeeded.map((each) => [each, noCost]),
			...failed.map((each) => [each, { ...noLog, ...noCost }]),
		],
	],
])('without time, each run that ended says that %s was not read', async (_, wanted, expected) => {
	// Nothing may be asked of it.
	const call = jest.fn();
	const client = { call } as unknown as Client;
	const runs = [run('RUNNING'), ...succeeded, ...failed];
	const facts = await readOutcomeFacts(client, runs, wanted, { spent: () => true });
	expect([...facts]).toEqual(expected);
	expect(call).not.toHaveBeenCalled();
});
