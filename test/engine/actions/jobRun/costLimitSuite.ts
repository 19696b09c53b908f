import type { INodeParameters } from 'n8n-workflow';

import type { NodeOptions } from '../../harness';
import { suiteWithSandbox } from '../../harness/suite';
import { pythonRun } from '../parameters';

export const MINUTE = 60_000;

/** Sets up a suite of runs with a limit. A run of the sandbox costs about 0.074 dollars a minute. */
export function suiteWithCostLimit() {
	const suite = suiteWithSandbox({ seed: 'empty' });
	const creating = (waitOptions: INodeParameters, more: INodeParameters = {}) => ({
		...pythonRun,
		waitForCompletion: true,
		waitOptions: { cancelAboveCost: '0.20', ...waitOptions },
		...more,
	});

	const waitingFor = (runId: string, waitOptions: INodeParameters) => ({
		resource: 'jobRun',
		operation: 'waitForCompletion',
		runId: { __rl: true, mode: 'id', value: runId },
		waitOptions,
	});

	/** Makes the run that is created last this long. */
	const lasting = (minutes: number) =>
		suite.sandbox.plans.set(pythonRun.name, { pendingMs: 0, runningMs: minutes * MINUTE });

	const going = (minutes: number) =>
		suite.sandbox.store.createRun({ plan: { pendingMs: 0, runningMs: minutes * MINUTE } });

	const run = async (parameters: INodeParameters, options?: NodeOptions) =>
		await suite.run(parameters, options);

	const requests = (endpoint: 'getCosts' | 'cancelRun' | 'createRun') =>
		suite.sandbox.requests.of(endpoint);

	return { suite, creating, waitingFor, lasting, going, run, requests };
}
