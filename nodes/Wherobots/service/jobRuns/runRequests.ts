import type { IDataObject } from 'n8n-workflow';

import { contains, isRecord, type Run } from '../types';
import { regionOf } from './runs';

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
export function controlledSettings({ payload }: RunRequest): string[] {
	const { environment } = payload;
	const configs = isRecord(environment) ? environment.sparkConfigs : undefined;
	return CONTROLLED_SETTINGS.filter((name) => isRecord(configs) && name in configs);
}

const ENVIRONMENT = ['sparkDriverDiskGB', 'sparkExecutorDiskGB', 'sparkConfigs', 'dependencies'];

/**
 * Whether a run came from this request: it has everything that was sent, and defaults for the rest.
 * The service lowers a timeout to the organization's maximum (interface, "Run payload"). Which runtime
 * and region an organization has by default is not documented, and fields that the interface does not
 * name may be added.
 *
 * @param run the full run: items of a list omit parts of the payload
 */
export function isRunOf(run: Run, { region, payload }: RunRequest): boolean {
	if (run.name !== payload.name) return false;
	const ranIn = regionOf(run);
	if (region !== undefined && ranIn !== undefined && ranIn !== region) return false;
	const { timeoutSeconds, ...rest } = payload;
	const echoed: IDataObject = run.payload ?? {};
	if (timeoutSeconds !== undefined && !(Number(echoed.timeoutSeconds) <= Number(timeoutSeconds))) {
		return false;
	}
	return contains(echoed, rest) && hasDefaults(echoed, payload);
}

/** Whether everything that was not sent has its default or is missing. */
function hasDefaults(echoed: IDataObject, sent: IDataObject): boolean {
	const version = sent.version ?? DEFAULT_VERSION;
	if (!isEmpty(echoed.version) && echoed.version !== version) return false;
	const longest = Number(sent.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS);
	if (!isEmpty(echoed.timeoutSeconds) && Number(echoed.timeoutSeconds) > longest) return false;
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
