/** Executes a node as a worker of queue mode does: with others, it shares nothing but the service's rate. */
import { createRequire } from 'node:module';
import path from 'node:path';

import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';

import { NODE_TYPE, runNode } from '../../test/engine/harness';
import { serve } from './remote';
import type { Target } from './service';

const workerFunctions = {
	/**
	 * @param packageDir the unpacked package
	 * @returns how many items failed
	 */
	async execute(
		packageDir: string,
		{ baseUrl, apiKey }: Target,
		parameters: INodeParameters,
		input: IDataObject[],
	): Promise<number> {
		const account = { baseUrl, credentials: { admin: { apiKey } } };
		const load = createRequire(path.join(packageDir, 'package.json'));
		const { Wherobots } = load('./dist/nodes/Wherobots/Wherobots.node.js') as {
			Wherobots: new () => INodeType;
		};
		const { json, error } = await runNode(account as never, parameters, {
			...{ input, onError: 'continueRegularOutput', nodeTypes: { [NODE_TYPE]: new Wherobots() } },
		});
		return error ? input.length : json.filter((item) => 'error' in item).length;
	},
};

export type WorkerFunctions = typeof workerFunctions;

serve(workerFunctions);
