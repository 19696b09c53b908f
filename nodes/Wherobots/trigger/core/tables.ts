import type { IDataObject } from 'n8n-workflow';

import {
	getCurrentId,
	traceLine,
	getParentId,
	findSnapshotId,
	indexSnapshots,
	type Snapshot,
} from '../../service/tables/catalogs';
import { parseTime, type Micros } from '../../service/time';
import { Failure, settle } from '../../transport/failure';
import { runInParallel, READS_AT_ONCE } from '../../transport/concurrency';
import {
	type Budget,
	MAX_REMEMBERED,
	MINUTE,
	SECOND,
	type Source,
	floorToSecond,
	type KnownTable,
	type TableState,
} from './cursor';
import { MAX_CHANGES } from './runPoll';

/** How far replicas of the service may be behind each other. */
const LAG = 5 * MINUTE;

/** How exact times are: the service may have whole seconds. */
const PRECISION = 2 * SECOND;

/** How many tables can be watched, so that some snapshots of each can be remembered. */
const MAX_TABLES = 1_000;

/** How many tables a test of the trigger looks at. */
const SAMPLED = 5;

export interface TableSource extends Source {
	/** The tables that are watched, with their update times as far as a list shows them. */
	tables(): Promise<Array<{ name: string; updateTime?: unknown }>>;
	/** The details of a table. */
	table(name: string): Promise<IDataObject>;
}

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

interface TablePollResult {
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
 * @param tooManyAdvice what to do when there are too many
 * @throws what the source throws when no table can be read, or when there are too many; nothing has been
 *   lost then, the next poll starts from `state`
 */
export async function pollTables(
	state: TableState | undefined,
	scope: string,
	source: TableSource,
	budget: Budget,
	tooManyAdvice = '',
): Promise<TablePollResult> {
	const listed = new Map<string, Micros | undefined>();
	for (const { name, updateTime } of await source.tables()) {
		listed.set(name, parseTime(updateTime));
	}
	if (listed.size > MAX_TABLES) {
		throw new Failure({
			message: `The namespace has ${listed.size} tables; at most ${MAX_TABLES} can be watched`,
			isInput: true,
			description: tooManyAdvice,
		});
	}
	const now = source.now();
	// Lists may lack a table for a while; its snapshots must not be new then.
	const absent = (state?.tables ?? []).filter(({ name }) => !listed.has(name));
	const dropped = absent.slice(0, Math.max(0, absent.length + listed.size - MAX_TABLES));
	const tables = new Map<string, KnownTable>();
	for (const table of state?.tables ?? []) {
		if (!dropped.includes(table)) tables.set(table.name, table);
	}
	// n8n's own clock may be far off.
	const published = source.isClockSure() ? floorToSecond(now) : 0;
	for (const [name, time = -1] of listed) {
		// Times may be in whole seconds.
		const updated = Math.max(published, floorToSecond(time) + SECOND - 1) || undefined;
		const unread = state ? { name, ids: [], updated: 0 } : { name, updated };
		if (!tables.has(name)) tables.set(name, unread);
	}
	const open = [...tables.values()].filter(({ name, read }) => {
		const time = listed.get(name);
		return listed.has(name) && (time === undefined || time !== read);
	});
	const changes: TableChange[] = [];
	const failures: Array<{ name: string; error: Error }> = [];
	await runInParallel(open.length, READS_AT_ONCE, async (index) => {
		const { name } = open[index];
		if (budget.spent() || changes.length >= MAX_CHANGES) return;
		const read = await settle(source.table(name));
		if (!read.ok) return void failures.push({ name, error: read.error as Error });
		// The first poll reports nothing.
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
	const which = others.length > 0 ? `${failed.name} and ${others.length} more` : failed?.name;
	const note = `Table ${which} could not be read (${failed?.error.message}); the next poll tries again.`;
	return { state: { scope, tables: kept }, changes, notes: failed ? [note] : [] };
}

/** The newest change of the table that was updated last, for a test of the trigger. */
export async function findNewestChange(source: TableSource): Promise<TableChange | undefined> {
	const timed = (await source.tables()).map(({ name, updateTime }) => ({
		name,
		time: parseTime(updateTime),
	}));
	const latest = timed.sort((a, b) => (b.time ?? 0) - (a.time ?? 0)).slice(0, SAMPLED);
	const reads = await Promise.all(latest.map(async ({ name }) => await settle(source.table(name))));
	for (const [index, read] of reads.entries()) {
		if (!read.ok) continue;
		const details = read.value;
		const [, ...ids] = traceLine(indexSnapshots(details), getCurrentId(details));
		const table = { name: latest[index].name, ids, updated: 0 };
		const { changes } = observe(table, details, undefined, source.now());
		if (changes.length > 0) return changes[0];
	}
	for (const read of reads) if (!read.ok) throw read.error;
	return undefined;
}

/**
 * What is new in a table. A response counts at once if it is the first one, if it shows the branch main
 * where it was, or if it shows new snapshots and is certainly not older: they follow the last one, or its
 * time is newer. Any other comes from a replica that is behind, or after main went back or the table was
 * made anew. It counts once none has counted for as long as replicas may be behind.
 *
 * @param listed the table's update time in the list
 */
function observe(
	table: KnownTable,
	details: IDataObject,
	listed: Micros | undefined,
	now: Micros,
): Observation {
	const { name, head: last, updated } = table;
	const { byId, head, ids, fresh, follows, isCut } = compare(table, details);
	const shown = parseTime(details.updateTime);
	const { read, pending } = toReadTime(table, shown, listed, now);
	const latest = updated === undefined ? listed : read;
	const time = shown ?? getTime(byId.get(head ?? '')) ?? latest ?? 0;
	const isUpdated = updated !== undefined && time > updated;
	const isSure = !table.ids || head === last || (fresh.length > 0 && (follows || isUpdated));
	const doubt = Math.min(table.doubt ?? now, now);
	if (!isSure && now - doubt < LAG) {
		return { changes: [], known: { ...table, doubt, pending: undefined } };
	}

	const change = { name, details };
	const changes = fresh.slice(0, MAX_CHANGES).map((id, index): TableChange => {
		const snapshot = byId.get(id);
		const missedSince = isCut && index === 0 ? last : undefined;
		return { ...change, snapshot, previousId: getParentId(snapshot), missedSince };
	});
	const hasMoved = fresh.length === 0 && last !== undefined && head !== last;
	// Without references, main is only taken to be at the newest snapshot.
	if (hasMoved && head !== undefined && head === findSnapshotId(details, 'main')) {
		const snapshot = byId.get(head);
		changes.push({ ...change, snapshot, previousId: last, isRollback: true });
	}
	if (head === undefined && isUpdated) changes.push({ ...change, time });
	const added = fresh.slice(0, MAX_CHANGES);
	const isWhole = added.length === fresh.length;
	const known: KnownTable = {
		name,
		updated: Math.max(time, updated ?? 0),
		ids: [...ids, ...added],
		head: isWhole ? head : added.at(-1),
		...(isWhole && { read, pending }),
	};
	return { changes, known };
}

/** What a response shows of a table beside what is known. */
interface Comparison {
	byId: ReadonlyMap<string, Snapshot>;
	/** Where the branch main is. */
	head?: string;
	/** What is known. */
	ids: string[];
	/** Unknown snapshots that lead to it, oldest first. */
	fresh: string[];
	/** Whether they can only have come after the last known one. */
	follows: boolean;
	/** The one before them has expired, and none of them follows a known one. */
	isCut: boolean;
}

function compare(table: KnownTable, details: IDataObject): Comparison {
	const { head: last, updated = Infinity } = table;
	const byId = indexSnapshots(details);
	const head = getCurrentId(details);
	const main = findSnapshotId(details, 'main');
	// A response may name where main is and lack the snapshots.
	const line = traceLine(byId, head ?? (main === 'main' ? undefined : main));
	const ids = table.ids ?? listIdsBefore(updated, details, line);
	const known = new Set([...ids, ...traceLine(byId, last)]);
	const end = line.findIndex((id) => known.has(id));
	const unknown = end < 0 ? line : line.slice(0, end);
	const fresh = unknown.filter((id) => byId.has(id)).reverse();
	const follows = last === undefined || byId.has(last) || line.includes(last);
	const isCut = fresh.length < unknown.length;
	return { byId, head, ids, fresh, follows, isCut };
}

/**
 * What was there before the workflow was published, as a first reading shows it: also what main is not at,
 * which a replica may show as if it were.
 *
 * @param line the snapshots that lead to where main is, newest first
 */
function listIdsBefore(published: Micros, details: IDataObject, line: string[]): string[] {
	const byId = indexSnapshots(details);
	// No snapshot is newer than its table: the clock of who committed it may be ahead.
	const updated = parseTime(details.updateTime) ?? Infinity;
	const ahead = Math.max(0, (getTime(byId.get(line[0])) ?? 0) - updated);
	const isNew = (id: string) => (getTime(byId.get(id)) ?? 0) - ahead > published;
	const before = [...line].reverse();
	const first = before.findIndex(isNew);
	if (first >= 0) before.splice(first);
	const onLine = new Set(line);
	const others = [...byId.keys()].filter((id) => !onLine.has(id) && !isNew(id));
	return [...others, ...before];
}

/** When a snapshot was committed, if it says so. */
export function getTime(snapshot: Snapshot | undefined): Micros | undefined {
	const millis = snapshot?.['timestamp-ms'];
	return millis ? parseTime(Number(millis)) : undefined;
}

/**
 * With which update time in the list the details are certainly as new, or which one they may be behind.
 *
 * @param shown the update time in the details
 */
function toReadTime(
	{ pending }: KnownTable,
	shown: Micros | undefined,
	listed: Micros | undefined,
	now: Micros,
): Pick<KnownTable, 'read' | 'pending'> {
	if (listed === undefined) return {};
	if (shown === listed && now - listed >= PRECISION) return { read: listed };
	const [time, since] = pending ?? [listed, now];
	return now - since >= LAG ? { read: time } : { pending: [time, since] };
}
