import type { Micros } from '../../service/time/time';
import { digest } from './ids';
import type { ListPosition } from './readList';
import { AUDIT_WAYS, type AuditWay } from './source';
import type { OddPolls } from './watermark';

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
	/** The newest time that the service has shown. */
	newest?: Micros;
	/** A reading of the list that goes on in the next poll. */
	resume?: ListPosition;
	/** Until when, by n8n's clock, only what is newer is asked for. */
	restUntil?: Micros;
	/** Lists that contradict themselves. */
	odd?: OddPolls;
	/** The credential in use may be one of another organization, which is not settled yet. */
	doubt?: Doubt;
}

/** How far it is known whether a credential belongs to the organization that the state is about. */
export interface Doubt {
	/** A digest of the secret. */
	credential: string;
	/** How many polls have found nothing, how many were left unclear, and since when. */
	asked: number;
	unclear?: number;
	since?: Micros;
}

/** What is known of a run beside its statuses. */
export interface RunNotes {
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
	/** Runs that were created at this time or before, and are not known, were there before the first poll. */
	since?: Micros;
	/** While a first poll is not finished: how often it has read the list of active runs. */
	baseline?: number;
	/** Where costs are watched. */
	costs?: WatchedCosts;
}

/** The runs whose costs were reported, and those that have ended without: their figures may still rise. */
export interface WatchedCosts {
	reported: string[];
	ended: Array<[id: string, appId: string, endedAt: Micros]>;
}

/** An event that the next reading will meet again: a digest of its id, and its time. */
export type SeenEvent = [key: string, time: Micros];

export interface AuditState extends StateBase {
	kind: 'audit';
	way: AuditWay;
	seen: SeenEvent[];
	/** While a backlog is read: the length of the next range. */
	span?: Micros;
	/** When a first poll that is not finished began, by the service's time. */
	began?: Micros;
}

const VERSION = 1;

/** More entries than a state ever holds: it is damaged. */
const TOO_MANY = 200_000;

/** The digest of what is watched. Settings that only choose or shape the output stay out of it. */
export function scopeOf(parts: Record<string, string | undefined>): string {
	return digest(JSON.stringify(Object.entries(parts).sort()), 12);
}

export function newRunState(scope: string, watermark: Micros, runs: TrackedRun[]): RunState {
	return { v: VERSION, kind: 'runs', scope, watermark, runs };
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

const time: Check = (value) => Number.isSafeInteger(value);
const text: Check = (value) => typeof value === 'string' && value !== '';

function optional(isValid: Check): Check {
	return (value) => value === undefined || isValid(value);
}

function listOf(isEntry: Check): Check {
	return (value) =>
		Array.isArray(value) && value.length <= TOO_MANY && value.every((entry) => isEntry(entry));
}

/** Of an object or a tuple: each of these fields. */
function fields(checks: Record<string, Check> | Check[]): Check {
	return (value) => {
		const entries = Object.entries(checks);
		return (
			typeof value === 'object' &&
			value !== null &&
			entries.every(([name, isValid]) => isValid((value as Record<string, unknown>)[name]))
		);
	};
}

const COMMON_FIELDS: Record<string, Check> = {
	scope: text,
	credential: optional(text),
	watermark: time,
	newest: optional(time),
	resume: optional(
		fields({
			cursor: text,
			count: time,
			final: time,
			total: optional(time),
			oldestNew: optional(time),
			end: optional(time),
		}),
	),
	restUntil: optional(time),
	odd: optional(fields([time, time])),
	doubt: optional(
		fields({ credential: text, asked: time, unclear: optional(time), since: optional(time) }),
	),
};

const RUN_NOTES = fields({
	endedAt: optional(time),
	missing: optional(fields([time, time])),
	exceeded: optional(listOf(text)),
});

const RUN_FIELDS: Record<string, Check> = {
	...COMMON_FIELDS,
	runs: listOf(fields([text, time, listOf(text), optional(RUN_NOTES)])),
	since: optional(time),
	baseline: optional(time),
	costs: optional(fields({ reported: listOf(text), ended: listOf(fields([text, text, time])) })),
};

const AUDIT_FIELDS: Record<string, Check> = {
	...COMMON_FIELDS,
	way: (value) => AUDIT_WAYS.some((way) => way === value),
	seen: listOf(fields([text, time])),
	span: optional(time),
	began: optional(time),
};
