import { NodeOperationError, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';

import { isAbove } from '../service/jobRuns/costs';
import type { Micros } from '../service/time/time';
import type { Run } from '../service/types';
import type { Client } from '../transport/client';
import { appIdOf } from '../transport/jobRuns/runCosts';
import { collect } from '../transport/pagination';
import { eventIdOf, eventTimeOf } from './core/audit/events';
import { exceedingRuns } from './core/runs/runDurations';
import { isUsable, TrackedRuns } from './core/runs/trackedRuns';
import type { Budget } from './core/source';
import { DAY, HOUR } from './core/watermark';
import { auditItems, costItem, exceededItem } from './items';
import { changeItems, taskRunItems } from './pollService';
import { readCosts } from './runCosts';
import { auditSource, jobRuns, runSource, taskRunSource } from './serviceSource';
import {
	isWanted,
	isWantedAction,
	isWantedState,
	type AuditSettings,
	type CostSettings,
	type DurationSettings,
	type RunSettings,
	type Settings,
	type TaskRunSettings,
} from './settings';

/** Items of a manual test. */
const SAMPLES = 5;

/** The order of lists is not documented: short ranges first, so that one page has the newest. */
const LOOK_BACK = [HOUR, DAY, 30 * DAY];

/**
 * The items of a manual test: the newest real records, from at most one page per range, or the active
 * runs that have taken longest. It neither reads nor changes the state of the active workflow.
 */
export async function sample(
	context: IPollFunctions,
	client: Client,
	settings: Settings,
	budget: Budget,
): Promise<INodeExecutionData[]> {
	const items = await sampleItems(client, settings, budget);
	if (items.length > 0) return items;
	const what =
		{ auditEvent: 'audit event', taskRunStateChanged: 'task run' }[settings.event as string] ??
		'job run';
	throw new NodeOperationError(context.getNode(), `There is no ${what} to test with yet`, {
		description: `No ${what} matches the settings of this node. Widen its filters, or try again once there is one. Once published, the workflow starts with the next one (n8n 1: once active).`,
	});
}

async function sampleItems(client: Client, settings: Settings, budget: Budget) {
	switch (settings.event) {
		case 'runStatusChanged':
			return await sampleRuns(client, settings, budget);
		case 'runExceededDuration':
			return await sampleDurations(client, settings);
		case 'runExceededCost':
			return await sampleCosts(client, settings, budget);
		case 'taskRunStateChanged':
			return await sampleTaskRuns(client, settings);
		case 'auditEvent':
			return await sampleEvents(client, settings);
	}
}

const createdAt = (run: Run) => jobRuns.read(run).created;

const isRun = (run: Run) => isUsable(jobRuns.read(run));

async function sampleDurations(client: Client, { filter, limits, simplify }: DurationSettings) {
	// Those that have taken longest may be on any page.
	const query = { ...filter, status: [...jobRuns.active] };
	const runs = (await collect<Run>(client, 'listRuns', { query })).filter(isRun);
	const tracked = new TrackedRuns(jobRuns);
	const now = client.serviceNow();
	for (const run of runs) tracked.observe(jobRuns.read(run), now * 1000);
	const shown = runs.map((run) => ({ run, at: now * 1000 }));
	return exceedingRuns(tracked, shown, limits, jobRuns)
		.sort((a, b) => a.since - b.since)
		.slice(0, SAMPLES)
		.map((each) => exceededItem(each, simplify, now));
}

async function sampleRuns(client: Client, settings: RunSettings, budget: Budget) {
	const source = runSource(client, settings.filter);
	const runs = await newestOf(
		[...LOOK_BACK, Infinity],
		async (back) => {
			const { items } = await source.runs({ createdFrom: Math.max(0, source.now() - back) });
			return items.filter((run) => isRun(run) && isWanted(run, settings.statuses));
		},
		createdAt,
	);
	const changes = runs.map((run) => ({ run, previousStatus: null }));
	return await changeItems(client, settings, changes, budget);
}

/** The newest runs that have cost more, with one request for the costs of each page. */
async function sampleCosts(client: Client, settings: CostSettings, budget: Budget) {
	const { filter, limit, simplify } = settings;
	const source = runSource(client, filter);
	const found = await newestOf(
		[...LOOK_BACK, Infinity],
		async (back) => {
			const { items } = await source.runs({ createdFrom: Math.max(0, source.now() - back) });
			const runs = items.filter(isRun).map((run) => ({ run, appId: appIdOf(run) }));
			const costs = await readCosts(client, runs, budget);
			return runs.flatMap(({ run, appId = '' }) => {
				const cost = costs.get(appId);
				return cost && isAbove(cost.cost, limit) ? [{ run, cost }] : [];
			});
		},
		({ run }) => createdAt(run),
	);
	return found.map(({ run, cost }) => costItem(run, cost, limit, simplify, client.serviceNow()));
}

async function sampleTaskRuns(client: Client, settings: TaskRunSettings) {
	const { kind, ...source } = taskRunSource(client, settings.filter);
	// The list is known to begin with the newest.
	const { items } = await source.runs({ createdFrom: 0 });
	const runs = items.filter(
		(run) => isUsable(kind.read(run)) && isWantedState(run, settings.states),
	);
	const changes = runs.slice(0, SAMPLES).map((run) => ({ run, previousStatus: null }));
	return taskRunItems(settings, changes);
}

async function sampleEvents(client: Client, { searchTerm, actionNames, output }: AuditSettings) {
	const source = auditSource(client, searchTerm, 'query', ({ action_name }) =>
		isWantedAction(action_name, actionNames),
	);
	const events = await newestOf(
		[...LOOK_BACK, 89 * DAY],
		async (back) => (await source.events({ start: source.now() - back })).items,
		eventTimeOf,
	);
	const known = events.map((event) => ({
		id: eventIdOf(event),
		time: eventTimeOf(event) ?? 0,
		event,
	}));
	return auditItems(known, output);
}

/** The newest records of the shortest range that has any. */
async function newestOf<T>(
	ranges: Micros[],
	read: (back: Micros) => Promise<T[]>,
	timeOf: (record: T) => Micros | undefined,
): Promise<T[]> {
	for (const back of ranges) {
		const found = await read(back);
		found.sort((a, b) => (timeOf(b) ?? 0) - (timeOf(a) ?? 0));
		if (found.length > 0) return found.slice(0, SAMPLES);
	}
	return [];
}
