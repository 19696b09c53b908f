import type { IDataObject } from 'n8n-workflow';

import * as rules from '../../service/rules';
import { readOrDefault } from '../../parameters/fields';
import { show, type Input } from '../../parameters/input';

/** A request for a run: the query's region and the body. */
export interface RunRequest {
	region: string | undefined;
	payload: IDataObject & { name: string };
}

/**
 * Reads and checks all fields of Job Run: Create.
 *
 * @throws NodeOperationError that names the field and the rule it breaks
 */
export function readRunRequest(input: Input): RunRequest {
	const name = input.text('name', 'Name', rules.runName);
	const type = input.choice('runType', 'Run Type', ['python', 'jar'], 'python');
	const program = type === 'python' ? { runPython: readPython(input) } : { runJar: readJar(input) };
	const environment = readEnvironment(input);
	const payload: RunRequest['payload'] = { name, ...program };
	assignDefined(payload, {
		runtime: readOrDefault(input, 'runtime', 'Runtime'),
		version: input.optionalText('options.version', 'Version'),
		timeoutSeconds: input.optionalInteger(
			'options.timeoutSeconds',
			'Timeout (Seconds)',
			rules.atLeast(1),
		),
		environment: Object.keys(environment).length > 0 ? environment : undefined,
	});
	return { region: readOrDefault(input, 'region', 'Region'), payload };
}

function readPython(input: Input): IDataObject {
	return {
		uri: input.text('pythonUri', 'Python File', rules.s3Path('.py')),
		args: readArguments(input),
	};
}

function readJar(input: Input): IDataObject {
	const jar: IDataObject = {
		uri: input.text('jarUri', 'JAR File', rules.s3Path('.jar')),
		args: readArguments(input),
	};
	assignDefined(jar, { mainClass: input.optionalText('mainClass', 'Main Class') });
	return jar;
}

/** One argument per field; a list from an expression adds one for each of its entries. */
function readArguments(input: Input): string[] {
	const raw = input.raw('arguments', []);
	const fields: unknown[] = Array.isArray(raw) ? raw : raw === '' ? [] : [raw];
	return fields.flat().map((value, index) => {
		if (value === null || value === undefined) {
			throw input.problem('Arguments', `has no value for argument ${index + 1}`);
		}
		return typeof value === 'object' ? JSON.stringify(value) : String(value);
	});
}

function readEnvironment(input: Input): IDataObject {
	const how = input.choice(
		'specifyEnvironment',
		'Specify Environment',
		['fields', 'json'],
		'fields',
	);
	return how === 'json' ? readJsonEnvironment(input) : readEnvironmentFields(input);
}

function readEnvironmentFields(input: Input): IDataObject {
	const environment: IDataObject = {};
	const disk = (name: string, label: string) =>
		input.optionalInteger(`environment.${name}`, label, rules.atLeast(1));
	const configs = input.keyValues('environment.sparkConfigs', 'config', 'Spark Configs');
	const dependencies = [...readPypiDependencies(input), ...readFileDependencies(input)];
	const hasConfigs = Object.keys(configs).length > 0;
	assignDefined(environment, {
		sparkDriverDiskGB: disk('sparkDriverDiskGB', 'Driver Disk (GB)'),
		sparkExecutorDiskGB: disk('sparkExecutorDiskGB', 'Executor Disk (GB)'),
		sparkConfigs: hasConfigs ? configs : undefined,
		// The interface states that dependencies are required when Spark configs are set.
		dependencies: hasConfigs || dependencies.length > 0 ? dependencies : undefined,
	});
	return environment;
}

function readPypiDependencies(input: Input): IDataObject[] {
	return input.rows('environment.pypiDependencies', 'package').map((row) => {
		const dependency = { sourceType: 'PYPI', libraryName: String(row.libraryName ?? '').trim() };
		const version = String(row.libraryVersion ?? '').trim();
		return checkDependency(
			input,
			'Dependencies From PyPI',
			version ? { ...dependency, libraryVersion: version } : dependency,
		);
	});
}

function readFileDependencies(input: Input): IDataObject[] {
	return input
		.list('environment.fileDependencies', 'File Dependencies')
		.map((filePath) =>
			checkDependency(input, 'File Dependencies', { sourceType: 'FILE', filePath }),
		);
}

/** Checks what the JSON says with the same rules; what this package does not know, passes. */
function readJsonEnvironment(input: Input): IDataObject {
	const label = 'Environment (JSON)';
	const environment = input.json('environmentJson', label) ?? {};
	for (const name of ['sparkDriverDiskGB', 'sparkExecutorDiskGB']) {
		const disk = environment[name];
		if (disk !== undefined && disk !== null && !(Number.isInteger(disk) && Number(disk) >= 1)) {
			throw input.problem(label, `must have a whole number in ${name}, not ${show(disk)}`);
		}
	}
	const { sparkConfigs, dependencies } = environment;
	if (sparkConfigs !== undefined && !isTextMap(sparkConfigs)) {
		throw input.problem(label, 'must have an object of texts in sparkConfigs');
	}
	if (dependencies !== undefined && !Array.isArray(dependencies)) {
		throw input.problem(label, 'must have a list in dependencies');
	}
	for (const dependency of (dependencies ?? []) as unknown[]) {
		if (typeof dependency !== 'object' || dependency === null) {
			throw input.problem(label, 'must have objects in dependencies');
		}
		checkDependency(input, label, dependency as IDataObject);
	}
	return sparkConfigs === undefined
		? environment
		: { ...environment, dependencies: dependencies ?? [] };
}

function checkDependency(input: Input, label: string, dependency: IDataObject): IDataObject {
	const { sourceType, libraryName, libraryVersion, filePath } = dependency;
	const complain = (what: string | undefined, value: unknown) => {
		if (what) throw input.problem(label, `has the entry ${show(value)}, which ${what}`);
	};
	if (sourceType === 'PYPI') {
		complain(rules.libraryName(String(libraryName ?? '')), libraryName ?? '');
		if (libraryVersion !== undefined && libraryVersion !== null) {
			complain(rules.libraryVersion(String(libraryVersion)), libraryVersion);
		}
	} else if (sourceType === 'FILE') {
		complain(rules.dependencyFile(String(filePath ?? '')), filePath ?? '');
	} else {
		complain('must have PYPI or FILE as sourceType', sourceType);
	}
	return dependency;
}

function isTextMap(value: unknown): boolean {
	return (
		typeof value === 'object' &&
		value !== null &&
		!Array.isArray(value) &&
		Object.values(value).every((entry) => typeof entry === 'string')
	);
}

function assignDefined(target: IDataObject, values: IDataObject): void {
	for (const [name, value] of Object.entries(values)) {
		if (value !== undefined) target[name] = value;
	}
}
