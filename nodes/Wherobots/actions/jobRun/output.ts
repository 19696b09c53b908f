import type { INodeExecutionData } from 'n8n-workflow';

import { simplifyRun } from '../../service/runs';
import type { Run } from '../../service/types';
import { clock } from '../../transport/clock';
import type { Input } from '../input';
import { item } from '../items';

/** The output item of a run, simplified unless the 'Simplify' switch is off. */
export function runItem(input: Input, run: Run): INodeExecutionData {
	return item(input.flag('simplify', true) ? simplifyRun(run, clock.now()) : run);
}
