import { createHash } from 'node:crypto';

import type { MicroTime } from './source';
import type { Resume } from './readPages';

/** What a trigger knows between two polls. Plain JSON: n8n stores and compares it. */
export type TriggerState = RunState | AuditState;

interface StateBase {
	v: typeof VERSION;
	/** What is watched, as a digest; another scope starts afresh. */
	scope: string;
	/** Everything before this time is known. */
	watermark: MicroTime;
	/** A reading of the list that goes on in the next poll. */
	resume?: Resume;
}

/** A run that is followed, or that ended so recently that the list still has it: id, creation time, statuses seen. */
export type TrackedRun = [id: string, created: MicroTime, ...statuses: string[]];

export interface RunState extends StateBase {
	kind: 'runs';
	runs: TrackedRun[];
}

/** How audit events are read: by query, or by export where a deployment has no query. */
export const AUDIT_WAYS = ['query', 'export'] as const;

export type AuditWay = (typeof AUDIT_WAYS)[number];

/** An event that the next reading will meet again: a digest of its id, and its time. */
export type SeenEvent = [key: string, time: MicroTime];

export interface AuditState extends StateBase {
	kind: 'audit';
	way: AuditWay;
	seen: SeenEvent[];
	/** The range that `resume` is about. */
	range?: { start: MicroTime; end?: MicroTime };
}

const VERSION = 1;

/** Most entries that a state holds; beyond it the oldest finished ones are forgotten, and could repeat. */
export const MAX_ENTRIES = 10_000;

/** The digest of what is watched. Settings that only choose or shape the output stay out of it. */
export function scopeOf(parts: Record<string, string | undefined>): string {
	return digest(JSON.stringify(Object.entries(parts).sort()), 12);
}

/** A short, evenly distributed name for a text: 6 bits a character. */
export function digest(text: string, length: number): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, length);
}

export function newRunState(scope: string, watermark: MicroTime, runs: TrackedRun[]): RunState {
	return { v: VERSION, kind: 'runs', scope, watermark, runs };
}

export function newAuditState(
	scope: string,
	watermark: MicroTime,
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
	if (value.kind === 'runs') {
		return isList(value.runs, isTrackedRun) ? undefined : "'runs' is damaged";
	}
	if (value.kind !== 'audit') return "'kind' is unknown";
	if (!AUDIT_WAYS.some((way) => way === value.way)) return "'way' is unknown";
	if (!isList(value.seen, isSeenEvent)) return "'seen' is damaged";
	if (value.range !== undefined && !isRange(value.range)) return "'range' is damaged";
	return (value.range === undefined) === (value.resume === undefined)
		? undefined
		: "'range' and 'resume' do not go together";
}

function isTime(value: unknown): value is MicroTime {
	return Number.isSafeInteger(value);
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}

function isList(value: unknown, isEntry: (entry: unknown) => boolean): boolean {
	return Array.isArray(value) && value.length <= 2 * MAX_ENTRIES && value.every(isEntry);
}

function isTrackedRun(entry: unknown): boolean {
	if (!Array.isArray(entry) || entry.length < 3) return false;
	const [id, created, ...statuses] = entry as unknown[];
	return isText(id) && isTime(created) && statuses.every(isText);
}

function isSeenEvent(entry: unknown): boolean {
	return Array.isArray(entry) && entry.length === 2 && isText(entry[0]) && isTime(entry[1]);
}

function isResume(value: unknown): boolean {
	const { cursor, startedAt, newest } = (value ?? {}) as Record<string, unknown>;
	return isText(cursor) && isTime(startedAt) && (newest === undefined || isTime(newest));
}

function isRange(value: unknown): boolean {
	const { start, end } = (value ?? {}) as Record<string, unknown>;
	return isTime(start) && (end === undefined || isTime(end));
}
