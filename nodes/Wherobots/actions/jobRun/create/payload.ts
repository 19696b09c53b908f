import type { IDataObject, INodeProperties } from 'n8n-workflow';

import * as rules from '../../../service/rules';
import type { RunRequest } from '../../../service/jobRuns/runRequests';
import { readOrDefault, regionField, runtimeField } from '../../../parameters/fields';
import type { Input } from '../../../parameters/input';
import { asText, isPlainObject, kindOf, parseJson, show } from '../../../parameters/values';
import * as form from './createFields';
import type { RequestFields } from '../../operation';

/** The fields that values of a request for a run come from, where it has another name for them. */
export const requestFields: RequestFields = {
	region: {
		...regionField,
		advice: `Choose a region from the list of '${regionField.displayName}', or type its name: not every deployment has an 'Organization Default'.`,
	},
	runtime: {
		...runtimeField,
		advice: `Choose a runtime from the list of '${runtimeField.displayName}', or type its name: not every deployment has an 'Organization Default'.`,
	},
	timeoutSeconds: form.timeoutField,
	'runPython.uri': form.pythonFileField,
	'runJar.uri': form.jarFileField,
	args: form.argumentsField,
	environment: form.optionsField,
};

/**
 * Reads and checks all fields of Job Run: Create. What is undefined is not sent.
 *
 * @throws NodeOperationError that names the field and the rule it breaks
 */
export function readRunRequest(input: Input): RunRequest {
	const name = input.text(form.nameField, rules.runName);
	const isPython = input.choice(form.runTypeField) === 'python';
	const isUploaded = input.choice(form.programFromField) === 'input';
	const uriField = isPython ? form.pythonFileField : form.jarFileField;
	const program = {
		// That of an uploaded program is known later.
		uri: isUploaded ? '' : input.text(uriField, rules.s3Path),
		args: readArguments(input),
	};
	const options = input.within(form.optionsField);
	const environment = readEnvironment(options);
	const minutes = options.optionalInteger(form.timeoutField);
	const payload = {
		name,
		...(isPython
			? { runPython: program }
			: { runJar: { ...program, mainClass: input.optionalText(form.mainClassField) } }),
		runtime: readOrDefault(input, runtimeField),
		version: options.optionalText(form.versionField),
		timeoutSeconds: minutes && 60 * minutes,
		environment: isSet(environment) ? environment : undefined,
	};
	return { region: readOrDefault(input, regionField), payload };
}

/** Puts the address of an uploaded program into the request that runs it. */
export function setProgram({ payload }: RunRequest, uri: string): void {
	Object.assign((payload.runPython ?? payload.runJar) as IDataObject, { uri });
}

/** A person adds a field for each argument; a model gives them as one list. */
function readArguments(input: Input): string[] {
	if (!input.isToolUse) return input.texts(form.argumentsField);
	const field = form.argumentListField;
	const raw = input.raw(field, field.default);
	const list = typeof raw === 'string' ? parseJson(raw.trim() || '[]') : raw;
	if (!Array.isArray(list)) {
		throw input.problem(
			field,
			`must be a JSON array of strings, for example ["--date", "2026-01-31"], not ${show(raw)}`,
		);
	}
	return input.entries(field, list);
}

/** What the options set of Spark's environment: field by field, or as JSON. */
function readEnvironment(options: Input): IDataObject {
	const fromFields = readEnvironmentFields(options);
	const fromJson = readJsonEnvironment(options);
	if (isSet(fromJson) && isSet(fromFields)) {
		throw options.problem(
			form.environmentJsonField,
			'cannot be combined with the other options for disks, Spark configuration and dependencies: set them in one place',
		);
	}
	return isSet(fromJson) ? fromJson : fromFields;
}

function isSet(values: IDataObject): boolean {
	return Object.values(values).some((value) => value !== undefined);
}

function readEnvironmentFields(fields: Input): IDataObject {
	const configs = fields.keyValues(form.sparkConfigsField);
	const packages = fields.rows(form.pypiPackagesField).map((row) => ({
		sourceType: 'PYPI',
		libraryName: row.libraryName.trim(),
		libraryVersion: row.libraryVersion.trim() || undefined,
	}));
	const files = fields
		.list(form.fileDependenciesField)
		.map((filePath) => ({ sourceType: 'FILE', filePath }));
	for (const each of packages) checkDependency(fields, form.pypiPackagesField, each);
	for (const each of files) checkDependency(fields, form.fileDependenciesField, each);
	const dependencies = [...packages, ...files];
	return {
		sparkDriverDiskGB: fields.optionalInteger(form.driverDiskField),
		sparkExecutorDiskGB: fields.optionalInteger(form.executorDiskField),
		...(isSet(configs)
			? // The interface states that dependencies are required when Spark configs are set.
				{ sparkConfigs: configs, dependencies }
			: { dependencies: dependencies.length > 0 ? dependencies : undefined }),
	};
}

/** Checks what the JSON says with the same rules; what this package does not know, passes. */
function readJsonEnvironment(input: Input): IDataObject {
	const field = form.environmentJsonField;
	const environment = input.json(field);
	for (const name of ['sparkDriverDiskGB', 'sparkExecutorDiskGB']) {
		const disk = environment[name];
		if (disk !== undefined && disk !== null && !(Number.isInteger(disk) && Number(disk) >= 1)) {
			throw input.problem(field, `must have a whole number as ${name}, not ${show(disk)}`);
		}
	}
	const { sparkConfigs, dependencies } = environment;
	if (dependencies !== undefined && !Array.isArray(dependencies)) {
		throw input.problem(field, 'must have a list as dependencies');
	}
	for (const dependency of (dependencies ?? []) as unknown[]) {
		if (!isPlainObject(dependency)) {
			throw input.problem(field, 'must have only objects in dependencies');
		}
		checkDependency(input, field, dependency);
	}
	if (sparkConfigs === undefined) return environment;
	if (!isPlainObject(sparkConfigs)) {
		throw input.problem(field, 'must have an object as sparkConfigs');
	}
	// As the service takes them: numbers and switches as text.
	const configs = Object.entries(sparkConfigs).map(([key, value]) => {
		const text = asText(value);
		if (text !== undefined) return [key, text];
		throw input.problem(field, `has ${kindOf(value)} as "${key}" in sparkConfigs: it must be text`);
	});
	return {
		...environment,
		sparkConfigs: Object.fromEntries(configs) as IDataObject,
		dependencies: dependencies ?? [],
	};
}

function checkDependency(input: Input, field: INodeProperties, dependency: IDataObject): void {
	const { sourceType, libraryName, libraryVersion, filePath } = dependency;
	const check = (value: unknown, rule: (text: string) => string | undefined) => {
		const what = typeof value === 'string' ? rule(value) : 'must be text';
		if (what) throw input.problem(field, `has the entry ${show(value)}, which ${what}`);
	};
	if (sourceType === 'PYPI') {
		check(libraryName ?? '', rules.libraryName);
		if (libraryVersion !== undefined && libraryVersion !== null) {
			check(libraryVersion, rules.libraryVersion);
		}
	} else if (sourceType === 'FILE') {
		check(filePath ?? '', rules.dependencyFile);
	} else {
		throw input.problem(
			field,
			`has the entry ${show(dependency)}, which must have PYPI or FILE as sourceType`,
		);
	}
}
