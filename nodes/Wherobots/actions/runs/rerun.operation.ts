import type { IDataObject } from 'n8n-workflow';

import { jobRunPart, readAddress } from '../../form/address';
import { defineCollection, defineSwitchField } from '../../form/declarations';
import { regionField, runtimeField } from '../../form/fields';
import type { Input } from '../../form/input';
import { shapeFields } from '../../form/output';
import { jobRuns, type JobRun, toNextName } from '../../service/records/jobRun';
import { toRequest, type RunRequest } from '../../service/runs/runRequests';
import { ORGANIZATION_DEFAULT } from '../../service/deployment';
import * as rules from '../../service/rules';
import { Failure } from '../../transport/failure';
import { fetchRun } from '../../transport/records';
import { addHint, type Call, type Operation } from '../operations/operation';
import { argumentsField, nameField, requestFields, timeoutField, versionField } from './payload';
import { reuseFields, prepareSubmission } from './submission';
import { waitField, defineWaitOptionsField } from './wait';

const anyStatusField = defineSwitchField({
	displayName: 'Run Again in Any Status',
	name: 'anyStatus',
	description: 'Whether to run it again even if it has completed, or is still pending or running',
});

const newNameField = {
	...nameField,
	default: '',
	required: undefined,
	description:
		'Name of the new run. Defaults to the old name with the next number: nightly-etl-2 after nightly-etl.',
};

const changesField = defineCollection(
	'Changes',
	[
		{ ...argumentsField, displayOptions: undefined },
		newNameField,
		{ ...regionField, required: undefined },
		{ ...runtimeField, required: undefined },
		timeoutField,
		versionField,
	],
	{ placeholder: 'Add change' },
);

const { region, runtime, timeoutSeconds, args } = requestFields;

export const rerun: Operation = {
	option: {
		name: 'Run Again',
		value: 'rerun',
		action: 'Run job again',
		description:
			'Run the program of a job run again as a new run, optionally with changes; by default only if it did not complete',
	},
	fields: [
		jobRunPart.field,
		changesField,
		anyStatusField,
		...reuseFields,
		waitField,
		...shapeFields,
		defineWaitOptionsField(true),
	],
	requestFields: { name: newNameField, region, runtime, timeoutSeconds, args },
	kind: 'write',
	async execute(call) {
		const { client, input } = call;
		const { runId } = readAddress(input, [jobRunPart]).names;
		const changes = readChanges(input.within(changesField));
		const anyStatus = input.flag(anyStatusField);
		return prepareSubmission(call, {
			asked: { runId, changes, anyStatus },
			facts: { rerunOf: runId },
			async request() {
				const run = await fetchRun(client, jobRuns, runId);
				if (!anyStatus) requireIncomplete(run, runId);
				return applyChanges(call, run, runId, changes);
			},
		});
	},
};

/** What is undefined stays as it was. */
type Changes = ReturnType<typeof readChanges>;

function readChanges(fields: Input) {
	const minutes = fields.optionalInteger(timeoutField);
	return {
		name: fields.optionalText(newNameField),
		region: fields.optionalText(regionField),
		runtime: fields.optionalText(runtimeField),
		version: fields.optionalText(versionField),
		timeoutSeconds: minutes && 60 * minutes,
		args: fields.raw(argumentsField, '') === '' ? undefined : fields.texts(argumentsField),
	};
}

function requireIncomplete(run: JobRun, runId: string): void {
	const { outcome } = run;
	if (outcome !== undefined && outcome !== 'COMPLETED') return;
	const state = outcome === undefined ? `is still ${run.status}` : 'has completed';
	throw new Failure({
		message: `Job run "${run.name}" ${state}, so it was not run again`,
		description: `Run ID: ${runId}\nSwitch on '${anyStatusField.displayName}' to run it again anyway.`,
		facts: run.facts,
	});
}

/** The request for a new run, with the changes. Hints say what the record does not tell. */
function applyChanges(
	{ context, input }: Call,
	run: JobRun,
	runId: string,
	{ name, args: newArgs, ...changes }: Changes,
): RunRequest {
	const before = toRequest(run);
	if ('problem' in before) {
		throw new Failure({
			message: `Job run "${run.name}" cannot be run again: its record ${before.problem}`,
			description: `Run ID: ${runId}\nSubmit its program with Job Run: Create.`,
			facts: run.facts,
		});
	}
	const { payload, leftOut } = before;
	const next = name ?? toNextName(payload.name);
	const problem = rules.checkRunName(next);
	if (problem)
		throw input.problem(newNameField, `must be set: the next name, "${next}", ${problem}`);

	/** That of the record unless it is changed; undefined for the organization's default. */
	const choose = (what: 'region' | 'runtime', known: unknown) => {
		const value = changes[what] ?? known;
		if (value !== undefined) return value === ORGANIZATION_DEFAULT ? undefined : String(value);
		hint(`does not name its ${what}, so the organization's default is used`);
		return undefined;
	};
	const hint = (what: string) =>
		addHint(context, { message: `The record of job run "${run.name}" ${what}.` });
	if (leftOut.length > 0) hint(`also has ${leftOut.join(', ')}, which were not submitted again`);
	const { version = payload.version, timeoutSeconds: timeout = payload.timeoutSeconds } = changes;
	const program = payload.runPython ? 'runPython' : 'runJar';
	return {
		region: choose('region', before.region),
		payload: {
			...payload,
			name: next,
			runtime: choose('runtime', payload.runtime),
			version,
			timeoutSeconds: timeout,
			[program]: { ...(payload[program] as IDataObject), ...(newArgs ? { args: newArgs } : {}) },
		},
	};
}
