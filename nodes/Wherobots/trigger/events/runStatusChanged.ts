import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { includeCostField, optionsOf, simplifyField, statusOptions } from '../../parameters/fields';
import { item } from '../../parameters/items';
import { isTerminal, outcomeOf } from '../../service/jobRuns/runs';
import type { Run } from '../../service/types';
import type { Client } from '../../transport/client';
import { inParallel } from '../../transport/inParallel';
import { explainRun, explanationFields } from '../../transport/jobRuns/explainRun';
import { costFields } from '../../transport/jobRuns/runCosts';
import { eventId } from '../core/ids';
import { jobRunSource } from '../serviceSource';
import type { TriggerEvent } from './event';
import {
	FINISHED,
	inTimeOrder,
	isChosen,
	jobRunFilters,
	pollRunsFrom,
	readJobRunFilter,
	recordOf,
} from './runEvent';

const LOGS_AT_ONCE = 10;

/** Lines arrive with a delay; a poll cannot wait the full minute that would be safe. */
const QUIET_MS = 5_000;

/** Maximum length of an excerpt, in characters. */
const MAX_EXCERPT = 100_000;

const statusesField: INodeProperties = {
	displayName: 'Statuses',
	name: 'statuses',
	type: 'multiOptions',
	options: [
		{
			name: 'Finished (Any Outcome)',
			value: FINISHED,
			description: 'Completed, failed, cancelled or timed out',
		},
		...statusOptions,
	],
	default: [FINISHED],
	description: 'Statuses that start the workflow when a job run reaches them',
	hint: 'Select none to start on every status change',
};

const logLinesField: INodeProperties = {
	displayName: 'Log Lines of Failed Runs',
	name: 'logLines',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 1000 },
	default: 20,
	description:
		'How many of the last lines of the program to include when the log does not say why a run failed. Enter 0 to not read logs.',
};

const optionsField = optionsOf(includeCostField, logLinesField);

export const runStatusChanged: TriggerEvent = {
	name: 'Job Run Status Changed',
	description: 'Starts the workflow when a job run changes status',
	record: 'job run',
	fields: [statusesField, simplifyField, jobRunFilters, optionsField],
	read(input) {
		const options = input.within(optionsField);
		const filter = readJobRunFilter(input);
		const statuses = input.list(statusesField);
		const simplify = input.flag(simplifyField);
		const includeCost = options.flag(includeCostField);
		const logLines = options.integer(logLinesField);
		return {
			scope: filter,
			async poll(client, start, budget) {
				const source = jobRunSource(client, filter);
				const { changes, state, notes } = await pollRunsFrom(start, source, budget);
				const wanted = changes.filter(({ run }) => isWanted(run, statuses));
				const newest = inTimeOrder(wanted, changeTime).slice(-start.most);
				const ended = newest.map(({ run }) => run).filter(({ status }) => isTerminal(status));
				const costs = includeCost ? await costFields(client, ended) : undefined;
				const failed = ended.filter(({ status }) => ['FAILED', 'TIMED_OUT'].includes(status));
				const causes = await explainRuns(client, failed, logLines);
				const items = newest.map(({ run, previousStatus }) =>
					item({
						...recordOf(run, simplify, client.serviceNow()),
						previousStatus,
						changeTime: changeTime(run) ?? null,
						eventId: changeId(run),
						...causes.get(run),
						...costs?.get(run),
					}),
				);
				return { items, state, notes };
			},
		};
	},
};

/** Whether a run's current status starts the workflow. */
export function isWanted(run: Run, chosen: string[]): boolean {
	return isChosen(chosen, [run.status, outcomeOf(run) ?? run.status], isTerminal(run.status));
}

/** The public ID of a change, the same for every observation. */
export function changeId(run: Run): string {
	return eventId('run', run.id, run.status);
}

/** The service's time of the current status. */
export function changeTime(run: Run): string | undefined {
	const time = isTerminal(run.status)
		? run.completeTime
		: run.status === 'RUNNING'
			? run.startTime
			: run.status === 'PENDING'
				? run.createTime
				: undefined;
	return time ?? run.updateTime ?? run.createTime;
}

/** Why runs failed, as far as the time of a poll allows. A log that cannot be read holds back no item. */
async function explainRuns(
	client: Client,
	runs: readonly Run[],
	lines: number,
): Promise<Map<Run, IDataObject>> {
	const causes = new Map<Run, IDataObject>();
	await inParallel(runs.length, LOGS_AT_ONCE, async (index) => {
		const options = { lines, quietMs: QUIET_MS, maxLength: MAX_EXCERPT };
		const explanation = await explainRun(client, runs[index], options);
		causes.set(runs[index], explanationFields(explanation));
	});
	return causes;
}
