/** Executes a node as a worker of queue mode does: with others, it shares nothing but the service's rate. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runNode } from '../../test/engine/harness';
import { serve } from './remote';
import type { Target } from './service';

const workerFunctions = {
	/** @returns how many items failed */
	async execute(
		{ baseUrl, apiKey }: Target,
		parameters: INodeParameters,
		input: IDataObject[],
	): Promise<number> {
		const account = { baseUrl, credentials: { admin: { apiKey } } };
		const { json, error } = await runNode(account as never, parameters, {
			...{ input, onError: 'continueRegularOutput' },
		});
		return error ? input.length : json.filter((item) => 'error' in item).length;
	},
};

export type WorkerFunctions = typeof workerFunctions;

serve(workerFunctions);
