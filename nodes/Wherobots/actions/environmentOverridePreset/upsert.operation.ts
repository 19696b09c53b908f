import type { IDataObject, INodeProperties } from 'n8n-workflow';

import * as rules from '../../service/rules';
import { readRecord } from '../../transport/records';
import { optionsOf, sparkConfigGroup } from '../../parameters/fields';
import type { ChoiceField } from '../../parameters/declarations';
import type { Input } from '../../parameters/input';
import { item } from '../../parameters/items';
import type { Operation } from '../operation';

/** Longest name of a preset (public description of the service). */
const MAX_NAME = 50;

const specifyField: ChoiceField<'fields' | 'json'> = {
	displayName: 'Specify Spark Configuration',
	name: 'specifySparkConfiguration',
	type: 'options',
	options: [
		{ name: 'Using Fields Below', value: 'fields' },
		{ name: 'Using JSON', value: 'json' },
	],
	default: 'fields',
	description: 'How to set the Spark configuration',
};

const configurationField: INodeProperties = {
	displayName: 'Spark Configuration',
	name: 'sparkConfiguration',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add config',
	default: {},
	description: 'Spark configuration of the preset',
	displayOptions: { show: { specifySparkConfiguration: ['fields'] } },
	options: [sparkConfigGroup],
};

const configurationJsonField: INodeProperties = {
	displayName: 'Spark Configuration (JSON)',
	name: 'sparkConfigurationJson',
	type: 'json',
	default: '{}',
	description: 'An object with the Spark configuration, as the service takes it',
	displayOptions: { show: { specifySparkConfiguration: ['json'] } },
};

const nameField: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. large-shuffles',
	description: `Name of the preset, at most ${MAX_NAME} characters. A preset of this name is updated.`,
};

const driverDiskField: INodeProperties = {
	displayName: 'Driver Disk Size',
	name: 'driverDiskSize',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 100,
	description: 'Disk size of the Spark driver',
};

const executorDiskField: INodeProperties = {
	displayName: 'Executor Disk Size',
	name: 'executorDiskSize',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 100,
	description: 'Disk size of each Spark executor',
};

const optionsField = optionsOf(driverDiskField, executorDiskField);

export const upsert: Operation = {
	option: {
		name: 'Create or Update',
		value: 'upsert',
		action: 'Create or update environment override preset',
		description: 'Create a new record, or update the current one if it already exists (upsert)',
	},
	fields: [nameField, specifyField, configurationField, configurationJsonField, optionsField],
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
				"must come with something to set: a disk size under 'Options', or a Spark configuration",
			);
		}
		return [item(await readRecord<IDataObject>(client, 'upsertPreset', { body }))];
	},
};

function readConfiguration(input: Input): IDataObject {
	return input.choice(specifyField) === 'json'
		? input.json(configurationJsonField)
		: input.keyValues(configurationField);
}
