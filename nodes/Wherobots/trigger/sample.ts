import {
	NodeOperationError,
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
} from 'n8n-workflow';

import { ACTIVE_STATUSES } from '../service/jobRuns/runs';
import type { Run } from '../service/types';
import type { Client } from '../transport/client';
import { eventIdOf, eventTimeOf } from './core/audit/auditEvents';
import { auditItems, exceededItem } from './items';
import { changeItems } from './pollService';
import { auditSource, runSource } from './serviceSource';
import {
	isWanted,
	isWantedAction,
	type AuditSettings,
	type DurationSettings,
	type RunSettings,
	type Settings,
} from './settings';
import { readList } from './core/readList';
import type { Budget } from './core/source';
import { exceedingRuns } from './core/runs/runDurations';
import { createdAt, isUsable, TrackedRuns } from './core/runs/trackedRuns';
import { DAY, HOUR } from './core/watermark';

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
	const what = settings.event === 'auditEvent' ? 'audit event' : 'job run';
	throw new NodeOperationError(context.getNode(), `There is no ${what} to test with yet`, {
		description: `No ${what} matches the settings of this node. Widen its filters, or try again once there is one. Once published, the workflow starts with the next one (n8n 1: once active).`,
	});
}

async function sampleItems(client: Client, settings: Settings, budget: Budget) {
	switch (settings.event) {
		case 'runStatusChanged':
			return await sampleRuns(client, settings, budget);
		case 'runExceededDuration':
			return await sampleDurations(client, settings, budget);
		case 'auditEvent':
			return await sampleEvents(client, settings);
	}
}

/** Only runs that exceed a limit now, because a workflow may cancel them. */
async function sampleDurations(
	client: Client,
	{ filter, limits, simplify }: DurationSettings,
	budget: Budget,
) {
	const source = runSource(client, filter);
	const items: Run[] = [];
	// Those that have taken longest may be on any page.
	await readList<Run>({
		source,
		budget,
		readPage: async (cursor) => await source.runs({ statuses: ACTIVE_STATUSES }, cursor),
		keyOf: (run) => String(run.id),
		take: (runs) => {
			items.push(...runs.filter(isUsable));
			return undefined;
		},
	});
	const tracked = new TrackedRuns();
	const now = source.now();
	for (const run of items) tracked.observe(run, now);
	const shown = items.map((run) => ({ run, at: now }));
	return exceedingRuns(tracked, shown, limits)
		.sort((a, b) => a.since - b.since)
		.slice(0, SAMPLES)
		.map((each) => exceededItem(each, simplify, client.serviceNow()));
}

async function sampleRuns(client: Client, settings: RunSettings, budget: Budget) {
	const source = runSource(client, settings.filter);
	for (const back of [...LOOK_BACK, Infinity]) {
		const createdFrom = Math.max(0, source.now() - back);
		const { items } = await source.runs({ createdFrom });
		const newest = items
			.filter((run) => isUsable(run) && isWanted(run, settings.statuses))
			.sort((a, b) => (createdAt(b) ?? 0) - (createdAt(a) ?? 0))
			.slice(0, SAMPLES);
		if (newest.length === 0) continue;
		const changes = newest.map((run) => ({ run, previousStatus: null }));
		return await changeItems(client, settings, changes, budget);
	}
	return [];
}

async function sampleEvents(client: Client, settings: AuditSettings) {
	const isChosen = (event: IDataObject) => isWantedAction(event.action_name, settings.actionNames);
	const source = auditSource(client, settings.searchTerm, 'query', isChosen);
	for (const back of [...LOOK_BACK, 89 * DAY]) {
		const { items } = await source.events({ start: source.now() - back });
		const newest = items
			.map((event) => ({ id: eventIdOf(event), time: eventTimeOf(event) ?? 0, event }))
			.sort((a, b) => b.time - a.time)
			.slice(0, SAMPLES);
		if (newest.length > 0) return auditItems(newest, settings.output);
	}
	return [];
}
