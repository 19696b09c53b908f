import type { INodeExecutionData } from 'n8n-workflow';

import type { Client } from '../transport/client';
import { pollAudit } from './core/auditPoll';
import { auditItems, changeItem, inTimeOrder } from './items';
import { readLogTails } from './logTails';
import { pollRuns } from './core/runPoll';
import { auditSource, runSource } from './serviceSource';
import {
	isWanted,
	isWantedAction,
	type AuditSettings,
	type RunSettings,
	type Settings,
} from './settings';
import type { Budget } from './core/source';
import type { TriggerState } from './core/state';

export interface PollResult {
	items: INodeExecutionData[];
	state: TriggerState;
	/** For the log of n8n. */
	notes: string[];
}

/** What happened since a state, as items, and the state after it. */
export async function pollService(
	client: Client,
	settings: Settings,
	scope: string,
	state: TriggerState | undefined,
	budget: Budget,
): Promise<PollResult> {
	return settings.event === 'runStatusChanged'
		? await pollForRuns(client, settings, scope, state, budget)
		: await pollForAudit(client, settings, scope, state, budget);
}

async function pollForRuns(
	client: Client,
	settings: RunSettings,
	scope: string,
	state: TriggerState | undefined,
	budget: Budget,
): Promise<PollResult> {
	const source = runSource(client, settings.filter);
	const known = state?.kind === 'runs' ? state : undefined;
	const result = await pollRuns(known, scope, source, budget);
	const wanted = result.changes.filter(({ run }) => isWanted(run, settings.statuses));
	const tails = await readLogTails(client, wanted, settings.logLines, budget);
	const items = inTimeOrder(wanted).map((change) =>
		changeItem(change, settings.simplify, client.serviceNow(), tails.get(change.run)),
	);
	return { items, state: result.state, notes: result.notes };
}

async function pollForAudit(
	client: Client,
	settings: AuditSettings,
	scope: string,
	state: TriggerState | undefined,
	budget: Budget,
): Promise<PollResult> {
	const known = state?.kind === 'audit' ? state : undefined;
	const source = auditSource(client, settings.searchTerm, known?.way);
	const rules = {
		overlap: settings.overlapSeconds * 1_000_000,
		settle: settings.settleSeconds * 1_000_000,
	};
	const result = await pollAudit(known, scope, rules, source, budget);
	const wanted = result.events.filter(({ event }) =>
		isWantedAction(event.action_name, settings.actionNames),
	);
	return { items: auditItems(wanted, settings.output), state: result.state, notes: result.notes };
}
