import type { INodeExecutionData } from 'n8n-workflow';

import { simplifyRun } from '../../service/jobRuns/runs';
import type { Run } from '../../service/types';
import { shape } from '../../parameters/shape';
import type { Call } from '../operation';

/** The output item of a run, as much of it as was asked for. */
export function runItem(call: Pick<Call, 'input' | 'client'>, run: Run): INodeExecutionData {
	return runItems(call, [run])[0];
}

/** The output items of runs. The switch is read once: n8n resolves a parameter anew at each reading. */
export function runItems(
	{ input, client }: Pick<Call, 'input' | 'client'>,
	runs: Run[],
): INodeExecutionData[] {
	const now = client.serviceNow();
	return shape(input, runs, (run) => simplifyRun(run, now));
}
