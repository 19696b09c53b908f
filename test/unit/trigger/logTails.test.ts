import type { Run } from '../../../nodes/Wherobots/service/types';
import type { Client } from '../../../nodes/Wherobots/transport/client';
import { readLogTails } from '../../../nodes/Wherobots/trigger/logTails';

const run = (status: string, message?: string) =>
	({ id: `${status} ${message}`, status, kubeApp: message && { events: [{ message }] } }) as Run;

/** A client that nothing may be asked of. */
const call = jest.fn();
const client = { call } as unknown as Client;

test('without time, each run that failed or timed out says that its log was not read', async () => {
	const failed = [run('FAILED'), run('TIMED_OUT'), run('FAILED', 'The run timed out')];
	const others = ['COMPLETED', 'CANCELLED', 'RUNNING'].map((status) => run(status));
	const changes = [...others, ...failed].map((each) => ({ run: each, previousStatus: null }));
	const tails = await readLogTails(client, changes, 3, { spent: () => true });
	expect([...tails.keys()]).toEqual(failed);
	for (const tail of tails.values()) {
		expect(tail).toEqual({ problem: expect.stringContaining('no time left') });
	}
	expect(call).not.toHaveBeenCalled();
});
