import type { INodeExecutionData } from 'n8n-workflow';

import type { Client } from '../transport/client';
import { withFacts } from '../parameters/items';
import { pollAudit } from './core/audit/auditPoll';
import { auditItems, changeItem, exceededItem, inTimeOrder } from './items';
import { readLogTails } from './logTails';
import { readFinishedCosts } from './runCosts';
import { pollRuns } from './core/runs/runPoll';
import type { RunChange } from './core/runs/trackedRuns';
import { auditSource, runSource } from './serviceSource';
import {
	isWanted,
	isWantedAction,
	type AuditSettings,
	type DurationSettings,
	type RunSettings,
	type Settings,
} from './settings';
import type { Budget } from './core/source';
import type { Doubt, TriggerState } from './core/state';
import { SECOND } from './core/watermark';

export interface PollResult {
	items: INodeExecutionData[];
	state: TriggerState;
	/** For the log of n8n. */
	notes: string[];
}

/** What a poll continues from. */
export interface PollStart {
	/** What is polled, as a digest. */
	scope: string;
	state?: TriggerState;
	/** Set when the credential differs from that of the state, and may belong to another organization. */
	doubt?: Doubt;
}

/** What happened since a state, as items, and the state after it. */
export async function pollService(
	client: Client,
	settings: Settings,
	start: PollStart,
	budget: Budget,
): Promise<PollResult> {
	switch (settings.event) {
		case 'runStatusChanged':
			return await pollChanges(client, settings, start, budget);
		case 'runExceededDuration':
			return await pollDurations(client, settings, start, budget);
		case 'auditEvent':
			return await pollEvents(client, settings, start, budget);
	}
}

async function pollChanges(
	client: Client,
	settings: RunSettings,
	{ scope, state, doubt }: PollStart,
	budget: Budget,
): Promise<PollResult> {
	const source = runSource(client, settings.filter);
	const known = state?.kind === 'runs' ? state : undefined;
	const result = await pollRuns(known, scope, source, budget, { doubt });
	const wanted = result.changes.filter(({ run }) => isWanted(run, settings.statuses));
	const items = await changeItems(client, settings, wanted, budget);
	return { items, state: result.state, notes: result.notes };
}

/** The items of changes, in the order of time, with costs and log lines where they are wanted. */
export async function changeItems(
	client: Client,
	{ includeCost, logLines, simplify }: RunSettings,
	changes: readonly RunChange[],
	budget: Budget,
): Promise<INodeExecutionData[]> {
	const costs = await readFinishedCosts(client, changes, includeCost, budget);
	const tails = await readLogTails(client, changes, logLines, budget);
	return inTimeOrder(changes).map((change) =>
		withFacts(
			changeItem(change, simplify, client.serviceNow(), tails.get(change.run)),
			costs.get(change.run) ?? {},
		),
	);
}

async function pollDurations(
	client: Client,
	{ filter, limits, simplify }: DurationSettings,
	{ scope, state, doubt }: PollStart,
	budget: Budget,
): Promise<PollResult> {
	const source = runSource(client, filter);
	const known = state?.kind === 'runs' ? state : undefined;
	const result = await pollRuns(known, scope, source, budget, { doubt, limits });
	const items = result.exceeded
		.sort((a, b) => a.since - b.since)
		.map((each) => exceededItem(each, simplify, client.serviceNow()));
	return { items, state: result.state, notes: result.notes };
}

async function pollEvents(
	client: Client,
	settings: AuditSettings,
	{ scope, state, doubt }: PollStart,
	budget: Budget,
): Promise<PollResult> {
	const known = state?.kind === 'audit' ? state : undefined;
	const source = auditSource(client, settings.searchTerm, known?.way);
	const rules = {
		overlap: settings.overlapSeconds * SECOND,
		settle: settings.settleSeconds * SECOND,
	};
	const result = await pollAudit(known, scope, rules, source, budget, doubt);
	const wanted = result.events.filter(({ event }) =>
		isWantedAction(event.action_name, settings.actionNames),
	);
	return { items: auditItems(wanted, settings.output), state: result.state, notes: result.notes };
}
