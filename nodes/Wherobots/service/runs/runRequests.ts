import type { IDataObject } from 'n8n-workflow';

import { hasPart, isRecord } from '../records';
import type { JobRun } from '../records/jobRun';

/** A request for a run: the query's region and the body (interface, "Run payload"). */
export interface RunRequest {
	/** Undefined for the organization's default. */
	region: string | undefined;
	payload: IDataObject & { name: string };
}

/** Defaults of a payload's members (interface, "Run payload"); the others are empty by default. */
const DEFAULT_VERSION = 'latest';
const DEFAULT_TIMEOUT_SECONDS = 3_600;

/** Spark settings that the service controls itself: a value for them has no effect (known from a client). */
const CONTROLLED_SETTINGS = [
	'spark.driver.extraJavaOptions',
	'spark.executor.extraJavaOptions',
	'sedona.join.numpartition',
	'spark.kryoserializer.buffer',
	'spark.driver.maxResultSize',
	'spark.sql.sources.partitionOverwriteMode',
];

/** The Spark settings of a request that the service controls itself. */
export function listControlledSettings({ payload }: RunRequest): string[] {
	const { environment } = payload;
	const configs = isRecord(environment) ? environment.sparkConfigs : undefined;
	return CONTROLLED_SETTINGS.filter((name) => isRecord(configs) && name in configs);
}

/** What a request runs. */
export function getProgram({ payload }: RunRequest): { uri: string; args?: string[] } {
	return (payload.runPython ?? payload.runJar) as ReturnType<typeof getProgram>;
}

/** The request with changes to what it runs. */
export function changeProgram(request: RunRequest, changes: IDataObject): RunRequest {
	const { region, payload } = request;
	const kind = payload.runPython ? 'runPython' : 'runJar';
	return { region, payload: { ...payload, [kind]: { ...getProgram(request), ...changes } } };
}

/** The members of an environment. */
export const ENVIRONMENT = [
	'sparkDriverDiskGB',
	'sparkExecutorDiskGB',
	'sparkConfigs',
	'dependencies',
];

/**
 * Whether a run came from this request: it has everything that was sent, and defaults for the rest.
 * The service lowers a timeout to the organization's maximum (interface, "Run payload"). Which runtime
 * and region an organization has by default is not documented, and fields that the interface does not
 * name may be added.
 *
 * @param run the full run: items of a list omit parts of the payload
 */
export function isRunOf(run: JobRun, { region, payload }: RunRequest): boolean {
	if (run.name !== payload.name) return false;
	const ranIn = run.region;
	if (region !== undefined && ranIn !== undefined && ranIn !== region) return false;
	const { timeoutSeconds, ...rest } = payload;
	const echoed = run.payload;
	const isLeftOut = timeoutSeconds === undefined && isEmpty(echoed.timeoutSeconds);
	const longest = Number(timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS);
	if (!isLeftOut && !(Number(echoed.timeoutSeconds) <= longest)) return false;
	return hasPart(echoed, rest) && hasDefaults(echoed, payload);
}

/** Whether everything that was not sent has its default or is missing. */
function hasDefaults(echoed: IDataObject, sent: IDataObject): boolean {
	const version = sent.version ?? DEFAULT_VERSION;
	if (!isEmpty(echoed.version) && echoed.version !== version) return false;
	return (
		isEmptyUnlessSent(echoed, sent, ['runPython', 'runJar', 'environment']) &&
		isEmptyUnlessSent(echoed.environment, sent.environment, ENVIRONMENT) &&
		isEmptyUnlessSent(echoed.runPython, sent.runPython, ['args']) &&
		isEmptyUnlessSent(echoed.runJar, sent.runJar, ['args', 'mainClass'])
	);
}

function isEmptyUnlessSent(echoed: unknown, sent: unknown, names: string[]): boolean {
	if (!isRecord(echoed)) return true;
	const given = isRecord(sent) ? sent : {};
	return names.every((name) => !isEmpty(given[name]) || isEmpty(echoed[name]));
}

/** Whether a value is missing, null, an empty string, or contains only empty values. */
function isEmpty(value: unknown): boolean {
	if (value === undefined || value === null || value === '') return true;
	return typeof value === 'object' && Object.values(value).every(isEmpty);
}

const DEPENDENCY: Record<string, string[]> = {
	PYPI: ['sourceType', 'libraryName', 'libraryVersion'],
	FILE: ['sourceType', 'filePath'],
};

/** The members of a payload that the interface names. */
const PAYLOAD = [
	'runtime',
	'name',
	'version',
	'runPython',
	'runJar',
	'timeoutSeconds',
	'environment',
];

/**
 * The request to run the same again, from the record of a run: a body is made of members that the
 * interface names.
 *
 * @returns also the other members of the record's payload; or its problem, as the end of a sentence
 */
export function toRequest(run: JobRun): (RunRequest & { leftOut: string[] }) | { problem: string } {
	const {
		runPython: python,
		runJar: jar,
		environment,
		...payload
	} = pickKnown(run.payload, PAYLOAD);
	// A record may have the other kind of program, without anything in it.
	const [runPython, runJar] = [python, jar].map((each) => (isEmpty(each) ? undefined : each));
	const kind = isRecord(runPython) ? 'runPython' : 'runJar';
	const program = pickKnown(
		runPython ?? runJar,
		kind === 'runJar' ? ['uri', 'args', 'mainClass'] : ['uri', 'args'],
	);
	const { uri, args = [] } = program;
	if (typeof uri !== 'string' || uri === '' || (runPython && runJar)) {
		return { problem: 'does not say which program it ran' };
	}
	if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string')) {
		return { problem: 'has arguments in an unknown form' };
	}
	const settings = pickKnown(environment, ENVIRONMENT);
	const { dependencies = [], sparkConfigs = {} } = settings;
	const isKnown = (each: unknown) =>
		isRecord(each) && Object.hasOwn(DEPENDENCY, String(each.sourceType));
	if (
		(environment !== undefined && !isRecord(environment)) ||
		!Array.isArray(dependencies) ||
		!dependencies.every(isKnown) ||
		!isRecord(sparkConfigs) ||
		!Object.values(sparkConfigs).every((value) => typeof value === 'string')
	) {
		return { problem: 'has an environment in an unknown form' };
	}
	const kept = (dependencies as IDataObject[]).map((each) =>
		pickKnown(each, DEPENDENCY[String(each.sourceType)]),
	);
	return {
		region: run.region,
		payload: {
			...payload,
			name: run.name,
			[kind]: program,
			environment: environment && {
				...settings,
				// The interface requires them beside Spark settings.
				dependencies: (settings.dependencies ?? settings.sparkConfigs) ? kept : undefined,
			},
		},
		// Some records have the region there.
		leftOut: [
			...listOthers(run.payload, [...PAYLOAD, 'region']),
			...listOthers(environment, ENVIRONMENT),
		],
	};
}

/** The values that a record has for these names. */
function pickKnown(record: unknown, names: string[]): IDataObject {
	const entries = isRecord(record) ? Object.entries(record) : [];
	return Object.fromEntries(
		entries.filter(([name, value]) => names.includes(name) && value !== null && value !== ''),
	);
}

/** The names of everything else in it. */
function listOthers(record: unknown, names: string[]): string[] {
	const entries = isRecord(record) ? Object.entries(record) : [];
	return entries
		.filter(([name, value]) => !names.includes(name) && !isEmpty(value))
		.map(([name]) => name);
}
