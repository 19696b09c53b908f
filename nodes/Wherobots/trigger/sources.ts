import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { getTableType, type TableListItem } from '../service/tables/catalogs';
import type { PathValues } from '../service/endpoints';
import { type AuditEvent, auditEvents, RETENTION_DAYS } from '../service/records/auditEvent';
import type { RunKind, RunRecord } from '../service/records/kind';
import { formatTime, type Micros } from '../service/time';
import { fetchExport } from '../useCases/auditLog/auditExport';
import { parseSelectedRows, toRecord } from '../useCases/auditLog/auditFiles';
import type { Client } from '../transport/client';
import { clock } from '../transport/clock';
import { hasStatus, settle } from '../transport/failure';
import {
	fetchList,
	fetchPage,
	fetchRecord,
	refuseErrors,
	toUnexpectedFailure,
} from '../transport/records';
import { DAY, floorToSecond, toEventId } from './core/cursor';
import type { RecordPage, RecordSource, RunSource, Source, TableSource } from './core/source';

function createCommonSource(client: Client): Source {
	const own = () => Math.floor(clock.now()) * 1000;
	const told = () => Math.floor(client.serviceNow()) * 1000;
	const isClockSure = () => client.knowsServiceTime && Math.abs(told() - own()) <= DAY;
	return {
		now: () => (isClockSure() ? told() : own()),
		isClockSure,
	};
}

/** Runs of the service (interface, "Job runs"; vendor's pages on task runs). */
export function createRunSource<R extends RunRecord>(
	client: Client,
	kind: RunKind<R>,
	filter: IDataObject,
): RunSource<R> {
	return {
		kind,
		...createCommonSource(client),
		isCrowded: () => client.isCrowded,
		async runs(asked, cursor) {
			const which =
				'statuses' in asked
					? { [kind.statusName]: [...asked.statuses] }
					: kind.createdFrom(asked.createdFrom);
			return await fetchPage(client, kind, { query: { ...filter, ...which }, cursor });
		},
		async run(id) {
			const path = { [kind.idInPath]: id };
			const found = await settle(fetchRecord(client, kind.get, { path }));
			if (found.ok) return kind.of(found.value);
			if (hasStatus(found.error, 404)) return undefined;
			throw found.error;
		},
	};
}

/**
 * The audit log of the service (interface, "Audit log"): by query, or by the export, where a
 * deployment has no query.
 *
 * @param way the way that worked last
 */
export function createAuditSource(
	client: Client,
	searchTerm: string | undefined,
	way = 'query',
): RecordSource<AuditEvent> {
	let current = way;
	return {
		...createCommonSource(client),
		plural: 'events',
		kept: { where: 'The audit log', days: RETENTION_DAYS },
		toId: toAuditEventId,
		get way() {
			return current;
		},
		async records({ start, end }, cursor, maxRecords) {
			const query = (until = end) => ({
				startTime: formatTime(start),
				endTime: until === undefined ? undefined : formatTime(until),
				searchTerm,
			});
			const read = async (by: string): Promise<RecordPage<AuditEvent>> =>
				by === 'query'
					? await fetchPage(client, auditEvents, { query: query(), cursor })
					: await exportEvents(client, query(end ?? computeEndOfLog(client, start)), maxRecords);
			const first = await settle(read(current));
			if (first.ok) return first.value;
			// A refused cursor may also give a 404, in which case the endpoint is not what is missing.
			if (!hasStatus(first.error, 404) || cursor !== undefined) throw first.error;
			const other = current === 'query' ? 'export' : 'query';
			const second = await settle(read(other));
			if (!second.ok) throw hasStatus(second.error, 404) ? first.error : second.error;
			current = other;
			return second.value;
		},
	};
}

/** Without an ID of the service, it is made of the documented fields. */
export function toAuditEventId({ id, content }: AuditEvent): string {
	if (id !== '') return toEventId('audit', id);
	return `audit/sha256:${createHash('sha256').update(JSON.stringify(content)).digest('hex')}`;
}

async function exportEvents(
	client: Client,
	query: IDataObject,
	maxRecords = Infinity,
): Promise<RecordPage<AuditEvent>> {
	const read = await fetchExport(client, query, async (table): Promise<RecordPage<IDataObject>> => {
		const items: IDataObject[] = [];
		for await (const rows of parseSelectedRows(table).output) {
			for (const row of rows) items.push(removeEmpty(toRecord(table.columns, row)));
			if (items.length > maxRecords) return { items, isCut: true };
		}
		return { items };
	});
	const page = client.withoutSecrets(read);
	return { ...page, items: page.items.map(auditEvents.of) };
}

/**
 * A time after all events, for the export, whose guide requires both ends. n8n's clock may be up to a
 * day behind.
 */
function computeEndOfLog(client: Client, start: Micros): Micros {
	return Math.max(floorToSecond(client.serviceNow() * 1000), start) + DAY;
}

/** The export writes an empty value where the query returns null. */
function removeEmpty(record: Record<string, string>): IDataObject {
	return Object.fromEntries(
		Object.entries(record).map(([name, value]) => [name, value === '' ? null : value]),
	);
}

/**
 * Tables of the service (interface, "Catalogs").
 *
 * @param path of the namespace
 * @param name of the only table that is watched; all of the namespace without one
 */
export function createTableSource(client: Client, path: PathValues, name?: string): TableSource {
	return {
		...createCommonSource(client),
		async tables() {
			if (name !== undefined) return [{ name }];
			const listed = await fetchList<TableListItem>(client, 'listTables', { path });
			// Without its name, a table would be new once it has one again.
			if (listed.some(({ name: each }) => typeof each !== 'string' || each === '')) {
				throw toUnexpectedFailure('A table in the list has no name.', { path });
			}
			return listed.filter((each) => getTableType(each) === 'TABLE');
		},
		async table(table) {
			const values = { ...path, table_name: table };
			const details = await fetchRecord(client, 'getTable', { path: values });
			refuseErrors(client, 'getTable', details);
			return details;
		},
	};
}
