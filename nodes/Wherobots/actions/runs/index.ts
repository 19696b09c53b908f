import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { jobRunPart } from '../../form/address';
import { defineCountField, defineSwitchField } from '../../form/declarations';
import {
	createdAfterFilter,
	defineOptions,
	includeOutputField,
	runNameFilter,
	runRegionFilter,
	statusOptions,
} from '../../form/fields';
import { addFacts, toItem, shapeFields } from '../../form/output';
import { fetchRunCost } from '../../useCases/runs/costs';
import { requestCancel, waitForEnd } from '../../useCases/runs/wait';
import { isRunMetrics, simplifyMetrics } from '../../service/runs/costs';
import { jobRuns, listStatusesBehind } from '../../service/records/jobRun';
import { explainReading, hasStatus } from '../../transport/failure';
import { fetchList, fetchRecord, fetchRun, toUnexpectedFailure } from '../../transport/records';
import { defineGet, defineGetMany, type Operation, type Resource } from '../operations/operation';
import { getLogs } from './logs';
import { create, rerun } from './submission';
import { adviseOnWait, readLog, simplify, toRunItem, waitForCompletion } from './wait';

const MAX_INTERVAL_MS = 10_000;

const cancelWaitField = defineSwitchField({
	displayName: 'Wait Until Cancelled',
	name: 'waitUntilCancelled',
	description:
		'Whether to wait until the run has actually stopped, usually about a minute after the request',
});

/** The service says that cancelling takes about a minute; five leave room. */
const maxWaitField = defineCountField({
	displayName: 'Max Wait (Minutes)',
	name: 'maxWaitMinutes',
	default: 5,
	description: 'How long to wait for the run to stop',
	displayOptions: { show: { waitUntilCancelled: [true] } },
});

const cancel: Operation = {
	name: 'Cancel',
	value: 'cancel',
	action: 'Cancel job run',
	description: 'Cancel a pending or running job run',
	hint: 'Stops the run for everybody who waits for it.',
	fields: [jobRunPart.field, cancelWaitField, maxWaitField, ...shapeFields],
	kind: 'write',
	async execute(call) {
		const { client, input } = call;
		const runId = input.text(jobRunPart.field);
		const wait = input.flag(cancelWaitField);
		const maxWaitMs = wait ? 60_000 * input.integer(maxWaitField) : 0;
		await requestCancel(client, jobRuns, runId);
		// The response to a cancel has no documented shape, so the run is read.
		const read = async () =>
			wait
				? await waitForEnd(client, runId, {
						maxWaitMs,
						advice: adviseOnWait(maxWaitField),
						maxIntervalMs: MAX_INTERVAL_MS,
						cancelOnStop: false,
					})
				: await fetchRun(client, jobRuns, runId);
		return {
			finish: async () => [
				toRunItem(
					call,
					await explainReading(read(), { before: 'The service accepted the cancellation.' }),
				),
			],
		};
	},
};

const costWaitField = defineCountField({
	displayName: 'Wait for Cost (Minutes)',
	name: 'maxWaitMinutes',
	default: 90,
	description:
		'How long to wait for the final cost, which can take about an hour after the end of the run. The execution keeps running in the meantime. A day after the run, there is no need to wait.',
});

const costOptionsField = defineOptions(costWaitField);

const costAdvice = {
	now: `To get the cost so far, remove '${costWaitField.displayName}'.`,
	longer: `Raise '${costWaitField.displayName}', or get the cost again later.`,
};

const getCost: Operation = {
	name: 'Get Cost',
	value: 'getCost',
	action: 'Get job run cost',
	description: 'Get what a job run has cost so far, and whether that amount is final',
	fields: [jobRunPart.field, costOptionsField],
	kind: 'read',
	async execute({ client, input }) {
		const runId = input.text(jobRunPart.field);
		const minutes = input.within(costOptionsField).optionalInteger(costWaitField);
		const waitMs = 60_000 * (minutes ?? 0);
		const read = async () => {
			const known = await fetchRun(client, jobRuns, runId);
			const { run, cost } = await fetchRunCost(client, known, waitMs, costAdvice);
			return [toItem({ runId: run.id, name: run.name, status: run.shownStatus, ...cost })];
		};
		// The costs of all items are waited for at once.
		return waitMs > 0 ? { finish: read } : await read();
	},
};

const getOptionsField = defineOptions(includeOutputField);

const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get job run',
	description: 'Get the status and details of a job run',
	fields: [jobRunPart.field, ...shapeFields, getOptionsField],
	kind: 'read',
	async execute(call) {
		const { client, input } = call;
		const runId = input.text(jobRunPart.field);
		const includeOutput = input.within(getOptionsField).flag(includeOutputField);
		const run = await fetchRun(client, jobRuns, runId);
		const { output } = await readLog(call, run, 0, includeOutput);
		return [addFacts(toRunItem(call, run), { ...output })];
	},
};

const getMetrics = defineGet({
	name: 'Get Metrics',
	value: 'getMetrics',
	action: 'Get job run metrics',
	description: 'Get the CPU, memory and GPU usage of a job run, its spatial units and its cost',
	endpoint: 'getRunMetrics',
	async read({ client }, path) {
		const response = await fetchRecord(client, 'getRunMetrics', { path });
		if (isRunMetrics(response)) return response;
		throw toUnexpectedFailure('It does not contain metrics.', { path });
	},
	simplify: (metrics, _, { runId }) => simplifyMetrics(runId, metrics),
});

const statusFilter: INodeProperties = {
	displayName: 'Statuses',
	name: 'statuses',
	type: 'multiOptions',
	options: statusOptions,
	default: [],
	description:
		'Only include runs with one of these statuses. Runs that the service reports as failed because of a timeout count as Timed Out.',
};

const getAll = defineGetMany({
	action: 'Get many job runs',
	description: 'List job runs, filtered by name, region, status or creation time',
	endpoint: 'listRuns',
	records: 'job runs',
	filters: {
		name: runNameFilter,
		region: runRegionFilter,
		status: statusFilter,
		created_after: createdAfterFilter,
	},
	async read({ client }, { query, ...options }) {
		const statuses = query?.status as string[];
		const only = (raw: IDataObject) => statuses.includes(jobRuns.of(raw).shownStatus);
		const read = async (status?: string[]) =>
			await fetchList(client, 'listRuns', {
				...options,
				query: { ...query, status },
				only: statuses.length > 0 ? only : undefined,
			});
		return await read(listStatusesBehind(statuses)).catch(async (error: unknown) => {
			// The interface's list of values for this filter lacks TIMED_OUT, so a service may refuse it.
			if (statuses.includes('TIMED_OUT') && hasStatus(error, 400, 422)) return await read();
			throw error;
		});
	},
	simplify,
});

export const jobRun: Resource = {
	name: 'Job Run',
	value: 'jobRun',
	description: 'A Python file or JAR that runs on a Spark cluster',
	operations: [cancel, create, get, getCost, getLogs, getAll, getMetrics, rerun, waitForCompletion],
	defaultOperation: create,
	toolOperation: getAll,
};
