import type { IExecuteFunctions, IPollFunctions } from 'n8n-workflow';

import { Input } from '../parameters/input';
import * as rules from '../service/rules';
import { isTerminal, outcomeOf } from '../service/runs';
import type { Run } from '../service/types';
import { DEFAULT_OVERLAP_SECONDS, DEFAULT_SETTLE_SECONDS, FINISHED } from './properties';
import type { RunFilter } from './serviceSource';

export interface RunSettings {
	event: 'runStatusChanged';
	filter: RunFilter;
	/** Empty for every status. */
	statuses: string[];
	simplify: boolean;
	/** Log lines that come with a failed run; 0 for none. */
	logLines: number;
}

export interface AuditSettings {
	event: 'auditEvent';
	searchTerm?: string;
	/** Empty for every action. */
	actionNames: string[];
	overlapSeconds: number;
	settleSeconds: number;
	output: 'perEvent' | 'perPoll';
}

export type Settings = RunSettings | AuditSettings;

/** The parameters of the trigger, checked. Throws a NodeOperationError that names the field. */
export function readSettings(context: IPollFunctions): Settings {
	const input = inputOf(context);
	const event = input.choice('event', 'Event', ['runStatusChanged', 'auditEvent'] as const);
	if (event === 'runStatusChanged') {
		return {
			event,
			filter: {
				region: input.optionalText('filters.region', 'Region'),
				name: input.optionalText('filters.name', 'Name', rules.runNamePattern),
			},
			statuses: input.list('statuses', 'Statuses').filter(Boolean),
			simplify: input.flag('simplify', true),
			logLines:
				input.optionalInteger(
					'options.logLines',
					'Log Lines of Failed Runs',
					rules.atLeast(0),
					rules.atMost(1000),
				) ?? 0,
		};
	}
	return {
		event,
		searchTerm: input.optionalText('searchTerm', 'Search Term'),
		actionNames: input.list('options.actionNames', 'Action Names').filter(Boolean),
		overlapSeconds:
			input.optionalInteger(
				'options.overlapSeconds',
				'Overlap (Seconds)',
				rules.atLeast(0),
				rules.atMost(86_400),
			) ?? DEFAULT_OVERLAP_SECONDS,
		settleSeconds:
			input.optionalInteger(
				'options.settleSeconds',
				'Settle Delay (Seconds)',
				rules.atLeast(0),
				rules.atMost(3600),
			) ?? DEFAULT_SETTLE_SECONDS,
		output: input.choice('output', 'Output', ['perEvent', 'perPoll'] as const, 'perEvent'),
	};
}

/** Whether a run in its present status is one to start the workflow for. */
export function isWanted(run: Run, statuses: readonly string[]): boolean {
	if (statuses.length === 0) return true;
	if (statuses.includes(FINISHED) && isTerminal(run.status)) return true;
	const outcome = outcomeOf(run);
	return statuses.includes(run.status) || (outcome !== undefined && statuses.includes(outcome));
}

/** Whether an action is one of the chosen ones. */
export function isWantedAction(action: unknown, names: readonly string[]): boolean {
	return names.length === 0 || names.includes(String(action));
}

/** The same reading of parameters as in the action node; a trigger has no items to choose between. */
function inputOf(context: IPollFunctions): Input {
	const asExecution = {
		getNode: () => context.getNode(),
		getTimezone: () => context.getTimezone(),
		getNodeParameter: (name: string, _item: number, fallback: unknown, options: object) =>
			context.getNodeParameter(name, fallback, options),
	};
	return new Input(asExecution as unknown as IExecuteFunctions, 0);
}
