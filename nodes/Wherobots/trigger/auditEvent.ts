/** Tested by test/engine/trigger/auditEvent.test.ts and test/unit/trigger/sources.test.ts. */
import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { defineTextField } from '../form/declarations';
import { actionNamesField } from '../form/fields';
import {
	type AuditEvent,
	auditEvents,
	createActionFilter,
	EVENT_FIELDS,
	RETENTION_DAYS,
} from '../service/records/auditEvent';
import { formatTime, type Micros } from '../service/time';
import type { Client } from '../transport/client';
import { hasStatus, settle } from '../transport/failure';
import { fetchPage } from '../transport/records';
import { fetchExport } from '../useCases/auditLog/auditExport';
import { parseSelectedRows, toRecord } from '../useCases/auditLog/auditFiles';
import { DAY, floorToSecond, toEventId } from './core/cursor';
import type { RecordPage, RecordSource } from './core/newRecords';
import { createTimeSource } from './event';
import { defineNewRecordEvent } from './newRecordEvent';

const searchTermField = defineTextField({
	displayName: 'Search Term',
	name: 'searchTerm',
	placeholder: 'e.g. CREATE_JOB_RUN',
	description:
		'Only include events that contain this text in any field. Leave empty for all events.',
});

export const auditEvent = defineNewRecordEvent<AuditEvent>({
	name: 'Audit Event Recorded',
	description: 'Starts the workflow for each new audit event',
	record: 'audit event',
	where: 'the audit log',
	first: EVENT_FIELDS,
	fields: [searchTermField],
	options: [actionNamesField],
	read(input, options) {
		const searchTerm = input.optionalText(searchTermField);
		const isAction = createActionFilter(options.list(actionNamesField));
		return {
			scope: { searchTerm },
			createSource: (client, way) => createAuditSource(client, searchTerm, way),
			isWanted: isAction && (({ action }) => isAction(action)),
			getLabel: ({ action }) => action,
		};
	},
});

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
		...createTimeSource(client),
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

/** The public ID of an event. Without an ID of the service, it is made of the documented fields. */
export function toAuditEventId({ id, content }: AuditEvent): string {
	if (id !== '') return toEventId('audit', id);
	return `audit/sha256:${createHash('sha256').update(JSON.stringify(content)).digest('hex')}`;
}

async function exportEvents(
	client: Client,
	query: IDataObject,
	maxRecords = Infinity,
): Promise<RecordPage<AuditEvent>> {
	const read = await fetchExport(client, query, async (table) => {
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
