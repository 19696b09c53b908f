import type { INodeProperties } from 'n8n-workflow';

import {
	defineChoiceField,
	defineCountField,
	definePicker,
	defineTextField,
} from '../../form/declarations';
import { defineOptions, readOrDefault, regionField, runtimeField } from '../../form/fields';
import type { Input } from '../../form/input';
import { isPlainObject, show } from '../../form/values';
import { parseLeadingJson } from '../../service/json';
import type { RunRequest } from '../../service/runs/runRequests';
import * as rules from '../../service/rules';
import { sessionStorageField } from '../files/fields';
import type { RequestFields } from '../operations/operation';
import { environmentFields, readEnvironment } from './environment';
import { isNotebook, showWhen, uploadFields } from './runFiles';

export const nameField = defineTextField({
	displayName: 'Name',
	name: 'name',
	default: '=job-run-{{ $today.toISODate() }}',
	required: true,
	placeholder: 'e.g. nightly-etl-2026-01-31',
	description:
		'Name of the run: 8 to 255 letters, digits, underscores, hyphens and periods. Does not have to be unique.',
	rule: rules.checkRunName,
});

const runTypeField = defineChoiceField({
	displayName: 'Run Type',
	name: 'runType',
	options: {
		python: ['Python', 'Run a Python file or a notebook'],
		jar: ['JAR', 'Run a class from a JAR file'],
	},
	default: 'python',
	description: 'What the run executes',
});

export const programFromField = defineChoiceField({
	displayName: 'Program From',
	name: 'programFrom',
	options: {
		storage: ['Storage', 'A file that is already in storage'],
		input: ['Upload From Input', 'Upload a file from the input item to storage and run it'],
		notebook: [
			'Notebook From Input',
			'Upload a Jupyter notebook from the input item as a Python file and run it',
			{ show: { runType: ['python'] } },
		],
	},
	default: 'storage',
	description: 'Where the program comes from',
});

const defineFileField = (runType: 'python' | 'jar', kind: 'Python' | 'JAR', example: string) =>
	definePicker(`search${kind}Files`, 'Path', {
		displayName: `${kind} File`,
		name: `${runType}Uri`,
		required: true,
		placeholder: `e.g. s3://my-bucket/jobs/${example}`,
		description: `The ${kind} file, in managed storage or a storage integration`,
		hint: "A path in the storage, or an S3 path. A file in a public bucket cannot be run: copy it to your organization's storage.",
		displayOptions: { show: { runType: [runType], programFrom: ['storage'] } },
		rule: (path) =>
			isNotebook(path)
				? `is a notebook, which cannot be run as it is: download it with File: Download, and set '${programFromField.displayName}' to 'Notebook From Input'`
				: ((isAddress(path) ? rules.checkS3Path : rules.checkFilePath)(path) ??
					checkKind(runType, path)),
	});

/** Whether this is an address, or a file of a computer, rather than a path in a storage. */
export const isAddress = (path: string) => /^([a-z][a-z0-9]*:|[/\\])/i.test(path);

/** The service accepts any path: the run fails minutes later. */
export function checkKind(runType: 'python' | 'jar', path: string): string | undefined {
	if (path.endsWith('/')) return 'must be a file, not a folder';
	const [own, other, type] = runType === 'jar' ? ['.jar', '.py', 'Python'] : ['.py', '.jar', 'JAR'];
	if (path.toLowerCase().endsWith(own)) return undefined;
	return path.toLowerCase().endsWith(other)
		? `must not be a ${other} file: set '${runTypeField.displayName}' to '${type}' for it`
		: `must end with ${own}`;
}

const pythonFileField = defineFileField('python', 'Python', 'nightly_etl.py');

const jarFileField = defineFileField('jar', 'JAR', 'nightly-etl.jar');

const mainClassField = defineTextField({
	displayName: 'Main Class',
	name: 'mainClass',
	placeholder: 'e.g. com.example.NightlyEtl',
	rule: (value) =>
		/[/\s]|\.(java|scala|class|jar)$/.test(value)
			? 'must be the name of a class such as com.example.NightlyEtl, not of a file'
			: undefined,
	description: "Class to run. Leave empty to use the main class from the JAR's manifest.",
	displayOptions: { show: { runType: ['jar'] } },
});

export const argumentsField: INodeProperties = {
	displayName: 'Arguments',
	name: 'arguments',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add argument' },
	default: [],
	placeholder: 'e.g. --date=2026-01-31',
	description:
		'Arguments of the program, one per field. An expression that returns a list adds one argument per entry.',
	displayOptions: { hide: { '@tool': [true] } },
};

/**
 * The arguments as one value: the editor lets a model define a field, and not how many of them there
 * are. It is text, because n8n ends the execution when a model leaves a JSON field empty.
 */
const argumentListField: INodeProperties = {
	displayName: 'Arguments',
	name: 'argumentList',
	type: 'string',
	default: '[]',
	placeholder: 'e.g. ["--date", "2026-01-31"]',
	description: 'Arguments of the program, as a JSON array of strings; empty for none',
	displayOptions: { show: { '@tool': [true] } },
};

export const timeoutField = defineCountField({
	displayName: 'Timeout (Minutes)',
	name: 'timeoutMinutes',
	// A year.
	typeOptions: { minValue: 1, maxValue: 525_600 },
	default: 60,
	description:
		"How long the run may take before the service ends it. Capped at your organization's maximum.",
});

export const versionField = defineTextField({
	displayName: 'Version',
	name: 'version',
	default: 'latest',
	placeholder: 'e.g. preview',
	description:
		'Platform version: latest is the newest stable one, preview the newest pre-release. Your organization may have others.',
});

export const optionsField = defineOptions(
	...environmentFields,
	// A run that is submitted again has the timeout of the first.
	{ ...timeoutField, description: `${timeoutField.description} 60 minutes without this option.` },
	versionField,
);

/** The fields of the payload and of the region (interface, "Run payload"), without the options. */
export const requestForm: INodeProperties[] = [
	nameField,
	runTypeField,
	programFromField,
	...showWhen({ programFrom: ['storage'] }, sessionStorageField),
	pythonFileField,
	jarFileField,
	...uploadFields,
	mainClassField,
	argumentsField,
	argumentListField,
	runtimeField,
	regionField,
];

/** The fields that values of a request for a run come from, where it has another name for them. */
export const requestFields: RequestFields = {
	region: regionField,
	runtime: runtimeField,
	timeoutSeconds: timeoutField,
	'runPython.uri': pythonFileField,
	'runJar.uri': jarFileField,
	args: argumentsField,
	environment: optionsField,
};

/**
 * Reads and checks all fields of Job Run: Create. What is undefined is not sent.
 *
 * @throws Failure that names the field and the rule it breaks
 */
export function readRunRequest(input: Input): RunRequest {
	const name = input.text(nameField);
	const isPython = input.choice(runTypeField) === 'python';
	const programFrom = input.choice(programFromField);
	if (programFrom === 'notebook' && !isPython) {
		throw input.problem(runTypeField, 'must be Python for a notebook');
	}
	const uriField = isPython ? pythonFileField : jarFileField;
	const program = {
		// That of an uploaded program, and of one in a storage, is known later.
		uri: programFrom === 'storage' ? input.text(uriField) : '',
		args: readArguments(input),
	};
	const options = input.within(optionsField);
	const minutes = options.optionalInteger(timeoutField);
	const payload = {
		name,
		...(isPython
			? { runPython: program }
			: { runJar: { ...program, mainClass: input.optionalText(mainClassField) } }),
		runtime: readOrDefault(input, runtimeField),
		version: options.optionalText(versionField),
		timeoutSeconds: minutes && 60 * minutes,
		environment: readEnvironment(options),
	};
	return { region: readOrDefault(input, regionField), payload };
}

/** A person adds a field for each argument; a model gives them as one list. */
function readArguments(input: Input): string[] {
	if (!input.isToolUse) return input.texts(argumentsField);
	const field = argumentListField;
	const raw = input.raw(field, field.default) ?? '';
	const given = typeof raw === 'string' ? parseLeadingJson(raw.trim() || '[]') : raw;
	// Models leave an optional value out in several ways.
	const list = isPlainObject(given) && Object.keys(given).length === 0 ? [] : given;
	if (!Array.isArray(list)) {
		throw input.problem(
			field,
			`must be a JSON array of strings, for example ["--date", "2026-01-31"], not ${show(raw)}`,
		);
	}
	return input.entries(field, list);
}
