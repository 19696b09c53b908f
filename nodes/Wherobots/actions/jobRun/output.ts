import type { INodeExecutionData } from 'n8n-workflow';

import { simplifyRun } from '../../service/runs';
import type { Run } from '../../service/types';
import { clock } from '../../transport/clock';
import type { Input } from '../../parameters/input';
import { shape } from '../../parameters/shape';

/** The output item of a run, as much of it as was asked for. */
export function runItem(input: Input, run: Run): INodeExecutionData {
	return runItems(input, [run])[0];
}

/** The output items of runs. The switch is read once: n8n resolves a parameter anew at each reading. */
export function runItems(input: Input, runs: Run[]): INodeExecutionData[] {
	const now = clock.now();
	return shape(input, runs, (run) => simplifyRun(run, now));
}
