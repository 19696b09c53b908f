import { NodeOperationError, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';

import type { Client } from '../transport/client';
import { eventIdOf, eventTimeOf } from './core/auditEvents';
import { auditItems, changeItem, inTimeOrder } from './items';
import { readLogTails } from './logTails';
import { auditSource, runSource } from './serviceSource';
import {
	isWanted,
	isWantedAction,
	type AuditSettings,
	type RunSettings,
	type Settings,
} from './settings';
import type { Budget, MicroTime } from './core/source';
import { createdAt } from './core/trackedRuns';

/** Items of a manual test. */
const SAMPLES = 5;

const HOUR: MicroTime = 3600 * 1_000_000;

/** The order of lists is not documented: short ranges first, so that one page holds the newest. */
const LOOK_BACK = [HOUR, 24 * HOUR, 30 * 24 * HOUR];

/**
 * What a manual test shows: the newest real records, a page at most of each range. It neither reads
 * nor changes what the active workflow knows.
 */
export async function sample(
	context: IPollFunctions,
	client: Client,
	settings: Settings,
	budget: Budget,
): Promise<INodeExecutionData[]> {
	const items =
		settings.event === 'runStatusChanged'
			? await sampleRuns(client, settings, budget)
			: await sampleEvents(client, settings);
	if (items.length > 0) return items;
	const what = settings.event === 'runStatusChanged' ? 'job run' : 'audit event';
	throw new NodeOperationError(context.getNode(), `There is no ${what} to test with yet`, {
		description: `No ${what} matches the settings of this node. Loosen its filters, or try again after there is one. Once the workflow is active it starts with the next one.`,
	});
}

async function sampleRuns(client: Client, settings: RunSettings, budget: Budget) {
	const source = runSource(client, settings.filter);
	for (const back of [...LOOK_BACK, Infinity]) {
		const createdFrom = Math.max(0, source.now() - back);
		const { items } = await source.runs({ createdFrom });
		const newest = items
			.filter((run) => isWanted(run, settings.statuses))
			.sort((a, b) => (createdAt(b) ?? 0) - (createdAt(a) ?? 0))
			.slice(0, SAMPLES);
		if (newest.length === 0) continue;
		const changes = inTimeOrder(newest.map((run) => ({ run, previousStatus: null })));
		const tails = await readLogTails(client, changes, settings.logLines, budget);
		return changes.map((change) =>
			changeItem(change, settings.simplify, client.serviceNow(), tails.get(change.run)),
		);
	}
	return [];
}

async function sampleEvents(client: Client, settings: AuditSettings) {
	const source = auditSource(client, settings.searchTerm);
	for (const back of [...LOOK_BACK, 89 * 24 * HOUR]) {
		const { items } = await source.events({ start: source.now() - back });
		const newest = items
			.filter((event) => isWantedAction(event.action_name, settings.actionNames))
			.map((event) => ({ id: eventIdOf(event), time: eventTimeOf(event) ?? 0, event }))
			.sort((a, b) => b.time - a.time)
			.slice(0, SAMPLES);
		if (newest.length > 0) return auditItems(newest, settings.output);
	}
	return [];
}
