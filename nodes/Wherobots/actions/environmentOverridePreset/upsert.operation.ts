import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { choiceField, countField, textField } from '../../parameters/declarations';
import * as rules from '../../service/rules';
import { readRecord } from '../../transport/records';
import { optionsOf, sparkConfigGroup } from '../../parameters/fields';
import type { Input } from '../../parameters/input';
import { shape, shapeFields } from '../../parameters/shape';
import { simplifyPreset } from '../../service/presets';
import type { Operation } from '../operation';

/** Longest name of a preset (public description of the service). */
const MAX_NAME = 50;

const specifyField = choiceField({
	displayName: 'Specify Spark Configuration',
	name: 'specifySparkConfiguration',
	options: [
		{ name: 'Using Fields Below', value: 'fields' },
		{ name: 'Using JSON', value: 'json' },
	],
	default: 'fields',
	description: 'How to set the Spark configuration',
});

const configurationField: INodeProperties = {
	displayName: 'Spark Configuration',
	name: 'sparkConfiguration',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add property',
	default: {},
	description: 'Spark properties of the preset',
	displayOptions: { show: { specifySparkConfiguration: ['fields'] } },
	options: [sparkConfigGroup],
};

const configurationJsonField: INodeProperties = {
	displayName: 'Spark Configuration (JSON)',
	name: 'sparkConfigurationJson',
	type: 'json',
	default: '{}',
	description: 'The Spark properties as one JSON object, as the API takes it',
	displayOptions: { show: { specifySparkConfiguration: ['json'] } },
};

const nameField = textField({
	displayName: 'Name',
	name: 'name',
	required: true,
	placeholder: 'e.g. large-shuffles',
	description: `Name of the preset, up to ${MAX_NAME} characters. An existing preset with this name is updated.`,
});

const driverDiskField = countField({
	displayName: 'Driver Disk Size (GB)',
	name: 'driverDiskSize',
	default: 100,
	description: 'Disk size of the Spark driver',
});

const executorDiskField = countField({
	displayName: 'Executor Disk Size (GB)',
	name: 'executorDiskSize',
	default: 100,
	description: 'Disk size of each Spark executor',
});

const optionsField = optionsOf(driverDiskField, executorDiskField);

export const upsert: Operation = {
	option: {
		name: 'Create or Update',
		value: 'upsert',
		action: 'Create or update environment override preset',
		description: 'Create a new record, or update the current one if it already exists (upsert)',
	},
	fields: [
		nameField,
		specifyField,
		configurationField,
		configurationJsonField,
		...shapeFields,
		optionsField,
	],
	requestFields: {
		name: nameField,
		driverDiskSize: driverDiskField,
		executorDiskSize: executorDiskField,
		sparkConfiguration: configurationField,
	},
	kind: 'write',
	async execute({ client, input }) {
		const body: IDataObject = { name: input.text(nameField, rules.maxLength(MAX_NAME)) };
		const options = input.within(optionsField);
		for (const field of [driverDiskField, executorDiskField]) {
			const size = options.optionalInteger(field);
			if (size !== undefined) body[field.name] = size;
		}
		const configuration = readConfiguration(input);
		if (Object.keys(configuration).length > 0) body.sparkConfiguration = configuration;
		if (Object.keys(body).length === 1) {
			throw input.problem(
				nameField,
				"needs something to set: add a disk size under 'Options' or a Spark configuration",
			);
		}
		const record = await readRecord<IDataObject>(client, 'upsertPreset', { body });
		return shape(input, [record], simplifyPreset);
	},
};

function readConfiguration(input: Input): IDataObject {
	return input.choice(specifyField) === 'json'
		? input.json(configurationJsonField)
		: input.keyValues(configurationField);
}
