import { NodeApiError, type IDataObject } from 'n8n-workflow';

import { ACTIVE_STATUSES, TERMINAL_STATUSES } from '../service/jobRuns/runs';
import { formatTime, parseServiceTime, type Micros } from '../service/time/time';
import { ACTIVE_STATES, FINAL_STATES, type TaskRun } from '../service/taskRuns';
import type { Run } from '../service/types';
import { readExport } from '../transport/auditExport/table';
import { parsedRows, toRecord } from '../transport/auditExport/write';
import type { Client } from '../transport/client';
import { clock } from '../transport/clock';
import { hasStatus } from '../transport/failures/errors';
import { broken, readPage, type Page } from '../transport/pagination';
import { readRecord } from '../transport/records';
import type { AuditPage, AuditSource, AuditWay, RunKind, RunSource, Source } from './core/source';
import { DAY, HOUR, MINUTE, SECOND, wholeSecond } from './core/watermark';
import { toResult } from '../transport/toResult';

function common(client: Client): Source {
	return {
		now: () => Math.floor(client.serviceNow()) * 1000,
		knowsTime: () => client.knowsServiceTime,
		localNow: () => Math.floor(clock.now()) * 1000,
		broken: (what) => broken(client, what),
		maySuspectCursor: (error) =>
			error instanceof NodeApiError &&
			error.httpCode !== null &&
			![401, 403, 429].some((status) => hasStatus(error, status)),
	};
}

/** A text as it is; empty for anything else. */
function textOf(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

/** What the trigger has to know about job runs. */
export const jobRuns: RunKind<Run> = {
	active: ACTIVE_STATUSES,
	terminal: TERMINAL_STATUSES,
	// The service names no bound; its documented lag of statuses is two minutes.
	overlap: 5 * MINUTE,
	read: ({ id, status }: Partial<Run>) => ({ id: textOf(id), status: textOf(status) }),
	times(run: Partial<Run>) {
		return {
			created: parseServiceTime(run.createTime),
			started: parseServiceTime(run.startTime),
			ended: parseServiceTime(run.completeTime),
			timeout: Number(run.payload?.timeoutSeconds ?? 0) * SECOND || 0,
		};
	},
};

/** What the trigger has to know about runs of tasks (vendor's pages on task runs). */
export const taskRuns: RunKind<TaskRun> = {
	active: ACTIVE_STATES,
	terminal: FINAL_STATES,
	// A run that a schedule missed is recorded some time later, and may have the time it was due.
	overlap: HOUR,
	read: ({ taskRunId, state }: Partial<TaskRun>) => ({
		id: textOf(taskRunId),
		status: textOf(state),
	}),
	times(run: Partial<TaskRun>) {
		return {
			created: parseServiceTime(run.submittedAt),
			started: parseServiceTime(run.startedAt),
			ended: parseServiceTime(run.endedAt),
			// The service does not say, and a task may take days.
			timeout: 30 * DAY,
		};
	},
};

/** Job runs of the service (interface, "Job runs"). */
export function jobRunSource(client: Client, filter: IDataObject): RunSource<Run> {
	return {
		kind: jobRuns,
		...common(client),
		async runs(asked, cursor) {
			const which =
				'statuses' in asked
					? { status: [...asked.statuses] }
					: // Documented in whole seconds.
						{ created_after: formatTime(wholeSecond(asked.createdFrom)) };
			const query = { ...filter, ...which };
			return withTextIds(await readPage<Run>(client, 'listRuns', { query, cursor }), 'id');
		},
		run: async (id) => {
			const run = await ifThere(readRecord<Run>(client, 'getRun', { path: { run_id: id } }));
			return run && withTextId(run, 'id');
		},
	};
}

/** Runs of tasks: newest first, in pages by offset, which can only repeat runs when others are added. */
export function taskRunSource(client: Client, filter: IDataObject): RunSource<TaskRun> {
	return {
		kind: taskRuns,
		...common(client),
		async runs(asked, cursor) {
			const which =
				'statuses' in asked
					? { state: [...asked.statuses] }
					: { createdAfter: formatTime(asked.createdFrom) };
			const query = { ...filter, ...which };
			const page = await readPage<TaskRun>(client, 'listTaskRuns', { query, cursor });
			return withTextIds(page, 'taskRunId');
		},
		run: async (taskRunId) => {
			const reading = readRecord<TaskRun>(client, 'getTaskRun', { path: { taskRunId } });
			const run = await ifThere(reading);
			return run && withTextId(run, 'taskRunId');
		},
	};
}

/** A record, its ID as text: the interface says so, and a number has the same digits. */
function withTextId<T extends object>(record: T, key: keyof T): T {
	return typeof record[key] === 'number' ? { ...record, [key]: String(record[key]) } : record;
}

function withTextIds<T extends object>(page: Page<T>, key: keyof T): Page<T> {
	return { ...page, items: page.items.map((record) => withTextId(record, key)) };
}

/** A record, or undefined when the service says that there is none. */
async function ifThere<T>(reading: Promise<T>): Promise<T | undefined> {
	const found = await toResult(reading);
	if (found.ok) return found.value;
	if (hasStatus(found.error, 404)) return undefined;
	throw found.error;
}

/**
 * The audit log of the service (interface, "Audit log"): by query, or by the export, where a
 * deployment has no query.
 *
 * @param way the way that worked last
 */
export function auditSource(
	client: Client,
	searchTerm: string | undefined,
	way: AuditWay = 'query',
): AuditSource {
	let current = way;
	return {
		...common(client),
		get way() {
			return current;
		},
		async events({ start, end }, cursor, maxRecords) {
			const query = (until = end) => ({
				startTime: formatTime(start),
				endTime: until === undefined ? undefined : formatTime(until),
				searchTerm,
			});
			const read = async (by: AuditWay): Promise<AuditPage> =>
				by === 'query'
					? await readPage<IDataObject>(client, 'queryAuditLog', { query: query(), cursor })
					: await exportEvents(client, query(end ?? endOfLog(client, start)), maxRecords);
			const first = await toResult(read(current));
			if (first.ok) return first.value;
			// A refused cursor may also give a 404, in which case the endpoint is not what is missing.
			if (!hasStatus(first.error, 404) || cursor !== undefined) throw first.error;
			const other = current === 'query' ? 'export' : 'query';
			const second = await toResult(read(other));
			if (!second.ok) throw hasStatus(second.error, 404) ? first.error : second.error;
			current = other;
			return second.value;
		},
	};
}

async function exportEvents(
	client: Client,
	query: IDataObject,
	maxRecords = Infinity,
): Promise<AuditPage> {
	return await readExport(client, query, async (table) => {
		const items: IDataObject[] = [];
		for await (const rows of parsedRows(table, false).output) {
			for (const row of rows) items.push(withoutEmpty(toRecord(table.columns, row)));
			if (items.length > maxRecords) return { items, isCut: true };
		}
		return { items };
	});
}

/**
 * A time after all events, for the export, whose guide requires both ends. n8n's clock may be up to a
 * day behind.
 */
function endOfLog(client: Client, start: Micros): Micros {
	return Math.max(wholeSecond(client.serviceNow() * 1000), start) + DAY;
}

/** The export writes an empty value where the query returns null. */
function withoutEmpty(record: Record<string, string>): IDataObject {
	return Object.fromEntries(
		Object.entries(record).map(([name, value]) => [name, value === '' ? null : value]),
	);
}
