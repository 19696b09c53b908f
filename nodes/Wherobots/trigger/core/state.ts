import type { Micros } from '../../service/time/time';
import { digest } from './ids';
import type { ListPosition } from './readList';
import type { AuditWay } from './source';
import type { WatermarkState } from './watermark';

/** What a trigger knows between two polls. Plain JSON: n8n stores and compares it. */
export type TriggerState = RunState | AuditState;

interface StateBase extends WatermarkState {
	v: typeof VERSION;
	/** What is polled, as a digest; another scope starts afresh. */
	scope: string;
	/** While a first poll is not finished: when it began. What happened before does not count as new. */
	began?: Micros;
	/** Where the next poll continues to read the list. */
	resume?: ListPosition;
}

/** What is known of a run besides its statuses; once it has ended, only what its cost needs. */
export interface RunNotes {
	/** How often it was not found in a row, and since when. */
	missing?: [times: number, since: Micros];
	/** Statuses that were reported as lasting too long. */
	exceeded?: string[];
	/** After its end, the ID under which its cost is still watched; empty once the cost was reported. */
	billedAs?: string;
	/** Since when its cost is watched after its end. */
	endedAt?: Micros;
}

/** A tracked run, or one that ended so recently that lists still show it; times in microseconds. */
export type TrackedRun = [id: string, created: Micros, statuses: string[], notes?: RunNotes];

export interface RunState extends StateBase {
	kind: 'runs';
	runs: TrackedRun[];
	/** While a first poll has not listed the active runs: how often it has read that list. */
	baseline?: number;
}

/** An event that the next reading will meet again: a digest of its id, and its time. */
export type SeenEvent = [key: string, time: Micros];

export interface AuditState extends StateBase {
	kind: 'audit';
	way: AuditWay;
	seen: SeenEvent[];
	/** While a backlog is read: the length of the next range. */
	span?: Micros;
}

const VERSION = 1;

/** The digest of what is watched. Settings that only choose or shape the output stay out of it. */
export function scopeOf(parts: Record<string, string | undefined>): string {
	return digest(JSON.stringify(Object.entries(parts).sort()), 12);
}

export function newRunState(scope: string, watermark: Micros, runs: TrackedRun[]): RunState {
	return { v: VERSION, kind: 'runs', scope, watermark, runs };
}

export function newAuditState(scope: string, watermark: Micros, way: AuditWay): AuditState {
	return { v: VERSION, kind: 'audit', scope, watermark, way, seen: [] };
}

export type ReadState =
	| { kind: 'none' }
	/** Written by another version, or damaged. */
	| { kind: 'broken'; problem: string }
	| { kind: 'state'; state: TriggerState };

/** Reads a stored state: only this package writes it, but possibly another version of it. */
export function readState(stored: unknown): ReadState {
	if (stored === undefined || stored === null) return { kind: 'none' };
	const value = stored as { [name in keyof RunState | keyof AuditState]?: unknown };
	if (value.v !== VERSION) {
		const problem = `its version is ${JSON.stringify(value.v)}, not ${VERSION}`;
		return { kind: 'broken', problem };
	}
	const records = value.kind === 'audit' ? value.seen : value.kind === 'runs' && value.runs;
	if (!Array.isArray(records) || !Number.isSafeInteger(value.watermark)) {
		return { kind: 'broken', problem: 'it is damaged' };
	}
	return { kind: 'state', state: value as unknown as TriggerState };
}
