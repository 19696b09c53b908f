import type { Run } from '../../../nodes/Wherobots/service/types';
import type { Client } from '../../../nodes/Wherobots/transport/client';
import { readFinishedCosts } from '../../../nodes/Wherobots/trigger/runCosts';

const run = (status: string) => ({ id: status, status }) as Run;

test('without time, each run that has ended says that its cost was not read', async () => {
	const ended = [run('COMPLETED'), run('FAILED')];
	const changes = [run('RUNNING'), ...ended].map((each) => ({ run: each, previousStatus: null }));
	const call = jest.fn();
	const client = { call } as unknown as Client;
	const costs = await readFinishedCosts(client, changes, true, { spent: () => true });
	const none = {
		cost: null,
		costStatus: null,
		costProblem: expect.stringContaining('no time left'),
	};
	expect([...costs]).toEqual(ended.map((each) => [each, none]));
	expect(call).not.toHaveBeenCalled();
});
