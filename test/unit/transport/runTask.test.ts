import type { INode, NodeApiError } from 'n8n-workflow';

import type { Client } from '../../../nodes/Wherobots/transport/client';
import {
	explanationOf,
	factsOf,
	toNodeApiError,
} from '../../../nodes/Wherobots/transport/failures/errors';
import type { Failure } from '../../../nodes/Wherobots/transport/failures/failure';
import { forgetTasks, runTask } from '../../../nodes/Wherobots/transport/runTask';
import { suiteWithInstantPauses } from '../../support/virtualTime';

suiteWithInstantPauses();
beforeEach(forgetTasks);

const wanted = { taskName: 'roofs', inputs: {} };

/** A client of a service that loses a response when it is told to. */
function service() {
	const state = { submitted: 0, isLosing: false, listed: [] as string[] };
	const error = (known: Failure) => toNodeApiError({} as INode, known);
	const client = {
		account: 'me',
		baseUrl: 'https://api.example.com',
		error,
		evenWhenCancelled: () => client,
		call: async (id: string) => {
			await Promise.resolve();
			if (id === 'getDescription') return { paths: { '/tasks/{id}/runs': { post: { tags: [] } } } };
			if (id === 'listTaskRuns') {
				const items = state.listed.map((taskRunId) => ({ taskRunId, state: 'PENDING' }));
				return { items, total: items.length };
			}
			if (state.isLosing) throw error({ message: 'Lost', description: 'Gone', ambiguous: true });
			return { taskRunId: String(++state.submitted), state: 'PENDING' };
		},
	} as unknown as Client;
	return { state, client };
}

it('the latest runs of this process are not taken for a lost one, however many there were', async () => {
	const { state, client } = service();
	for (let count = 0; count < 1_001; count++) await runTask(client, wanted, {});
	state.isLosing = true;
	state.listed = ['1000', '2'];
	const failed = () => runTask(client, wanted, {}).catch((error: unknown) => error as NodeApiError);
	expect(explanationOf((await failed()) as NodeApiError)).toContain('did not find it');
	state.listed = ['1'];
	expect(factsOf((await failed()) as NodeApiError).candidates).toMatchObject([{ id: '1' }]);
});
