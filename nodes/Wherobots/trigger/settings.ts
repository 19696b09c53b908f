import type { IPollFunctions } from 'n8n-workflow';

import {
	includeCostField,
	readAmount,
	runNameFilter,
	runRegionFilter,
	runSourceFilter,
	simplifyField,
} from '../parameters/fields';
import { Input } from '../parameters/input';
import * as rules from '../service/rules';
import { isTerminal, outcomeOf } from '../service/jobRuns/runs';
import { isOver, taskNamePattern, type TaskRun } from '../service/taskRuns';
import type { Run } from '../service/types';
import * as form from './properties';
import type { DurationLimits } from './core/runs/runDurations';
import { MINUTE } from './core/watermark';
import type { RunFilter, TaskRunFilter } from './serviceSource';

interface RunEventSettings {
	filter: RunFilter;
	simplify: boolean;
}

export interface RunSettings extends RunEventSettings {
	event: 'runStatusChanged';
	/** Empty for every status. */
	statuses: string[];
	/** Number of log lines to include for failed runs; 0 for none. */
	logLines: number;
	includeCost: boolean;
}

export interface DurationSettings extends RunEventSettings {
	event: 'runExceededDuration';
	limits: DurationLimits;
}

export interface CostSettings extends RunEventSettings {
	event: 'runExceededCost';
	/** A decimal string without an exponent. */
	limit: string;
}

export interface TaskRunSettings {
	event: 'taskRunStateChanged';
	filter: TaskRunFilter;
	/** Empty for every state. */
	states: string[];
	simplify: boolean;
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

export type Settings =
	| RunSettings
	| DurationSettings
	| CostSettings
	| TaskRunSettings
	| AuditSettings;

/** The parameters of the trigger, checked. Throws a NodeOperationError that names the field. */
export function readSettings(context: IPollFunctions): Settings {
	const input = new Input(context);
	const event = input.choice(form.eventField);
	switch (event) {
		case 'runStatusChanged': {
			const options = input.within(form.runOptionsField);
			return {
				event,
				...readRunEvent(input),
				statuses: input.list(form.statusesField),
				logLines: options.optionalInteger(form.logLinesField) ?? 0,
				includeCost: options.flag(includeCostField),
			};
		}
		case 'runExceededDuration':
			return { event, ...readRunEvent(input), limits: readLimits(input) };
		case 'runExceededCost':
			return { event, ...readRunEvent(input), limit: readAmount(input, form.costLimitField) };
		case 'taskRunStateChanged': {
			const filters = input.within(form.taskRunFiltersField);
			return {
				event,
				filter: {
					taskName: filters.optionalText(form.taskFilter, taskNamePattern),
					runSource: filters.optionalText(runSourceFilter),
					region: filters.optionalText(runRegionFilter),
				},
				states: input.list(form.statesField),
				simplify: input.flag(simplifyField),
			};
		}
		case 'auditEvent': {
			const options = input.within(form.auditOptionsField);
			return {
				event,
				searchTerm: input.optionalText(form.searchTermField),
				actionNames: options.list(form.actionNamesField),
				overlapSeconds: options.integer(form.overlapField),
				settleSeconds: options.integer(form.settleField),
				output: input.choice(form.outputField),
			};
		}
	}
}

function readRunEvent(input: Input): RunEventSettings {
	const filters = input.within(form.runFiltersField);
	return {
		filter: {
			region: filters.optionalText(runRegionFilter),
			name: filters.optionalText(runNameFilter, rules.runNamePattern),
		},
		simplify: input.flag(simplifyField),
	};
}

function readLimits(input: Input): DurationLimits {
	const pending = input.integer(form.pendingMinutesField);
	const running = input.integer(form.runningMinutesField);
	if (pending === 0 && running === 0) {
		throw input.problem(
			form.runningMinutesField,
			"or 'Pending Longer Than (Minutes)' must be more than 0",
		);
	}
	return {
		PENDING: pending === 0 ? undefined : pending * MINUTE,
		RUNNING: running === 0 ? undefined : running * MINUTE,
	};
}

/** Whether a run's current status starts the workflow. */
export function isWanted(run: Run, statuses: readonly string[]): boolean {
	if (statuses.length === 0) return true;
	if (statuses.includes(form.FINISHED) && isTerminal(run.status)) return true;
	const outcome = outcomeOf(run);
	return statuses.includes(run.status) || (outcome !== undefined && statuses.includes(outcome));
}

/** Whether a task run's current state starts the workflow. */
export function isWantedState(run: TaskRun, states: readonly string[]): boolean {
	if (states.length === 0 || states.includes(run.state)) return true;
	return states.includes(form.FINISHED) && isOver(run);
}

export function isWantedAction(action: unknown, names: readonly string[]): boolean {
	return names.length === 0 || names.includes(String(action));
}
