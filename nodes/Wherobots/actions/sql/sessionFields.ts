import { choiceField, countField, switchField, textField } from '../../parameters/declarations';
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

/** The fields by the names of their values in the request for a session. */
export const sessionRequestFields = {
	region: {
		...regionField,
		default: organizationDefault,
		description: 'Compute region of the session',
	},
	runtimeId: {
		...runtimeField,
		default: organizationDefault,
		description:
			"Size and type of the session's compute. A session costs money from its start until it shuts down.",
		hint: 'If no session is running, one is started. It costs money, even while idle, until its idle timeout.',
	},
	sessionType: choiceField<SessionType>({
		displayName: 'Session Type',
		name: 'sessionType',
		options: [
			{
				name: 'Shared',
				value: 'multi',
				description:
					'Use a running session with the same settings, or start one that others may use',
			},
			{
				name: 'Single',
				value: 'single',
				description: 'Start a session that nothing else uses, once for each workflow execution',
			},
		],
		default: 'multi',
		description: 'Which session executes the query',
	}),
	shutdownAfterInactiveSeconds: countField({
		displayName: 'Shut Down After Inactivity (Seconds)',
		name: 'shutdownAfterInactiveSeconds',
		default: 900,
		description:
			"How long a new session stays up while nothing is connected to it. Defaults to the service's own setting.",
	}),
	idleTimeoutMinutes: countField({
		displayName: 'Idle Timeout (Minutes)',
		name: 'idleTimeoutMinutes',
		default: 30,
		description:
			"How long a new session stays up while it executes nothing. Defaults to the service's own setting.",
	}),
	version: textField({
		displayName: 'Version',
		name: 'version',
		placeholder: 'e.g. preview',
		description: 'Platform version of the session. Defaults to that of the service.',
	}),
	environmentPresetId: textField({
		displayName: 'Environment Preset ID',
		name: 'environmentPresetId',
		placeholder: 'e.g. 7d4e2a60-51c3-4b8f-a2d9-90be1f3c6a54',
		description: 'The environment preset of your organization to start the session with',
	}),
	environmentOverridePresetId: textField({
		displayName: 'Environment Override Preset ID',
		name: 'environmentOverridePresetId',
		placeholder: 'e.g. 7d4e2a60-51c3-4b8f-a2d9-90be1f3c6a54',
		description: 'The preset of resources and dependencies to start the session with',
	}),
};

export const sessionWaitOption = countField({
	displayName: 'Session Wait (Seconds)',
	name: 'sessionWaitSeconds',
	default: 900,
	description: 'How long to wait until the session is ready. A new one takes one to two minutes.',
});

export const startNewOption = switchField({
	displayName: 'Start New Session',
	name: 'startNewSession',
	description:
		'Whether to start a session even if one with the same settings is running, once for each workflow execution',
});

/** A model chooses what it asks for, and each session costs money. */
export const maxSessionsOption = countField({
	displayName: 'Max Sessions per Execution',
	name: 'maxSessions',
	default: 3,
	description:
		'How many SQL sessions this tool may request in one workflow execution, running ones included. After that, queries with other settings are refused.',
	displayOptions: { show: { '@tool': [true] } },
});

/** @param options the options of the form */
export function readSessionRequest(input: Input, options: Input): SessionRequest {
	const fields = sessionRequestFields;
	return {
		region: readOrDefault(input, fields.region),
		runtimeId: readOrDefault(input, fields.runtimeId),
		sessionType: options.choice(fields.sessionType),
		forceNew: options.flag(startNewOption),
		shutdownAfterInactiveSeconds: options.optionalInteger(fields.shutdownAfterInactiveSeconds),
		idleTimeoutMinutes: options.optionalInteger(fields.idleTimeoutMinutes),
		version: options.optionalText(fields.version),
		environmentPresetId: options.optionalText(fields.environmentPresetId),
		environmentOverridePresetId: options.optionalText(fields.environmentOverridePresetId),
	};
}
