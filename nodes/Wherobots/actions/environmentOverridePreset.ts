import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { defineChoiceField, defineCountField, defineTextField } from '../form/declarations';
import { defineSparkConfigurationField } from '../form/fields';
import * as rules from '../service/rules';
import { pick } from '../service/records';
import { getPersonName } from '../service/records/apiKey';
import { checkConfigs } from './runs/environment';
import { defineDelete, defineGetMany, defineWrite, type Resource } from './operations/operation';

/** The fields of an environment override preset that people need, without the roles of its creator. */
export function simplifyPreset(preset: IDataObject): IDataObject {
	return {
		...pick(preset, ['id', 'name', 'driverDiskSize', 'executorDiskSize', 'sparkConfiguration']),
		protected: preset.protected ?? null,
		createdBy: getPersonName(preset.createdBy),
		...pick(preset, ['createTime', 'updateTime']),
	};
}

/** Longest name of a preset (public description of the service). */
const MAX_NAME = 50;

const specifyField = defineChoiceField({
	displayName: 'Specify Spark Configuration',
	name: 'specifySparkConfiguration',
	options: { fields: 'Using Fields Below', json: 'Using JSON' },
	default: 'fields',
	description: 'How to set the Spark configuration',
});

const configurationField = defineSparkConfigurationField({
	name: 'sparkConfiguration',
	description: 'Spark properties of the preset',
	displayOptions: { show: { specifySparkConfiguration: ['fields'] } },
});

const configurationJsonField: INodeProperties = {
	displayName: 'Spark Configuration (JSON)',
	name: 'sparkConfigurationJson',
	type: 'json',
	default: '{}',
	description: 'The Spark properties as one JSON object, as the API expects it',
	displayOptions: { show: { specifySparkConfiguration: ['json'] } },
};

const nameField = defineTextField({
	displayName: 'Name',
	name: 'name',
	required: true,
	placeholder: 'e.g. large-shuffles',
	description: `Name of the preset, up to ${MAX_NAME} characters. An existing preset with this name is updated.`,
	rule: rules.limitLength(MAX_NAME),
});

const driverDiskField = defineCountField({
	displayName: 'Driver Disk Size (GB)',
	name: 'driverDiskSize',
	default: 100,
	description: 'Disk size of the Spark driver',
});

const executorDiskField = defineCountField({
	displayName: 'Executor Disk Size (GB)',
	name: 'executorDiskSize',
	default: 100,
	description: 'Disk size of each Spark executor',
});

const upsert = defineWrite({
	name: 'Create or Update',
	value: 'upsert',
	action: 'Create or update environment override preset',
	description: 'Create a new preset, or update the current one if it already exists (upsert)',
	endpoint: 'upsertPreset',
	fields: [nameField, specifyField, configurationField, configurationJsonField],
	options: [driverDiskField, executorDiskField],
	body(input, options) {
		const name = input.text(nameField);
		const driverDiskSize = options.optionalInteger(driverDiskField);
		const executorDiskSize = options.optionalInteger(executorDiskField);
		const isJson = input.choice(specifyField) === 'json';
		const configuration: IDataObject = isJson
			? input.json(configurationJsonField)
			: input.keyValues(configurationField);
		checkConfigs(input, isJson ? configurationJsonField : configurationField, configuration);
		const sparkConfiguration = Object.keys(configuration).length > 0 ? configuration : undefined;
		if (!driverDiskSize && !executorDiskSize && !sparkConfiguration) {
			throw input.problem(
				nameField,
				"must not be the only value: add a disk size under 'Options', or a Spark configuration",
			);
		}
		return { name, driverDiskSize, executorDiskSize, sparkConfiguration };
	},
	simplify: simplifyPreset,
});

const deletePreset = defineDelete({
	action: 'Delete environment override preset',
	description: 'Permanently delete a preset',
	endpoint: 'deletePreset',
	picker: { hint: 'This cannot be undone. New notebooks and SQL sessions can no longer use it.' },
});

const getAll = defineGetMany({
	action: 'Get many environment override presets',
	description: 'List presets with their disk sizes and Spark configuration',
	endpoint: 'listPresets',
	records: 'environment override presets',
	simplify: simplifyPreset,
});

export const environmentOverridePreset: Resource = {
	name: 'Environment Override Preset',
	value: 'environmentOverridePreset',
	description:
		'A named set of disk sizes and Spark properties for notebooks and SQL sessions. Job runs cannot use one: set the same under their Options.',
	operations: [upsert, deletePreset, getAll],
};
