import type { IPollFunctions } from 'n8n-workflow';

import {
	includeCostField,
	runNameFilter,
	runRegionFilter,
	simplifyField,
} from '../parameters/fields';
import { Input } from '../parameters/input';
import * as rules from '../service/rules';
import { isTerminal, outcomeOf } from '../service/jobRuns/runs';
import type { Run } from '../service/types';
import * as form from './properties';
import type { DurationLimits } from './core/runs/runDurations';
import { MINUTE } from './core/watermark';
import type { RunFilter } from './serviceSource';

export interface RunSettings {
	event: 'runStatusChanged';
	filter: RunFilter;
	/** Empty for every status. */
	statuses: string[];
	simplify: boolean;
	/** Number of log lines to include for failed runs; 0 for none. */
	logLines: number;
	includeCost: boolean;
}

export interface DurationSettings {
	event: 'runExceededDuration';
	filter: RunFilter;
	limits: DurationLimits;
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

export type Settings = RunSettings | DurationSettings | AuditSettings;

/** The parameters of the trigger, checked. Throws a NodeOperationError that names the field. */
export function readSettings(context: IPollFunctions): Settings {
	const input = new Input(context);
	switch (input.choice(form.eventField)) {
		case 'runStatusChanged':
			return readRunSettings(input);
		case 'runExceededDuration':
			return readDurationSettings(input);
		case 'auditEvent':
			return readAuditSettings(input);
	}
}

function readRunSettings(input: Input): RunSettings {
	const options = input.within(form.runOptionsField);
	return {
		event: 'runStatusChanged',
		filter: readFilter(input),
		statuses: input.list(form.statusesField),
		simplify: input.flag(simplifyField),
		logLines: options.optionalInteger(form.logLinesField) ?? 0,
		includeCost: options.flag(includeCostField),
	};
}

function readDurationSettings(input: Input): DurationSettings {
	const pending = input.integer(form.pendingMinutesField);
	const running = input.integer(form.runningMinutesField);
	if (pending === 0 && running === 0) {
		throw input.problem(
			form.runningMinutesField,
			"or 'Pending Longer Than (Minutes)' must be more than 0",
		);
	}
	return {
		event: 'runExceededDuration',
		filter: readFilter(input),
		limits: {
			PENDING: pending === 0 ? undefined : pending * MINUTE,
			RUNNING: running === 0 ? undefined : running * MINUTE,
		},
		simplify: input.flag(simplifyField),
	};
}

function readFilter(input: Input): RunFilter {
	const filters = input.within(form.runFiltersField);
	return {
		region: filters.optionalText(runRegionFilter),
		name: filters.optionalText(runNameFilter, rules.runNamePattern),
	};
}

function readAuditSettings(input: Input): AuditSettings {
	const options = input.within(form.auditOptionsField);
	return {
		event: 'auditEvent',
		searchTerm: input.optionalText(form.searchTermField),
		actionNames: options.list(form.actionNamesField),
		overlapSeconds: options.integer(form.overlapField),
		settleSeconds: options.integer(form.settleField),
		output: input.choice(form.outputField),
	};
}

/** Whether a run's current status starts the workflow. */
export function isWanted(run: Run, statuses: readonly string[]): boolean {
	if (statuses.length === 0) return true;
	if (statuses.includes(form.FINISHED) && isTerminal(run.status)) return true;
	const outcome = outcomeOf(run);
	return statuses.includes(run.status) || (outcome !== undefined && statuses.includes(outcome));
}

export function isWantedAction(action: unknown, names: readonly string[]): boolean {
	return names.length === 0 || names.includes(String(action));
}
