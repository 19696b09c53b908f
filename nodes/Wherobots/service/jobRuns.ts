import type { IDataObject } from 'n8n-workflow';

import { removeCodes } from './logLines';
import { hasPart, isRecord, pick, type Run } from './records';
import { MICROS_PER_MS, MICROS_PER_SECOND, parseServiceTime } from './time';

/** Statuses of a run that has not ended (interface, "States and transitions"). */
export const ACTIVE_STATUSES = ['PENDING', 'RUNNING'] as const;

/** Final statuses. An unknown status is not one of them. */
export const TERMINAL_STATUSES = ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'] as const;

export const RUN_STATUSES = [...ACTIVE_STATUSES, ...TERMINAL_STATUSES] as const;

type TerminalStatus = (typeof TERMINAL_STATUSES)[number];

export function isTerminal(status: string): status is TerminalStatus {
	return (TERMINAL_STATUSES as readonly string[]).includes(status);
}

/** An unknown status does not count as active. */
export function isActive({ status }: Run): boolean {
	return (ACTIVE_STATUSES as readonly string[]).includes(status);
}

const SAYS_FAILURE = /FAIL|TIME_?OUT/i;

/** The outcome of an ended run. A timeout is TIMED_OUT, or FAILED with an event that says so. */
export function getOutcome(run: Pick<Run, 'status' | 'kubeApp'>): TerminalStatus | undefined {
	if (!isTerminal(run.status)) return undefined;
	return run.status === 'FAILED' && getEvents(run).some(isTimeout) ? 'TIMED_OUT' : run.status;
}

/** The status of a run as outputs show it and filters mean it: once it has ended, its outcome. */
export function getShownStatus(run: Pick<Run, 'status' | 'kubeApp'>): string {
	return getOutcome(run) ?? run.status;
}

/** The statuses to ask the service for, to find all runs that are shown in one of these. */
export function listStatusesBehind(shown: string[]): string[] {
	return shown.includes('TIMED_OUT') ? [...new Set([...shown, 'FAILED'])] : shown;
}

/** The service's explanation of a run's status; empty when there is none. */
export function getMessage(run: Run): string {
	const message = removeCodes(toText(run.kubeApp?.message)).trim();
	if (message !== '') return message;
	const failed = getEvents(run).filter((event) => SAYS_FAILURE.test(toText(event.code)));
	return removeCodes(toText(failed.at(-1)?.message)).trim();
}

/**
 * The ten fields of a run that people need. `status` is the outcome of a run that has ended: TIMED_OUT
 * also when the service reports a timeout as FAILED. Times are ISO 8601; `durationSeconds` is null
 * until the run has started, and the URL of the Spark UI is added once there is one.
 *
 * @param now milliseconds since the epoch, for the duration of an active run
 */
export function simplifyRun(run: Run, now: number): IDataObject {
	return {
		id: run.id,
		name: run.name,
		status: getShownStatus(run),
		runtime: run.payload?.runtime ?? null,
		region: getRegion(run) ?? null,
		...pick(run, ['createTime', 'startTime', 'completeTime']),
		durationSeconds: computeDuration(run, now),
		message: getMessage(run),
		...getSparkUi(run),
	};
}

/**
 * The region of a run: that of its compute resources, or the one that was requested, which the
 * service's own clients read from the payload or the record itself.
 */
function getRegion({ kubeApp, payload, region }: Run): string | undefined {
	return [kubeApp?.regionName, payload?.region, region].map(toText).find(Boolean);
}

/** The URL of a run's Spark UI as a field for outputs and errors, once there is one. */
export function getSparkUi(run: Run): { sparkUiUrl?: string } {
	const meta = run.kubeApp?.appMeta;
	const url = isRecord(meta) ? meta.spark_ui_url : undefined;
	return typeof url === 'string' && url !== '' ? { sparkUiUrl: url } : {};
}

function computeDuration(run: Run, now: number): number | null {
	const start = parseServiceTime(run.startTime);
	const goesOn = !run.completeTime && !isTerminal(run.status);
	const end = goesOn ? now * MICROS_PER_MS : parseServiceTime(run.completeTime);
	if (start === undefined || end === undefined) return null;
	return Math.max(0, Math.round((end - start) / MICROS_PER_SECOND));
}

function getEvents(run: Pick<Run, 'kubeApp'>): Array<{ code?: unknown; message?: unknown }> {
	const events = run.kubeApp?.events;
	return Array.isArray(events)
		? events.filter((event): event is IDataObject => typeof event === 'object' && event !== null)
		: [];
}

/** Events of other kinds mention timeouts that did not happen: settings, limits, retries. */
function isTimeout({ code, message }: { code?: unknown; message?: unknown }): boolean {
	const kind = toText(code);
	if (kind !== '' && !SAYS_FAILURE.test(kind)) return false;
	return /time(d)?[ _-]?out/i.test(`${kind} ${toText(message)}`);
}

function toText(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

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
	const ranIn = getRegion(run);
	if (region !== undefined && ranIn !== undefined && ranIn !== region) return false;
	const { timeoutSeconds, ...rest } = payload;
	const echoed: IDataObject = run.payload ?? {};
	if (timeoutSeconds !== undefined && !(Number(echoed.timeoutSeconds) <= Number(timeoutSeconds))) {
		return false;
	}
	return hasPart(echoed, rest) && hasDefaults(echoed, payload);
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
export function toRequest(run: Run): (RunRequest & { leftOut: string[] }) | { problem: string } {
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
		region: getRegion(run),
		payload: {
			...payload,
			name: typeof run.name === 'string' ? run.name : '',
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

/** A name with a number from 2, but for months and days: `etl-2026-11`. */
const NUMBERED = /^(.*)-([2-9]|(?<!\d{4}-|\d{4}-\d\d-)[1-9]\d)$/;
const MAX_NAME_LENGTH = 255;

/** The name of the next run of the same work: `etl-2` after `etl`, `etl-3` after `etl-2`. */
export function toNextName(name: string): string {
	const [, base = name, number = '1'] = NUMBERED.exec(name) ?? [];
	const end = `-${Number(number) + 1}`;
	return base.slice(0, MAX_NAME_LENGTH - end.length) + end;
}
