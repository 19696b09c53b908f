import type { INodeProperties } from 'n8n-workflow';

import { optionsOf, regionField, runtimeField, sparkConfigGroup } from '../../parameters/fields';
import type { ChoiceField } from '../../parameters/declarations';
import { shapeFields } from '../../parameters/shape';
import { formerReuseField, nameExistsFields } from './nameExists';
import { programFields } from './programUpload';
import { waitOptionsField } from './waitOptions';

export const pypiDependenciesField: INodeProperties = {
	displayName: 'Dependencies From PyPI',
	name: 'pypiDependencies',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add package',
	default: {},
	description: 'Python packages to install',
	options: [
		{
			displayName: 'Package',
			name: 'package',
			values: [
				{
					displayName: 'Name',
					name: 'libraryName',
					type: 'string',
					default: '',
					placeholder: 'e.g. rasterio',
				},
				{
					displayName: 'Version',
					name: 'libraryVersion',
					type: 'string',
					default: '',
					placeholder: 'e.g. 1.4.3',
					description: 'A version or a specifier. Leave empty for the newest one.',
				},
			],
		},
	],
};

export const driverDiskField: INodeProperties = {
	displayName: 'Driver Disk (GB)',
	name: 'sparkDriverDiskGB',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 100,
	description: 'Disk size of the Spark driver',
};

export const executorDiskField: INodeProperties = {
	displayName: 'Executor Disk (GB)',
	name: 'sparkExecutorDiskGB',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 100,
	description: 'Disk size of each Spark executor',
};

export const fileDependenciesField: INodeProperties = {
	displayName: 'File Dependencies',
	name: 'fileDependencies',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add File' },
	default: [],
	placeholder: 'e.g. s3://my-bucket/libs/helpers.whl',
	description:
		'Libraries (.jar, .whl, .zip) or JSON configuration files, which are placed on every node',
};

export const sparkConfigsField: INodeProperties = {
	displayName: 'Spark Configs',
	name: 'sparkConfigs',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add config',
	default: {},
	description: 'Spark configuration of the run',
	options: [sparkConfigGroup],
};

/** Spark's environment of the run, field by field (interface, "Run environment"). */
export const environmentField: INodeProperties = {
	displayName: 'Environment',
	name: 'environment',
	type: 'collection',
	placeholder: 'Add setting',
	default: {},
	displayOptions: { show: { specifyEnvironment: ['fields'] } },
	options: [
		pypiDependenciesField,
		driverDiskField,
		executorDiskField,
		fileDependenciesField,
		sparkConfigsField,
	],
};

export const nameField: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. nightly-etl-2026-01-31',
	description:
		'Name of the run: 8 to 255 letters, digits, underscores, hyphens and periods. It need not be unique.',
};

export const runTypeField: ChoiceField<'python' | 'jar'> = {
	displayName: 'Run Type',
	name: 'runType',
	type: 'options',
	options: [
		{ name: 'Python', value: 'python', description: 'Run a Python file' },
		{ name: 'JAR', value: 'jar', description: 'Run a class of a JAR file' },
	],
	default: 'python',
	description: 'What the run executes',
};

export const programFromField: ChoiceField<'storage' | 'input'> = {
	displayName: 'File From',
	name: 'programFrom',
	type: 'options',
	options: [
		{ name: 'S3 Path', value: 'storage', description: 'A file that is in a storage already' },
		{
			name: 'Upload From Input',
			value: 'input',
			description: 'Upload a file of the input item to a storage, and run it',
		},
	],
	default: 'storage',
	description: 'Where the Python or JAR file comes from',
};

export const pythonFileField: INodeProperties = {
	displayName: 'Python File',
	name: 'pythonUri',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. s3://my-bucket/jobs/nightly_etl.py',
	description: 'S3 path of the Python file, in managed storage or in a storage integration',
	displayOptions: { show: { runType: ['python'], programFrom: ['storage'] } },
};

export const jarFileField: INodeProperties = {
	displayName: 'JAR File',
	name: 'jarUri',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. s3://my-bucket/jobs/nightly-etl.jar',
	description: 'S3 path of the JAR file, in managed storage or in a storage integration',
	displayOptions: { show: { runType: ['jar'], programFrom: ['storage'] } },
};

export const mainClassField: INodeProperties = {
	displayName: 'Main Class',
	name: 'mainClass',
	type: 'string',
	default: '',
	placeholder: 'e.g. com.example.NightlyEtl',
	description: "Class to run. Leave empty to use the one in the JAR's manifest.",
	displayOptions: { show: { runType: ['jar'] } },
};

export const argumentsField: INodeProperties = {
	displayName: 'Arguments',
	name: 'arguments',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Argument' },
	default: [],
	placeholder: 'e.g. --date=2026-01-31',
	description:
		'Arguments of the program, one per field. An expression that gives a list adds one argument for each of its entries.',
};

export const specifyEnvironmentField: ChoiceField<'fields' | 'json'> = {
	displayName: 'Specify Environment',
	name: 'specifyEnvironment',
	type: 'options',
	options: [
		{ name: 'Using Fields Below', value: 'fields' },
		{ name: 'Using JSON', value: 'json' },
	],
	default: 'fields',
	description: 'How to set disks, Spark configs and dependencies',
};

export const environmentJsonField: INodeProperties = {
	displayName: 'Environment (JSON)',
	name: 'environmentJson',
	type: 'json',
	default: '{}',
	description:
		'An object with sparkDriverDiskGB, sparkExecutorDiskGB, sparkConfigs and dependencies, as the service takes it',
	displayOptions: { show: { specifyEnvironment: ['json'] } },
};

export const waitField: INodeProperties = {
	displayName: 'Wait for Completion',
	name: 'waitForCompletion',
	type: 'boolean',
	default: false,
	description:
		'Whether to wait until the run has ended. Off: return at once with the run as it was submitted.',
};

export const timeoutField: INodeProperties = {
	displayName: 'Timeout (Seconds)',
	name: 'timeoutSeconds',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 3600,
	description:
		"When the service ends the run. It is lowered to your organization's maximum if it is longer.",
};

export const versionField: INodeProperties = {
	displayName: 'Version',
	name: 'version',
	type: 'string',
	default: 'latest',
	placeholder: 'e.g. preview',
	description:
		'Platform version: latest is the newest stable one, preview the newest pre-release; your organization may have others',
};

export const optionsField = optionsOf(formerReuseField, timeoutField, versionField);

/** The form of Job Run: Create (interface, "Run payload"). */
export const createFields: INodeProperties[] = [
	nameField,
	runTypeField,
	programFromField,
	pythonFileField,
	jarFileField,
	...programFields,
	mainClassField,
	argumentsField,
	runtimeField,
	regionField,
	specifyEnvironmentField,
	environmentField,
	environmentJsonField,
	...nameExistsFields,
	waitField,
	waitOptionsField(true, { show: { waitForCompletion: [true] } }),
	optionsField,
	...shapeFields,
];
