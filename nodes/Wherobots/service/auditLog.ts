import type { IDataObject } from 'n8n-workflow';

import { MICROS_PER_MS, MICROS_PER_SECOND, type Micros } from './time';
import { pick } from './records';

/** How long the service keeps audit events (interface, "Limits"). */
export const RETENTION_DAYS = 90;

/**
 * How long an event may be missing from the log, in microseconds. The service does not document it; a
 * few minutes cover queues and replicas that lag.
 */
export const LATE_EVENTS: Micros = 5 * 60 * MICROS_PER_SECOND;

/** Columns of the export, in its order (interface, "Audit log export row"). */
export const AUDIT_COLUMNS = [
	'event_id',
	'event_time',
	'action_name',
	'user_id',
	'user_name',
	'user_agent',
	'source_ip',
	'resource_name',
	'resource_id',
	'compute_region',
] as const;

export const EVENT_ID = 'event_id';

export const ACTION_NAME = 'action_name';

/** Without these, a table is not an export of audit events; the service may omit or add others. */
const REQUIRED_COLUMNS: readonly string[] = [EVENT_ID, 'event_time'];

/** The columns that a table lacks to be an export of audit events. */
export function missingColumns(
	columns: string[],
	required: readonly string[] = REQUIRED_COLUMNS,
): string[] {
	return required.filter((name) => !columns.includes(name));
}

/** Whether an action is one of these, in any case; undefined where none is named, which means all. */
export function actionFilter(names: string[]): ((action: unknown) => boolean) | undefined {
	const wanted = new Set(names.map((name) => name.toUpperCase()));
	return names.length > 0 ? (action) => wanted.has(String(action).toUpperCase()) : undefined;
}

/** An audit event with the ten fields of the export, missing ones null; the query has more. */
export function simplifyAuditEvent(event: IDataObject): IDataObject {
	return pick(event, AUDIT_COLUMNS);
}

/** The time before which events are gone. @param now milliseconds since the epoch */
export function oldestKept(now: number): Micros {
	return Math.trunc(now) * MICROS_PER_MS - RETENTION_DAYS * 86_400 * MICROS_PER_SECOND;
}
