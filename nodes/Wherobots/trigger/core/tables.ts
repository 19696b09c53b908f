import type { IDataObject } from 'n8n-workflow';

import {
	currentId,
	lineOf,
	parentId,
	snapshotId,
	snapshotsById,
	type Snapshot,
} from '../../service/catalogs';
import { parseServiceTime, type Micros } from '../../service/time';
import { Failure, settle } from '../../transport/failure';
import { inParallel } from '../../transport/clock';
import {
	DAY,
	MAX_REMEMBERED,
	MINUTE,
	newTableState,
	SECOND,
	type KnownTable,
	type TableState,
} from './cursor';
import { MAX_CHANGES } from './runPoll';
import type { Budget, TableSource } from './source';

/** How far replicas of the service may be behind each other. */
const LAG = 5 * MINUTE;

/** How exact times are: the service may have whole seconds. */
const PRECISION = 2 * SECOND;

/** How many tables can be watched, so that some snapshots of each can be remembered. */
const MAX_TABLES = 1_000;

const READS_AT_ONCE = 10;

/** How many tables a test of the trigger looks at. */
const SAMPLED = 5;

/** A new snapshot, a rollback to an older one, or a newer state of a table that has no snapshots. */
export interface TableChange {
	name: string;
	details: IDataObject;
	/** In the last case, only the time. */
	snapshot?: Snapshot;
	time?: Micros;
	/** The ID of the snapshot before it; of a rollback: from which it went back. */
	previousId?: string;
	isRollback?: boolean;
	/** The last snapshot that was seen, if some between that and this one have expired since. */
	missedSince?: string;
}

interface Observation {
	changes: TableChange[];
	known: KnownTable;
}

export interface TablePollResult {
	state: TableState;
	changes: TableChange[];
	/** Notes for n8n's log. */
	notes: string[];
}

/**
 * One poll of tables: what changed since `state`, and the state after it. Pure apart from the source.
 *
 * The first time that a table is read, nothing is reported, unless it was not there when the workflow
 * was published.
 *
 * @throws what the source throws when no table can be read, or when there are too many; nothing has been
 *   lost then, the next poll starts from `state`
 */
export async function pollTables(
	state: TableState | undefined,
	scope: string,
	source: TableSource,
	budget: Budget,
): Promise<TablePollResult> {
	const listed = new Map<string, Micros | undefined>();
	for (const { name, updateTime } of await source.tables()) {
		listed.set(name, parseServiceTime(updateTime));
	}
	if (listed.size > MAX_TABLES) throw tooMany(listed.size);
	const now = source.now();
	const tables = new Map<string, KnownTable>();
	for (const { gone = now, ...table } of state?.tables ?? []) {
		if (listed.has(table.name)) tables.set(table.name, table);
		// Lists may lack a table for a while; its snapshots must not be new then.
		else if (now - gone < DAY && tables.size < MAX_TABLES) {
			tables.set(table.name, { ...table, gone });
		}
	}
	for (const [name, updated] of listed) {
		if (!tables.has(name)) tables.set(name, state ? { name, ids: [] } : { name, updated });
	}
	const open = [...tables.values()].filter((table) => {
		const time = listed.get(table.name);
		const isSettled = table.ids && table.updated === time;
		return listed.has(table.name) && (time === undefined || !isSettled);
	});
	const changes: TableChange[] = [];
	const failures: Array<{ name: string; error: Error }> = [];
	await inParallel(open.length, READS_AT_ONCE, async (index) => {
		const { name } = open[index];
		if (budget.spent() || changes.length >= MAX_CHANGES) return;
		const read = await settle(source.table(name));
		if (!read.ok) return void failures.push({ name, error: read.error as Error });
		// The first poll reports nothing, although the list may be older than the details.
		const before = state ? open[index] : { name };
		const observed = observe(before, read.value, listed.get(name), source.now());
		changes.push(...observed.changes);
		// At the end, so that a poll without time for all of them goes on with the others.
		tables.delete(name);
		tables.set(name, observed.known);
	});
	// One table that cannot be read must not hide the others.
	const [failed, ...others] = failures;
	if (failed && failures.length === listed.size) throw failed.error;
	const room = Math.max(10, Math.floor(MAX_REMEMBERED / tables.size));
	const kept = [...tables.values()].map((each) => ({ ...each, ids: each.ids?.slice(-room) }));
	const which = others.length > 0 ? `${failed.name} and ${others.length} others` : failed?.name;
	const note = `Table ${which} could not be read (${failed?.error.message}); the next poll tries again.`;
	return { state: newTableState(scope, kept), changes, notes: failed ? [note] : [] };
}

/** The newest change of the table that was updated last, for a test of the trigger. */
export async function newestChange(source: TableSource): Promise<TableChange | undefined> {
	const timed = (await source.tables()).map(({ name, updateTime }) => ({
		name,
		time: parseServiceTime(updateTime),
	}));
	const latest = timed.sort((a, b) => (b.time ?? 0) - (a.time ?? 0)).slice(0, SAMPLED);
	const reads = await Promise.all(latest.map(async ({ name }) => await settle(source.table(name))));
	for (const [index, read] of reads.entries()) {
		if (!read.ok) continue;
		const details = read.value;
		const [, ...ids] = lineOf(snapshotsById(details), currentId(details));
		const table = { name: latest[index].name, ids };
		const { changes } = observe(table, details, undefined, source.now());
		if (changes.length > 0) return changes[0];
	}
	for (const read of reads) if (!read.ok) throw read.error;
	return undefined;
}

/**
 * What is new in a table. A response that lacks the snapshot at which the table was last comes from a
 * replica that is behind, or after that snapshot has expired or the table was made anew: where it does
 * not follow from what is known, it counts once all responses of a while agree.
 *
 * @param listed the table's update time in the list
 */
function observe(
	table: KnownTable,
	details: IDataObject,
	listed: Micros | undefined,
	now: Micros,
): Observation {
	const { name, head: last, updated: since } = table;
	const byId = snapshotsById(details);
	const head = currentId(details);
	const doubt = Math.min(table.doubt ?? now, now);
	const isConfirmed = now - doubt >= LAG;
	const times = timesOf(table, parseServiceTime(details.updateTime), listed, now);
	if (head === undefined) {
		if (last !== undefined && !isConfirmed) return { changes: [], known: { ...table, doubt } };
		return observeTime(table, details, times);
	}

	const line = lineOf(byId, head);
	const isFirst = table.ids === undefined;
	const isOld = (id: string) => !isAfter(timeOf(byId.get(id)), since);
	const ids = table.ids ?? line.filter(isOld).reverse();
	const seen = new Set([...ids, ...lineOf(byId, last)]);
	const end = line.findIndex((id) => seen.has(id));
	const fresh = line.slice(0, end < 0 ? undefined : end).filter((id) => byId.has(id));
	const follows = last === undefined || byId.has(last) || line.includes(last);
	const isSure = head === last || isFirst || (follows && fresh.length > 0);
	const isNew = follows || end > 0 || isConfirmed;
	const added = isNew ? fresh.slice(-MAX_CHANGES).reverse() : [];
	const isRollback = !isSure && isConfirmed && fresh.length === 0 && head !== ids.at(-1);
	const isCut = end < 0 && ids.length > 0 && !byId.has(line[line.length - 1]);
	const changes = (isRollback ? [head] : added).map((id, index): TableChange => {
		const snapshot = byId.get(id);
		const previousId = isRollback ? ids.at(-1) : parentId(snapshot);
		const missedSince = isCut && index === 0 ? ids.at(-1) : undefined;
		return { name, details, snapshot, previousId, isRollback, missedSince };
	});
	const to = added.at(-1) ?? head;
	const moves = isSure || isConfirmed;
	const reported = isRollback ? [head] : added;
	const known: KnownTable = {
		name,
		updated: (moves && to === head ? times.time : undefined) ?? table.updated,
		listed: times.listed,
		ids: withReported(ids, reported, isSure ? last : undefined),
		// What was reported just now disagrees with all responses before it.
		...(moves ? { head: to } : { head: last, doubt: added.length > 0 ? now : doubt }),
	};
	return { changes, known };
}

/** A replica that is behind may show what comes after `last` when newer snapshots have been reported. */
function withReported(ids: string[], reported: string[], last: string | undefined): string[] {
	const others = ids.filter((id) => !reported.includes(id));
	const end = last === undefined ? 0 : others.lastIndexOf(last) + 1;
	others.splice(end || others.length, 0, ...reported);
	return others;
}

/** When a snapshot was committed, if it says so. */
export function timeOf(snapshot: Snapshot | undefined): Micros | undefined {
	const millis = snapshot?.['timestamp-ms'];
	return millis ? parseServiceTime(Number(millis)) : undefined;
}

/** Whether a snapshot is newer than an update time, which may be in whole seconds. */
function isAfter(time: Micros | undefined, updated: Micros | undefined): boolean {
	if (time === undefined || updated === undefined) return false;
	return updated % SECOND === 0 ? time >= updated + SECOND : time > updated;
}

/** A table without snapshots is known by its update time. */
function observeTime(
	{ name, ids, updated }: KnownTable,
	details: IDataObject,
	{ time = -Infinity, listed }: Times,
): Observation {
	const since = updated ?? (ids ? -Infinity : Infinity);
	const changes = time > since ? [{ name, details, time }] : [];
	const newest = Math.max(time, updated ?? -Infinity);
	// A response may name the branch main and lack the snapshots.
	const main = snapshotId(details, 'main');
	const first = main === 'main' ? [] : [main];
	const known = { name, ids: listed ? ids : (ids ?? first), listed };
	return { changes, known: newest > -Infinity ? { ...known, updated: newest } : known };
}

interface Times {
	/** The update time, once it is certain that the details are as new. */
	time?: Micros;
	listed?: KnownTable['listed'];
}

/** @param shown the update time in the details */
function timesOf(
	table: KnownTable,
	shown: Micros | undefined,
	listed: Micros | undefined,
	now: Micros,
): Times {
	if (listed === undefined) return { time: shown };
	const since = table.listed?.[0] === listed ? Math.min(table.listed[1], now) : now;
	const isSame = shown !== undefined && shown >= listed;
	const isCurrent = isSame ? now - listed >= PRECISION : now - since >= LAG;
	return isCurrent ? { time: listed } : { listed: [listed, since] };
}

function tooMany(count: number): Failure {
	return new Failure({
		message: `The namespace has ${count} tables; at most ${MAX_TABLES} can be watched`,
		isInput: true,
		description: "Set 'Watch' to 'One Table', with a trigger for each table that matters.",
	});
}
