import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { defineCountField, defineRowsField, defineTextField } from '../../form/declarations';
import { defineSparkConfigurationField } from '../../form/fields';
import type { Input } from '../../form/input';
import { toText, isPlainObject, describeKind, show } from '../../form/values';
import * as rules from '../../service/rules';
import { ENVIRONMENT } from '../../service/runs/runRequests';

const pypiPackagesField = defineRowsField({
	displayName: 'PyPI Packages',
	name: 'pypiDependencies',
	placeholder: 'Add package',
	description: 'Python packages to install from PyPI',
	row: {
		displayName: 'Package',
		name: 'package',
		values: [
			defineTextField({
				displayName: 'Name',
				name: 'libraryName',
				placeholder: 'e.g. rasterio',
			}),
			defineTextField({
				displayName: 'Version',
				name: 'libraryVersion',
				placeholder: 'e.g. 1.4.3',
				description: 'A version or a version specifier. Leave empty for the newest version.',
			}),
		],
	},
});

const driverDiskField = defineCountField({
	displayName: 'Driver Disk Size (GB)',
	name: 'sparkDriverDiskGB',
	default: 100,
	description: 'Disk size of the Spark driver',
});

const executorDiskField = defineCountField({
	displayName: 'Executor Disk Size (GB)',
	name: 'sparkExecutorDiskGB',
	default: 100,
	description: 'Disk size of each Spark executor',
});

const fileDependenciesField: INodeProperties = {
	displayName: 'File Dependencies',
	name: 'fileDependencies',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add file' },
	default: [],
	placeholder: 'e.g. s3://my-bucket/libs/helpers.whl',
	description:
		'S3 paths of libraries (.jar, .whl, .zip) or JSON configuration files to place on every node of the cluster',
};

const sparkConfigsField = defineSparkConfigurationField({
	name: 'sparkConfigs',
	description: 'Spark properties of the run',
});

const environmentJsonField: INodeProperties = {
	displayName: 'Environment (JSON)',
	name: 'environmentJson',
	type: 'json',
	default: '{}',
	description:
		'One object, as the API expects it: sparkDriverDiskGB, sparkExecutorDiskGB, sparkConfigs and dependencies. Cannot be combined with options that set these.',
};

/** The options that set the environment of a run (interface, "Run environment"). */
export const environmentFields: INodeProperties[] = [
	driverDiskField,
	environmentJsonField,
	executorDiskField,
	fileDependenciesField,
	pypiPackagesField,
	sparkConfigsField,
];

/**
 * Reads and checks these options: field by field, or as JSON. Undefined when none is set.
 *
 * @throws Failure that names the field and the rule it breaks
 */
export function readEnvironment(options: Input): IDataObject | undefined {
	const fromFields = readFields(options);
	const fromJson = readJson(options);
	if (isSet(fromJson) && isSet(fromFields)) {
		throw options.problem(
			environmentJsonField,
			'cannot be combined with the other options for disks, Spark configuration and dependencies: set them in one place',
		);
	}
	return [fromJson, fromFields].find(isSet);
}

function isSet(values: IDataObject): boolean {
	return Object.values(values).some((value) => value !== undefined);
}

function readFields(fields: Input): IDataObject {
	const configs = fields.keyValues(sparkConfigsField);
	checkConfigs(fields, sparkConfigsField, configs);
	const packages = fields.rows(pypiPackagesField).map((row) => ({
		sourceType: 'PYPI',
		libraryName: row.libraryName.trim(),
		libraryVersion: row.libraryVersion.trim() || undefined,
	}));
	const files = fields
		.list(fileDependenciesField)
		.map((filePath) => ({ sourceType: 'FILE', filePath }));
	for (const each of packages) checkDependency(fields, pypiPackagesField, each);
	for (const each of files) checkDependency(fields, fileDependenciesField, each);
	const dependencies = [...packages, ...files];
	return {
		sparkDriverDiskGB: fields.optionalInteger(driverDiskField),
		sparkExecutorDiskGB: fields.optionalInteger(executorDiskField),
		...(isSet(configs)
			? // The interface states that dependencies are required when Spark configs are set.
				{ sparkConfigs: configs, dependencies }
			: { dependencies: dependencies.length > 0 ? dependencies : undefined }),
	};
}

/** Checks what the JSON says with the same rules; a name that is unknown, and like none of them, passes. */
function readJson(input: Input): IDataObject {
	const field = environmentJsonField;
	const environment = input.json(field);
	for (const name of ['sparkDriverDiskGB', 'sparkExecutorDiskGB']) {
		const disk = environment[name];
		if (disk !== undefined && disk !== null && !(Number.isInteger(disk) && Number(disk) >= 1)) {
			throw input.problem(field, `must have a whole number as ${name}, not ${show(disk)}`);
		}
	}
	const isMeant = (name: string, key: string) =>
		name !== key && name.toLowerCase().startsWith(key.toLowerCase().replace(/s$/, ''));
	for (const key of Object.keys(environment)) {
		const meant = key.length > 5 && ENVIRONMENT.find((name) => isMeant(name, key));
		if (meant) throw input.problem(field, `has ${show(key)}, which must be ${meant}`);
	}
	const { sparkConfigs, dependencies } = environment;
	if (dependencies !== undefined && !Array.isArray(dependencies)) {
		throw input.problem(field, 'must have a list as dependencies');
	}
	for (const dependency of dependencies ?? []) checkDependency(input, field, dependency);
	if (sparkConfigs === undefined) return environment;
	if (!isPlainObject(sparkConfigs)) {
		throw input.problem(field, 'must have an object as sparkConfigs');
	}
	checkConfigs(input, field, sparkConfigs, ' in sparkConfigs');
	// As the service takes them: numbers and switches as text.
	const configs = Object.entries(sparkConfigs).map(([key, value]) => [key, toText(value)]);
	return {
		...environment,
		sparkConfigs: Object.fromEntries(configs) as IDataObject,
		dependencies: dependencies ?? [],
	};
}

/** @throws Failure that names an invalid Spark property. @param where it is in the field */
export function checkConfigs(
	input: Input,
	field: INodeProperties,
	configs: IDataObject,
	where = '',
): void {
	for (const [key, value] of Object.entries(configs)) {
		const shown = `${show(key)}${where}`;
		if (/\s/.test(key)) throw input.problem(field, `has spaces in the key ${shown}`);
		if (toText(value) !== undefined) continue;
		const what = `has ${describeKind(value)} as ${shown}: it must be text`;
		throw input.problem(field, what, 'Write full property names: {"spark.executor.memory": "8g"}.');
	}
}

function checkDependency(input: Input, field: INodeProperties, dependency: unknown): void {
	const entry = isPlainObject(dependency) ? dependency : {};
	const { sourceType, libraryName, libraryVersion, filePath } = entry;
	const check = (value: unknown, rule: (text: string) => string | undefined) => {
		const what = typeof value === 'string' ? rule(value) : 'must be text';
		if (what) throw input.problem(field, `has the entry ${show(value)}, which ${what}`);
	};
	if (sourceType === 'PYPI') {
		check(libraryName ?? '', rules.checkLibraryName);
		if (libraryVersion !== undefined && libraryVersion !== null) {
			check(libraryVersion, rules.checkLibraryVersion);
		}
	} else if (sourceType === 'FILE') {
		check(filePath ?? '', rules.checkDependencyFile);
	} else {
		throw input.problem(
			field,
			`has the entry ${show(dependency)}, which must have PYPI or FILE as sourceType`,
		);
	}
}
