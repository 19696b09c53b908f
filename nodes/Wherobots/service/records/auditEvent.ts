import type { IDataObject } from 'n8n-workflow';

import { pick, toExactText } from './index';
import { MICROS_PER_MS, MICROS_PER_SECOND, parseTime, type Micros } from '../time';
import type { RecordKind } from './kind';

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

/** The column of the export with the action. */
export const ACTION_NAME = 'action_name';

/** Those columns, beginning with what people look for: who did what, when, and to what. */
export const EVENT_FIELDS = [
	...new Set(['user_name', ACTION_NAME, 'event_time', 'resource_name', ...AUDIT_COLUMNS]),
];

/** Whether an action is one of these, in any case; undefined where none is named, which means all. */
export function createActionFilter(names: string[]): ((action: unknown) => boolean) | undefined {
	const wanted = new Set(names.map((name) => name.toUpperCase()));
	return names.length > 0 ? (action) => wanted.has(String(action).toUpperCase()) : undefined;
}

/** The time before which events are gone. @param now milliseconds since the epoch */
export function computeOldestKept(now: number): Micros {
	return Math.trunc(now) * MICROS_PER_MS - RETENTION_DAYS * 86_400 * MICROS_PER_SECOND;
}

/** An audit event: a row of the export, or an entry of the query, which has more fields. */
export class AuditEvent {
	/** @param raw as the service sent it */
	constructor(readonly raw: IDataObject) {}

	get id(): string {
		return toExactText(this.raw.event_id);
	}

	/** When it happened; undefined when the service does not say. */
	get time(): Micros | undefined {
		return parseTime(this.raw.event_time);
	}

	/** Empty where it names none. */
	get action(): string {
		return toExactText(this.raw[ACTION_NAME]);
	}

	/** What tells it from others: the query and the export write absent values and times in different ways. */
	get content(): unknown[] {
		return AUDIT_COLUMNS.map((name) => {
			if (name === 'event_time') return this.time;
			// What is absent becomes null, as JSON writes it in a list.
			return this.raw[name] === '' ? null : this.raw[name];
		});
	}

	/** The ten fields of the export; missing ones are null. */
	simplify(): IDataObject {
		return pick(this.raw, EVENT_FIELDS);
	}
}

export const auditEvents: RecordKind<AuditEvent> = {
	list: 'queryAuditLog',
	of: (raw) => new AuditEvent(raw),
};
