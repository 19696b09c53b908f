/**
 */
import type { INodeProperties } from 'n8n-workflow';

import type { ChoiceField } from '../../parameters/declarations';
import { readOrDefault, regionField, runtimeField } from '../../parameters/fields';
import type { Input } from '../../parameters/input';
import { ORGANIZATION_DEFAULT } from '../../service/jobRuns/runtimes';
import type { SessionType } from '../../service/sql/sessions';
import type { SessionRequest } from '../../transport/sql/openSession';

const organizationDefault = {
	mode: 'list',
	value: ORGANIZATION_DEFAULT,
	cachedResultName: 'Organization Default',
};

export const sessionRuntimeField: INodeProperties = {
	...runtimeField,
	default: organizationDefault,
	description:
		"Size and type of the session's compute. A session costs money from its start until it shuts down.",
	hint: 'If no session is running, one is started. It costs money, even while idle, until its idle timeout.',
};

export const sessionRegionField: INodeProperties = {
	...regionField,
	default: organizationDefault,
	description: 'Compute region of the session',
};

export const environmentOverridePresetOption: INodeProperties = {
	displayName: 'Environment Override Preset ID',
	name: 'environmentOverridePresetId',
	type: 'string',
	default: '',
	placeholder: 'e.g. 7d4e2a60-51c3-4b8f-a2d9-90be1f3c6a54',
	description: 'The preset of resources and dependencies to start the session with',
};

export const environmentPresetOption: INodeProperties = {
	...environmentOverridePresetOption,
	displayName: 'Environment Preset ID',
	name: 'environmentPresetId',
	description: 'The environment preset of your organization to start the session with',
};

export const idleTimeoutOption: INodeProperties = {
	displayName: 'Idle Timeout (Minutes)',
	name: 'idleTimeoutMinutes',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 30,
	description:
		"How long a new session stays up while it executes nothing. Defaults to the service's own setting.",
};

export const sessionTypeOption: ChoiceField<SessionType> = {
	displayName: 'Session Type',
	name: 'sessionType',
	type: 'options',
	options: [
		{
			name: 'Shared',
			value: 'multi',
			description: 'Use a running session with the same settings, or start one that others may use',
		},
		{
			name: 'Single',
			value: 'single',
			description: 'Start a session that nothing else uses, once for each workflow execution',
		},
	],
	default: 'multi',
	description: 'Which session executes the query',
};

export const sessionWaitOption: INodeProperties = {
	displayName: 'Session Wait (Seconds)',
	name: 'sessionWaitSeconds',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 900,
	description: 'How long to wait until the session is ready. A new one takes one to two minutes.',
};

export const shutdownOption: INodeProperties = {
	displayName: 'Shut Down After Inactivity (Seconds)',
	name: 'shutdownAfterInactiveSeconds',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 900,
	description:
		"How long a new session stays up while nothing is connected to it. Defaults to the service's own setting.",
};

export const startNewOption: INodeProperties = {
	displayName: 'Start New Session',
	name: 'startNewSession',
	type: 'boolean',
	default: false,
	description:
		'Whether to start a session even if one with the same settings is running, once for each workflow execution',
};

export const versionOption: INodeProperties = {
	displayName: 'Version',
	name: 'version',
	type: 'string',
	default: '',
	placeholder: 'e.g. preview',
	description: 'Platform version of the session. Defaults to that of the service.',
};

/** The fields by the names of their values in the request for a session. */
export const sessionRequestFields = {
	region: sessionRegionField,
	runtimeId: sessionRuntimeField,
	sessionType: sessionTypeOption,
	shutdownAfterInactiveSeconds: shutdownOption,
	idleTimeoutMinutes: idleTimeoutOption,
	version: versionOption,
	environmentPresetId: environmentPresetOption,
	environmentOverridePresetId: environmentOverridePresetOption,
};

/** @param options the options of the form */
export function readSessionRequest(input: Input, options: Input): SessionRequest {
	return {
		region: readOrDefault(input, sessionRegionField),
		runtimeId: readOrDefault(input, sessionRuntimeField),
		sessionType: options.choice(sessionTypeOption),
		forceNew: options.flag(startNewOption),
		shutdownAfterInactiveSeconds: options.optionalInteger(shutdownOption),
		idleTimeoutMinutes: options.optionalInteger(idleTimeoutOption),
		version: options.optionalText(versionOption),
		environmentPresetId: options.optionalText(environmentPresetOption),
		environmentOverridePresetId: options.optionalText(environmentOverridePresetOption),
	};
}
