import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { AUDIT_COLUMNS } from '../../../service/auditLog';
import { parseServiceTime, type Micros } from '../../../service/time/time';
import { eventId } from '../eventIds';

/** An event that was not there at the last poll. */
export interface NewAuditEvent {
	/** The public `eventId`. */
	id: string;
	time: Micros;
	event: IDataObject;
}

/** When an event happened, in microseconds; undefined when the service does not say. */
export function eventTimeOf(event: IDataObject): Micros | undefined {
	return parseServiceTime(event.event_time);
}

/**
 * The public id of an event: the same whenever and however it is read. Without an id of the service
 * it is made of the documented fields, of which the query and the export write absent ones and times
 * in different ways.
 */
export function eventIdOf(event: IDataObject): string {
	const given = event.event_id;
	if ((typeof given === 'string' && given !== '') || typeof given === 'number') {
		return eventId('audit', String(given));
	}
	const fields = AUDIT_COLUMNS.map((name) =>
		name === 'event_time' ? eventTimeOf(event) : canonical(event[name]),
	);
	return `audit/sha256:${createHash('sha256').update(JSON.stringify(fields)).digest('hex')}`;
}

/** What is absent, as JSON writes it in a list: null. */
function canonical(value: unknown): unknown {
	return value === '' ? null : value;
}
