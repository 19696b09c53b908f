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
 * Reads and checks all fields of Job Run: Create.
 *
 * @throws NodeOperationError that names the field and the rule it breaks
 */
export function readRunRequest(input: Input): RunRequest {
	const isUploaded = input.choice(form.programFromField) === 'input';
	const name = input.text(form.nameField, rules.runName);
	const type = input.choice(form.runTypeField);
	const program =
		type === 'python'
			? { runPython: readPython(input, isUploaded) }
			: { runJar: readJar(input, isUploaded) };
	const options = input.within(form.optionsField);
	const environment = readEnvironment(options);
	const minutes = options.optionalInteger(form.timeoutField);
	const payload: RunRequest['payload'] = { name, ...program };
	assignDefined(payload, {
		runtime: readOrDefault(input, runtimeField),
		version: options.optionalText(form.versionField),
		timeoutSeconds: minutes === undefined ? undefined : 60 * minutes,
		environment: Object.keys(environment).length > 0 ? environment : undefined,
	});
	return { region: readOrDefault(input, regionField), payload };
}

/** Puts the address of an uploaded program into the request that runs it. */
export function setProgram({ payload }: RunRequest, uri: string): void {
	Object.assign((payload.runPython ?? payload.runJar) as IDataObject, { uri });
}

/** @param isUploaded its address is known later */
function readPython(input: Input, isUploaded: boolean): IDataObject {
	return {
		uri: isUploaded ? '' : input.text(form.pythonFileField, rules.s3Path),
		args: readArguments(input),
	};
}

function readJar(input: Input, isUploaded: boolean): IDataObject {
	const jar: IDataObject = {
		uri: isUploaded ? '' : input.text(form.jarFileField, rules.s3Path),
		args: readArguments(input),
	};
	assignDefined(jar, { mainClass: input.optionalText(form.mainClassField) });
	return jar;
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
	if (Object.keys(fromJson).length === 0) return fromFields;
	if (Object.keys(fromFields).length > 0) {
		throw options.problem(
			form.environmentJsonField,
			'cannot be combined with the other options for disks, Spark configuration and dependencies: set them in one place',
		);
	}
	return fromJson;
}

function readEnvironmentFields(fields: Input): IDataObject {
	const environment: IDataObject = {};
	const configs = fields.keyValues(form.sparkConfigurationField);
	const dependencies = [...readPypiDependencies(fields), ...readFileDependencies(fields)];
	const hasConfigs = Object.keys(configs).length > 0;
	assignDefined(environment, {
		sparkDriverDiskGB: fields.optionalInteger(form.driverDiskField),
		sparkExecutorDiskGB: fields.optionalInteger(form.executorDiskField),
		sparkConfigs: hasConfigs ? configs : undefined,
		// The interface states that dependencies are required when Spark configs are set.
		dependencies: hasConfigs || dependencies.length > 0 ? dependencies : undefined,
	});
	return environment;
}

function readPypiDependencies(fields: Input): IDataObject[] {
	const field = form.pypiPackagesField;
	return fields.rows(field).map((row) => {
		const dependency = { sourceType: 'PYPI', libraryName: row.libraryName.trim() };
		const libraryVersion = row.libraryVersion.trim();
		return checkDependency(
			fields,
			field,
			libraryVersion ? { ...dependency, libraryVersion } : dependency,
		);
	});
}

function readFileDependencies(fields: Input): IDataObject[] {
	return fields
		.list(form.fileDependenciesField)
		.map((filePath) =>
			checkDependency(fields, form.fileDependenciesField, { sourceType: 'FILE', filePath }),
		);
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
	return {
		...environment,
		sparkConfigs: readJsonConfigs(input, sparkConfigs),
		dependencies: dependencies ?? [],
	};
}

/** Spark's configuration as the service takes it: numbers and switches as text. */
function readJsonConfigs(input: Input, configs: unknown): IDataObject {
	const field = form.environmentJsonField;
	if (!isPlainObject(configs)) throw input.problem(field, 'must have an object as sparkConfigs');
	return Object.fromEntries(
		Object.entries(configs).map(([key, value]) => {
			const text = asText(value);
			if (text !== undefined) return [key, text];
			throw input.problem(
				field,
				`has ${kindOf(value)} as "${key}" in sparkConfigs: it must be text`,
			);
		}),
	);
}

function checkDependency(
	input: Input,
	field: INodeProperties,
	dependency: IDataObject,
): IDataObject {
	const { sourceType, libraryName, libraryVersion, filePath } = dependency;
	const complain = (what: string | undefined, value: unknown) => {
		if (what) throw input.problem(field, `has the entry ${show(value)}, which ${what}`);
	};
	const check = (value: unknown, rule: (text: string) => string | undefined) =>
		complain(typeof value === 'string' ? rule(value) : 'must be text', value);
	if (sourceType === 'PYPI') {
		check(libraryName ?? '', rules.libraryName);
		if (libraryVersion !== undefined && libraryVersion !== null) {
			check(libraryVersion, rules.libraryVersion);
		}
	} else if (sourceType === 'FILE') {
		check(filePath ?? '', rules.dependencyFile);
	} else {
		complain('must have PYPI or FILE as sourceType', dependency);
	}
	return dependency;
}

function assignDefined(target: IDataObject, values: IDataObject): void {
	for (const [name, value] of Object.entries(values)) {
		if (value !== undefined) target[name] = value;
	}
}
