import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { includeCostField, optionsOf, simplifyField, statusOptions } from '../../parameters/fields';
import { item } from '../../parameters/items';
import { isTerminal, outcomeOf } from '../../service/jobRuns/runs';
import type { Run } from '../../service/types';
import type { Client } from '../../transport/client';
import { inParallel } from '../../transport/inParallel';
import { readLog } from '../../transport/jobRuns/logReading';
import { costFields } from '../../transport/jobRuns/runCosts';
import { toResult } from '../../transport/toResult';
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
	description: 'How many of the last log lines to include for runs that failed or timed out',
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
		const logLines = options.optionalInteger(logLinesField) ?? 0;
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
				const logs = await readLastLines(client, failed, logLines);
				const items = newest.map(({ run, previousStatus }) =>
					item({
						...recordOf(run, simplify, client.serviceNow()),
						previousStatus,
						changeTime: changeTime(run) ?? null,
						eventId: changeId(run),
						...logs.get(run),
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

/** Reads the last log lines of runs. `logProblem` says why they cannot be read: which does not hold back any item. */
async function readLastLines(
	client: Client,
	runs: readonly Run[],
	count: number,
): Promise<Map<Run, IDataObject>> {
	const logs = new Map<Run, IDataObject>();
	await inParallel(count > 0 ? runs.length : 0, LOGS_AT_ONCE, async (index) => {
		const selection = { which: 'last' as const, count };
		const log = await toResult(readLog(client, runs[index].id, { selection, quietMs: QUIET_MS }));
		const fields = log.ok
			? { logLines: log.value.lines.map(({ raw }) => raw) }
			: { logLines: [], logProblem: (log.error as Error).message };
		logs.set(runs[index], fields);
	});
	return logs;
}
