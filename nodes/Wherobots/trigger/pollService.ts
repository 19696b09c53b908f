import type { INodeExecutionData } from 'n8n-workflow';

import { withFacts } from '../parameters/items';
import type { TaskRun } from '../service/taskRuns';
import type { Run } from '../service/types';
import type { Client } from '../transport/client';
import { pollAudit } from './core/audit/auditPoll';
import { pollRuns } from './core/runs/runPoll';
import type { RunChange } from './core/runs/trackedRuns';
import { shareOf, type Budget } from './core/source';
import type { Doubt, TriggerState } from './core/state';
import { SECOND } from './core/watermark';
import {
	auditItems,
	changeItem,
	changeTime,
	exceededItem,
	inTimeOrder,
	stateTime,
	taskRunItem,
} from './items';
import { readOutcomeFacts } from './outcomeFacts';
import { pollCosts, SHARE_OF_RUNS } from './runCosts';
import { auditSource, runSource, taskRunSource } from './serviceSource';
import {
	isWanted,
	isWantedAction,
	isWantedState,
	type RunSettings,
	type Settings,
	type TaskRunSettings,
} from './settings';

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
	{ scope, state, doubt }: PollStart,
	budget: Budget,
): Promise<PollResult> {
	if (settings.event === 'auditEvent') {
		const known = state?.kind === 'audit' ? state : undefined;
		const source = auditSource(client, settings.searchTerm, known?.way);
		const rules = {
			overlap: settings.overlapSeconds * SECOND,
			settle: settings.settleSeconds * SECOND,
		};
		const { events, ...result } = await pollAudit(known, scope, rules, source, budget, doubt);
		const wanted = events.filter(({ event }) =>
			isWantedAction(event.action_name, settings.actionNames),
		);
		return { ...result, items: auditItems(wanted, settings.output) };
	}
	const known = state?.kind === 'runs' ? state : undefined;
	if (settings.event === 'taskRunStateChanged') {
		const source = taskRunSource(client, settings.filter);
		const { changes, ...result } = await pollRuns(known, scope, source, budget, { doubt });
		return { ...result, items: taskRunItems(settings, changes) };
	}
	const source = runSource(client, settings.filter);
	const limits = settings.event === 'runExceededDuration' ? settings.limits : {};
	const time = settings.event === 'runExceededCost' ? shareOf(budget, SHARE_OF_RUNS) : budget;
	const result = await pollRuns(known, scope, source, time, { doubt, limits });
	const { changes, exceeded, state: after, notes } = result;
	switch (settings.event) {
		case 'runExceededCost': {
			// While it is not known whose key it is, there are no runs; another one's start afresh.
			const { costs } = (doubt ? after : known) ?? {};
			const found = await pollCosts(client, settings, costs, source, result, budget);
			return { ...found, notes };
		}
		case 'runExceededDuration':
			exceeded.sort((a, b) => a.since - b.since);
			return {
				items: exceeded.map((each) => exceededItem(each, settings.simplify, client.serviceNow())),
				state: after,
				notes,
			};
		case 'runStatusChanged':
			return { items: await changeItems(client, settings, changes, budget), state: after, notes };
	}
}

/** The items of the changes that are wanted, in the order of time, with costs and log lines. */
export async function changeItems(
	client: Client,
	settings: RunSettings,
	changes: ReadonlyArray<RunChange<Run>>,
	budget: Budget,
): Promise<INodeExecutionData[]> {
	const wanted = changes.filter(({ run }) => isWanted(run, settings.statuses));
	const runs = wanted.map(({ run }) => run);
	const facts = await readOutcomeFacts(client, runs, settings, budget);
	return inTimeOrder(wanted, changeTime).map((change) =>
		withFacts(
			changeItem(change, settings.simplify, client.serviceNow()),
			facts.get(change.run) ?? {},
		),
	);
}

/** The items of the changes that are wanted, in the order of time. */
export function taskRunItems(
	{ states, simplify }: TaskRunSettings,
	changes: ReadonlyArray<RunChange<TaskRun>>,
): INodeExecutionData[] {
	const wanted = changes.filter(({ run }) => isWantedState(run, states));
	const timeOf = (run: TaskRun) => stateTime(run) ?? run.submittedAt;
	return inTimeOrder(wanted, timeOf).map((change) => taskRunItem(change, simplify));
}
