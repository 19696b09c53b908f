import type { IDataObject, INodeProperties } from 'n8n-workflow';

import * as rules from '../../service/rules';
import { readRecord } from '../../transport/records';
import { sparkConfigGroup } from '../../parameters/fields';
import type { Input } from '../../parameters/input';
import { item } from '../../parameters/items';
import type { Operation } from '../operation';

/** Longest name of a preset (public description of the service). */
const MAX_NAME = 50;

const sparkFields: INodeProperties[] = [
	{
		displayName: 'Specify Spark Configuration',
		name: 'specifySparkConfiguration',
		type: 'options',
		options: [
			{ name: 'Using Fields Below', value: 'fields' },
			{ name: 'Using JSON', value: 'json' },
		],
		default: 'fields',
		description: 'How to set the Spark configuration',
	},
	{
		displayName: 'Spark Configuration',
		name: 'sparkConfiguration',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add config',
		default: {},
		description: 'Spark configuration of the preset',
		displayOptions: { show: { specifySparkConfiguration: ['fields'] } },
		options: [sparkConfigGroup],
	},
	{
		displayName: 'Spark Configuration (JSON)',
		name: 'sparkConfigurationJson',
		type: 'json',
		default: '{}',
		description: 'An object with the Spark configuration, as the service takes it',
		displayOptions: { show: { specifySparkConfiguration: ['json'] } },
	},
];

export const upsert: Operation = {
	option: {
		name: 'Create or Update',
		value: 'upsert',
		action: 'Create or update environment override preset',
		description: 'Create a new record, or update the current one if it already exists (upsert)',
	},
	fields: [
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. large-shuffles',
			description: `Name of the preset, at most ${MAX_NAME} characters. A preset of this name is updated.`,
		},
		...sparkFields,
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options: [
				{
					displayName: 'Driver Disk Size',
					name: 'driverDiskSize',
					type: 'number',
					typeOptions: { minValue: 1 },
					default: 100,
					description: 'Disk size of the Spark driver',
				},
				{
					displayName: 'Executor Disk Size',
					name: 'executorDiskSize',
					type: 'number',
					typeOptions: { minValue: 1 },
					default: 100,
					description: 'Disk size of each Spark executor',
				},
			],
		},
	],
	kind: 'write',
	async execute({ client, input }) {
		const body: IDataObject = { name: input.text('name', 'Name', rules.maxLength(MAX_NAME)) };
		for (const [name, label] of [
			['driverDiskSize', 'Driver Disk Size'],
			['executorDiskSize', 'Executor Disk Size'],
		]) {
			const size = input.optionalInteger(`options.${name}`, label, rules.atLeast(1));
			if (size !== undefined) body[name] = size;
		}
		const configuration = readConfiguration(input);
		if (Object.keys(configuration).length > 0) body.sparkConfiguration = configuration;
		return [item(await readRecord<IDataObject>(client, 'upsertPreset', { body }))];
	},
};

function readConfiguration(input: Input): IDataObject {
	const how = input.choice(
		'specifySparkConfiguration',
		'Specify Spark Configuration',
		['fields', 'json'],
		'fields',
	);
	if (how === 'json') {
		return input.json('sparkConfigurationJson', 'Spark Configuration (JSON)') ?? {};
	}
	return input.keyValues('sparkConfiguration', 'config', 'Spark Configuration');
}
