import type { INodeProperties } from 'n8n-workflow';

import {
	choiceField,
	countField,
	rowsField,
	switchField,
	textField,
} from '../../../parameters/declarations';
import {
	optionsOf,
	regionField,
	runtimeField,
	sparkConfigurationField,
} from '../../../parameters/fields';
import { shapeFields } from '../../../parameters/shape';
import { nameExistsFields } from './nameExists';
import { programFields } from './programUpload';
import { waitOptionsField } from '../waitOptions';

export const pypiPackagesField = rowsField({
	displayName: 'PyPI Packages',
	name: 'pypiDependencies',
	placeholder: 'Add package',
	description: 'Python packages to install from PyPI',
	options: [
		{
			displayName: 'Package',
			name: 'package',
			values: [
				textField({
					displayName: 'Name',
					name: 'libraryName',
					placeholder: 'e.g. rasterio',
				}),
				textField({
					displayName: 'Version',
					name: 'libraryVersion',
					placeholder: 'e.g. 1.4.3',
					description: 'A version or a version specifier. Leave empty for the newest version.',
				}),
			],
		},
	],
});

export const driverDiskField = countField({
	displayName: 'Driver Disk (GB)',
	name: 'sparkDriverDiskGB',
	default: 100,
	description: 'Disk size of the Spark driver',
});

export const executorDiskField = countField({
	displayName: 'Executor Disk (GB)',
	name: 'sparkExecutorDiskGB',
	default: 100,
	description: 'Disk size of each Spark executor',
});

export const fileDependenciesField: INodeProperties = {
	displayName: 'File Dependencies',
	name: 'fileDependencies',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add File' },
	default: [],
	placeholder: 'e.g. s3://my-bucket/libs/helpers.whl',
	description:
		'S3 paths of libraries (.jar, .whl, .zip) or JSON configuration files to place on every node',
};

export const sparkConfigsField = sparkConfigurationField({
	name: 'sparkConfigs',
	description: 'Spark properties of the run',
});

export const nameField: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '=job-run-{{ $today.toISODate() }}',
	required: true,
	placeholder: 'e.g. nightly-etl-2026-01-31',
	description:
		'Name of the run: 8 to 255 letters, digits, underscores, hyphens and periods. Does not have to be unique.',
};

export const runTypeField = choiceField({
	displayName: 'Run Type',
	name: 'runType',
	options: [
		{ name: 'Python', value: 'python', description: 'Run a Python file' },
		{ name: 'JAR', value: 'jar', description: 'Run a class from a JAR file' },
	],
	default: 'python',
	description: 'What the run executes',
});

export const programFromField = choiceField({
	displayName: 'File From',
	name: 'programFrom',
	options: [
		{ name: 'S3 Path', value: 'storage', description: 'A file that is already in storage' },
		{
			name: 'Upload From Input',
			value: 'input',
			description: 'Upload a file of the input item to a storage and run it',
		},
	],
	default: 'storage',
	description: 'Where the Python or JAR file comes from',
});

const fileField = (runType: 'python' | 'jar', kind: string, example: string) =>
	textField({
		displayName: `${kind} File`,
		name: `${runType}Uri`,
		required: true,
		placeholder: `e.g. s3://my-bucket/jobs/${example}`,
		description: `S3 path of the ${kind} file, in managed storage or a storage integration`,
		displayOptions: { show: { runType: [runType], programFrom: ['storage'] } },
	});

export const pythonFileField = fileField('python', 'Python', 'nightly_etl.py');

export const jarFileField = fileField('jar', 'JAR', 'nightly-etl.jar');

export const mainClassField = textField({
	displayName: 'Main Class',
	name: 'mainClass',
	placeholder: 'e.g. com.example.NightlyEtl',
	description: "Class to run. Leave empty to use the main class from the JAR's manifest.",
	displayOptions: { show: { runType: ['jar'] } },
});

export const argumentsField: INodeProperties = {
	displayName: 'Arguments',
	name: 'arguments',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Argument' },
	default: [],
	placeholder: 'e.g. --date=2026-01-31',
	description:
		'Arguments of the program, one per field. An expression that returns a list adds one argument per entry.',
	displayOptions: { hide: { '@tool': [true] } },
};

/**
 * The arguments as one value: the editor lets a model define a field, and not how many of them there
 * are.
 */
export const argumentListField: INodeProperties = {
	displayName: 'Arguments',
	name: 'argumentList',
	type: 'json',
	default: '[]',
	placeholder: 'e.g. ["--date", "2026-01-31"]',
	description: 'Arguments of the program, as a JSON array of strings',
	displayOptions: { show: { '@tool': [true] } },
};

export const environmentJsonField: INodeProperties = {
	displayName: 'Environment (JSON)',
	name: 'environmentJson',
	type: 'json',
	default: '{}',
	description:
		'Disks, Spark configuration and dependencies in one object, as the API takes it: sparkDriverDiskGB, sparkExecutorDiskGB, sparkConfigs and dependencies. Cannot be combined with the other options that set these.',
};

export const waitField = switchField({
	displayName: 'Wait for Completion',
	name: 'waitForCompletion',
	description:
		'Whether to wait until the run has ended instead of returning as soon as it is submitted',
});

export const timeoutField = countField({
	displayName: 'Timeout (Minutes)',
	name: 'timeoutMinutes',
	default: 60,
	description:
		"How long the run may take before the service ends it. Capped at your organization's maximum.",
});

export const versionField: INodeProperties = {
	displayName: 'Version',
	name: 'version',
	type: 'string',
	default: 'latest',
	placeholder: 'e.g. preview',
	description:
		'Platform version: latest is the newest stable one, preview the newest pre-release. Your organization may have others.',
};

export const optionsField = optionsOf(
	driverDiskField,
	environmentJsonField,
	executorDiskField,
	fileDependenciesField,
	pypiPackagesField,
	sparkConfigsField,
	timeoutField,
	versionField,
);

/** The form of Job Run: Create (interface, "Run payload" and "Run environment"). */
export const createFields: INodeProperties[] = [
	nameField,
	runTypeField,
	programFromField,
	pythonFileField,
	jarFileField,
	...programFields,
	mainClassField,
	argumentsField,
	argumentListField,
	runtimeField,
	regionField,
	...nameExistsFields,
	waitField,
	...shapeFields,
	waitOptionsField(true, { show: { waitForCompletion: [true] } }),
	optionsField,
];
