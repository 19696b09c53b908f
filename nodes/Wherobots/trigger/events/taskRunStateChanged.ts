import type { INodeProperties } from 'n8n-workflow';

import {
	filtersOf,
	runRegionFilter,
	runSourceFilter,
	simplifyField,
	stateOptions,
} from '../../parameters/fields';
import { taskFilter } from '../../parameters/address';
import { item } from '../../parameters/items';
import { isOver, simplifyTaskRun, type TaskRun } from '../../service/taskRuns';
import { eventId } from '../core/ids';
import { taskRunSource } from '../serviceSource';
import type { TriggerEvent } from './event';
import { FINISHED, inTimeOrder, isChosen, pollRunsFrom } from './runEvent';

const statesField: INodeProperties = {
	displayName: 'States',
	name: 'states',
	type: 'multiOptions',
	options: [
		{
			name: 'Finished (Any Outcome)',
			value: FINISHED,
			description: 'Any final state, including missed and skipped',
		},
		...stateOptions,
	],
	default: ['FAILED', 'MISSED', 'REJECTED', 'TIMED_OUT'],
	description: 'States that start the workflow when a task run reaches them',
	hint: 'Select none to start on every state change',
};

const filtersField = filtersOf(runRegionFilter, runSourceFilter, taskFilter);

export const taskRunStateChanged: TriggerEvent = {
	name: 'Task Run State Changed',
	description:
		'Starts the workflow when a task run changes state, for example when a scheduled run fails or is missed',
	record: 'task run',
	fields: [statesField, simplifyField, filtersField],
	read(input) {
		const filters = input.within(filtersField);
		const filter = {
			taskName: filters.optionalText(taskFilter),
			runSource: filters.optionalText(runSourceFilter),
			region: filters.optionalText(runRegionFilter),
		};
		const states = input.list(statesField);
		const simplify = input.flag(simplifyField);
		return {
			scope: filter,
			async poll(client, start, budget) {
				const source = taskRunSource(client, filter);
				const { changes, state, notes } = await pollRunsFrom(start, source, budget);
				const wanted = changes.filter(({ run }) => isChosen(states, [run.state], isOver(run)));
				const timeOf = (run: TaskRun) => run.endedAt ?? run.startedAt ?? run.submittedAt;
				const items = inTimeOrder(wanted, timeOf).map(({ run, previousStatus }) =>
					item({
						// A list does not have results.
						...(simplify ? simplifyTaskRun({ ...run, results: undefined }) : run),
						previousState: previousStatus,
						eventId: eventId('taskRun', run.taskRunId, run.state),
					}),
				);
				return { items: items.slice(-start.most), state, notes };
			},
		};
	},
};
