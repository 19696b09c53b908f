import type { Micros } from '../../service/time/time';
import { digest } from './digest';
import type { Mistrust } from './mistrust';
import type { Resume } from './readPages';

/** What a trigger knows between two polls. Plain JSON: n8n stores and compares it. */
export type TriggerState = RunState | AuditState;

interface StateBase {
	v: typeof VERSION;
	/** What is polled, as a digest; another scope starts afresh. */
	scope: string;
	/** A digest of the credential's secret: another one may belong to another organization. */
	credential?: string;
	/** Everything before this time is known. */
	watermark: Micros;
	/** A reading of the list that goes on in the next poll. */
	resume?: Resume;
	/** When a full reading of several pages has last found nothing new. */
	checkedAt?: Micros;
	/** What is held against the lists of the service. */
	mistrust?: Mistrust;
	/** When a first poll that is not finished began, by the service's time. */
	began?: Micros;
	/** The credential in use may be one of another organization, which is not settled yet. */
	doubt?: Doubt;
}

/** How far it is known whether a credential belongs to the organization that the state is about. */
export interface Doubt {
	/** A digest of the secret. */
	credential: string;
	/** How many questions the service has answered with no. */
	asked: number;
	/** Where the list of the present question goes on. */
	resume?: Resume;
	/** When it answered the first one, by its own clock if that is sure, else by n8n's. */
	since?: Micros;
	/** The same, only by its own clock. */
	began?: Micros;
}

/** What is known of a run beside its statuses. */
export interface RunNotes {
	/** Only for a run whose creation time lay in the future, when it was shown first, and for one without (see `shownTime`). */
	shownAt?: Micros;
	/** When it was seen to have ended. */
	endedAt?: Micros;
	/** How often it was not found in a row, and since when. */
	missing?: [times: number, since: Micros];
	/** Statuses of which it was reported that they last too long. */
	exceeded?: string[];
}

/** A run that is followed, or that ended so recently that lists still have it; times in microseconds. */
export type TrackedRun = [id: string, created: Micros, statuses: string[], notes?: RunNotes];

/** A time that the service has certainly reached, and n8n's two clocks when that was known. */
export type ProvenTime = [time: Micros, now: Micros, monotonic: Micros];

export interface RunState extends StateBase {
	kind: 'runs';
	runs: TrackedRun[];
	/** The newest run of the first poll: runs so much older than it do not fire. */
	since?: Micros;
	/** Only without the service's time: what is known of it. */
	proven?: ProvenTime;
	/** The list that a first poll is at; absent once it is finished. */
	baseline?: 'active' | 'recent';
	/** How often that list has been started. */
	readings?: number;
	/** The last poll has read none of the single runs it had to: they come first in the next one. */
	isWaiting?: true;
}

/** How audit events are read: by query, or by export where a deployment has no query. */
export const AUDIT_WAYS = ['query', 'export'] as const;

export type AuditWay = (typeof AUDIT_WAYS)[number];

/** An event that the next reading will meet again: a digest of its id, and its time; for one from the future, or without a time, also when it counts as shown (see `shownTime`). */
export type SeenEvent = [key: string, time: Micros, shownAt?: Micros];

export interface AuditState extends StateBase {
	kind: 'audit';
	way: AuditWay;
	seen: SeenEvent[];
	/** The range that `resume` is about. */
	range?: { start: Micros; end?: Micros };
	/** The length of the next range, while there are ranges to catch up with. */
	span?: Micros;
	/** Ranges up to this time were read once, but not in a way to be believed. */
	doubtfulUntil?: Micros;
	/** The first poll is not finished. */
	baseline?: true;
}

const VERSION = 1;

/** More entries than a state ever holds: it is damaged. */
const TOO_MANY = 200_000;

/** The digest of what is watched. Settings that only choose or shape the output stay out of it. */
export function scopeOf(parts: Record<string, string | undefined>): string {
	return digest(JSON.stringify(Object.entries(parts).sort()), 12);
}

export function newRunState(
	scope: string,
	watermark: Micros,
	runs: TrackedRun[],
	since?: Micros,
): RunState {
	const state: RunState = { v: VERSION, kind: 'runs', scope, watermark, runs };
	return since === undefined ? state : { ...state, since };
}

export function newAuditState(
	scope: string,
	watermark: Micros,
	way: AuditWay,
	seen: SeenEvent[],
): AuditState {
	return { v: VERSION, kind: 'audit', scope, watermark, way, seen };
}

export type ReadState =
	| { kind: 'none' }
	/** Written by another version, or damaged. */
	| { kind: 'broken'; problem: string }
	| { kind: 'state'; state: TriggerState };

/** Reads a stored state, checking every field: it may come from another version or another node. */
export function readState(stored: unknown): ReadState {
	if (stored === undefined || stored === null) return { kind: 'none' };
	// A copy: what n8n hands out may be an observed object, and the one in use must not change.
	const value = JSON.parse(JSON.stringify(stored)) as Record<string, unknown>;
	const problem = problemOf(value);
	return problem ? { kind: 'broken', problem } : { kind: 'state', state: value as never };
}

function problemOf(value: Record<string, unknown>): string | undefined {
	if (typeof value !== 'object' || Array.isArray(value)) return 'it is not an object';
	if (value.v !== VERSION) return `its version is ${JSON.stringify(value.v)}, not ${VERSION}`;
	if (typeof value.scope !== 'string') return "'scope' is not a text";
	if (!isTime(value.watermark)) return "'watermark' is not a time";
	if (value.resume !== undefined && !isResume(value.resume)) return "'resume' is damaged";
	if (!isOptional(value.credential, isText)) return "'credential' is not a text";
	if (!isOptional(value.checkedAt, isTime)) return "'checkedAt' is not a time";
	if (!isOptional(value.began, isTime)) return "'began' is not a time";
	if (!isOptional(value.mistrust, isMistrust)) return "'mistrust' is damaged";
	if (!isOptional(value.doubt, isDoubt)) return "'doubt' is damaged";
	if (value.kind === 'runs') {
		if (!isOptional(value.since, isTime)) return "'since' is not a time";
		if (!isOptional(value.proven, isProvenTime)) return "'proven' is damaged";
		if (!isOptional(value.baseline, isBaseline)) return "'baseline' is unknown";
		if (!isOptional(value.readings, isTime)) return "'readings' is not a number";
		if (value.isWaiting !== undefined && value.isWaiting !== true) return "'isWaiting' is unknown";
		return isList(value.runs, isTrackedRun) ? undefined : "'runs' is damaged";
	}
	if (value.kind !== 'audit') return "'kind' is unknown";
	if (!AUDIT_WAYS.some((way) => way === value.way)) return "'way' is unknown";
	if (!isOptional(value.span, isTime)) return "'span' is not a length of time";
	if (!isOptional(value.doubtfulUntil, isTime)) return "'doubtfulUntil' is not a time";
	if (value.baseline !== undefined && value.baseline !== true) return "'baseline' is unknown";
	if (!isList(value.seen, isSeenEvent)) return "'seen' is damaged";
	if (value.range !== undefined && !isRange(value.range)) return "'range' is damaged";
	return (value.range === undefined) === (value.resume === undefined)
		? undefined
		: "'range' and 'resume' do not go together";
}

function isTime(value: unknown): value is Micros {
	return Number.isSafeInteger(value);
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}

function isList(value: unknown, isEntry: (entry: unknown) => boolean): boolean {
	return Array.isArray(value) && value.length <= TOO_MANY && value.every(isEntry);
}

function isOptional(value: unknown, isValid: (value: unknown) => boolean): boolean {
	return value === undefined || isValid(value);
}

function isMistrust(value: unknown): boolean {
	const { times, since, until } = (value ?? {}) as Record<keyof Mistrust, unknown>;
	return isTime(times) && isTime(since) && isOptional(until, isTime);
}

function isProvenTime(value: unknown): boolean {
	return isList(value, isTime) && (value as unknown[]).length === 3;
}

function isBaseline(value: unknown): boolean {
	return value === 'active' || value === 'recent';
}

function isTrackedRun(entry: unknown): boolean {
	if (!Array.isArray(entry)) return false;
	const [id, created, statuses, notes] = entry as unknown[];
	if (!isText(id) || !isTime(created) || !isList(statuses, isText)) return false;
	return (statuses as string[]).length > 0 && isOptional(notes, isNotes);
}

function isNotes(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	const { shownAt, endedAt, missing, exceeded } = value as Record<string, unknown>;
	return (
		isOptional(shownAt, isTime) &&
		isOptional(endedAt, isTime) &&
		isOptional(missing, (entry) => isList(entry, isTime)) &&
		isOptional(exceeded, (entry) => isList(entry, isText))
	);
}

function isSeenEvent(entry: unknown): boolean {
	if (!Array.isArray(entry)) return false;
	const [key, time, shownAt] = entry as unknown[];
	return isText(key) && isTime(time) && isOptional(shownAt, isTime);
}

function isResume(value: unknown): boolean {
	const resume = (value ?? {}) as Record<keyof Resume, unknown>;
	const { newest, oldestNew, count, total, shifted, fallen } = resume;
	return (
		isText(resume.cursor) &&
		isOptional(resume.last, isText) &&
		[shifted, fallen].every((each) => isOptional(each, (flag) => typeof flag === 'boolean')) &&
		[newest, oldestNew, count, total].every((each) => isOptional(each, isTime))
	);
}

function isDoubt(value: unknown): boolean {
	const { credential, asked, since, began, resume } = (value ?? {}) as Record<string, unknown>;
	const isAsked = isText(credential) && isTime(asked);
	return (
		isAsked &&
		[since, began].every((time) => isOptional(time, isTime)) &&
		isOptional(resume, isResume)
	);
}

function isRange(value: unknown): boolean {
	const { start, end } = (value ?? {}) as Record<string, unknown>;
	return isTime(start) && isOptional(end, isTime);
}
