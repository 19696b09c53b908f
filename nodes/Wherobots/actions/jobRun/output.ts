import type { INodeExecutionData } from 'n8n-workflow';

import { simplifyRun } from '../../service/runs';
import type { Run } from '../../service/types';
import { clock } from '../../transport/clock';
import type { Input } from '../input';
import { item } from '../items';

/** The output item of a run, simplified unless the 'Simplify' switch is off. */
export function runItem(input: Input, run: Run): INodeExecutionData {
	return runItems(input, [run])[0];
}

/** The output items of runs. The switch is read once: n8n resolves a parameter anew at each reading. */
export function runItems(input: Input, runs: Run[]): INodeExecutionData[] {
	if (!input.flag('simplify', true)) return runs.map(item);
	const now = clock.now();
	return runs.map((run) => item(simplifyRun(run, now)));
}
