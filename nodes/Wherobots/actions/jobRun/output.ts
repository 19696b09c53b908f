import type { INodeExecutionData } from 'n8n-workflow';

import { simplifyRun } from '../../service/jobRuns/runs';
import type { Run } from '../../service/types';
import { shape } from '../../parameters/shape';
import type { Call } from '../operation';

type Reading = Pick<Call, 'input' | 'client'>;

/** The fields of a run that people need, with durations up to now. */
export function simplify(run: Run, { client }: Reading) {
	return simplifyRun(run, client.serviceNow());
}

/** The output item of a run, simplified or raw as the form says. */
export function runItem(call: Reading, run: Run): INodeExecutionData {
	return shape(call.input, [run], (each) => simplify(each, call))[0];
}
