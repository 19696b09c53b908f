import type { Micros } from '../../service/time/time';
import { digest } from './digest';
import type { OddPolls } from './oddLists';
import type { ListPosition } from './readList';

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
	resume?: ListPosition;
	/** When a full reading of several pages has last found nothing new. */
	checkedAt?: Micros;
	/** Lists that contradict themselves. */
	odd?: OddPolls;
	/** When a first poll that is not finished began, by the service's time. */
	began?: Micros;
	/** The credential in use may be one of another organization, which is not settled yet. */
	doubt?: Doubt;
}

/** How far it is known whether a credential belongs to the organization that the state is about. */
export interface Doubt {
	/** A digest of the secret. */
	credential: string;
	/** How many polls have asked in vain, and since when. */
	asked: number;
	since?: Micros;
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

export interface RunState extends StateBase {
	kind: 'runs';
	runs: TrackedRun[];
	/** The newest run of the first poll: runs so much older than it do not fire. */
	since?: Micros;
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

/** An event that the next reading will meet again: a digest of its id, and its time. */
export type SeenEvent = [key: string, time: Micros];

export interface AuditState extends StateBase {
	kind: 'audit';
	/** The newest time that the service has shown. */
	newest?: Micros;
	way: AuditWay;
	seen: SeenEvent[];
	/** While a backlog is read: the length of the next range. */
	span?: Micros;
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
	if (value.kind !== 'runs' && value.kind !== 'audit') return "'kind' is unknown";
	const checks = value.kind === 'runs' ? RUN_FIELDS : AUDIT_FIELDS;
	const damaged = Object.entries(checks).find(([name, isValid]) => !isValid(value[name]));
	return damaged && `'${damaged[0]}' is damaged`;
}

type Check = (value: unknown) => boolean;

const COMMON_FIELDS: Record<string, Check> = {
	scope: (value) => typeof value === 'string',
	credential: optional(isText),
	watermark: isTime,
	resume: optional(isPosition),
	checkedAt: optional(isTime),
	odd: optional((value) => isList(value, isTime)),
	began: optional(isTime),
	doubt: optional(isDoubt),
};

const RUN_FIELDS: Record<string, Check> = {
	...COMMON_FIELDS,
	since: optional(isTime),
	baseline: optional(isBaseline),
	readings: optional(isTime),
	isWaiting: optional((value) => value === true),
	runs: listOf(isTrackedRun),
};

const AUDIT_FIELDS: Record<string, Check> = {
	...COMMON_FIELDS,
	newest: optional(isTime),
	way: (value) => AUDIT_WAYS.some((way) => way === value),
	seen: listOf(isSeenEvent),
	span: optional(isTime),
};

function optional(isValid: Check): Check {
	return (value) => isOptional(value, isValid);
}

function listOf(isEntry: Check): Check {
	return (value) => isList(value, isEntry);
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

function isBaseline(value: unknown): boolean {
	return value === 'active' || value === 'recent';
}

function isTrackedRun(entry: unknown): boolean {
	if (!Array.isArray(entry)) return false;
	const [id, created, statuses, notes] = entry as unknown[];
	return isText(id) && isTime(created) && isList(statuses, isText) && isOptional(notes, isNotes);
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
	return Array.isArray(entry) && isText(entry[0]) && isTime(entry[1]);
}

function isPosition(value: unknown): boolean {
	const position = (value ?? {}) as Record<keyof ListPosition, unknown>;
	const { cursor, count, total, final, oldestNew, end } = position;
	return (
		isText(cursor) &&
		[count, final].every(isTime) &&
		[total, oldestNew, end].every((each) => isOptional(each, isTime))
	);
}

function isDoubt(value: unknown): boolean {
	const { credential, asked, since } = (value ?? {}) as Record<keyof Doubt, unknown>;
	return isText(credential) && isTime(asked) && isOptional(since, isTime);
}
