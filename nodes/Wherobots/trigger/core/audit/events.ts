import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { AUDIT_COLUMNS } from '../../../service/auditLog';
import { parseServiceTime, type Micros } from '../../../service/time/time';
import { digest, eventId } from '../ids';
import type { SeenEvent } from '../state';
import { boundOf } from '../watermark';

/** An event that the last poll did not know. */
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
 * The public ID of an event: the same whenever and however it is read. Without an id of the service
 * it is made of the documented fields, of which the query and the export write absent ones and times
 * in different ways.
 */
export function eventIdOf(event: IDataObject): string {
	const given = event.event_id;
	if ((typeof given === 'string' && given !== '') || typeof given === 'number') {
		return eventId('audit', String(given));
	}
	const fields = AUDIT_COLUMNS.map((name) => {
		if (name === 'event_time') return eventTimeOf(event);
		// What is absent becomes null, as JSON writes it in a list.
		return event[name] === '' ? null : event[name];
	});
	return `audit/sha256:${createHash('sha256').update(JSON.stringify(fields)).digest('hex')}`;
}

/** The known events since the watermark. */
export class SeenEvents {
	private readonly events: Map<string, Micros>;

	constructor(entries: readonly SeenEvent[] = []) {
		this.events = new Map(entries);
	}

	get size(): number {
		return this.events.size;
	}

	has(event: IDataObject): boolean {
		return this.events.has(keyOf(event));
	}

	/** Remembers an unknown event. One without a time gets the present time. */
	add(event: IDataObject, now: Micros): NewAuditEvent {
		const id = eventIdOf(event);
		const time = eventTimeOf(event) ?? now;
		this.events.set(digest(id), time);
		return { id, time, event };
	}

	bound(final: Micros): Micros | undefined {
		return boundOf([...this.events.values()], final);
	}

	/** The entries to keep for a list from this time on. */
	entries(from: Micros): SeenEvent[] {
		return [...this.events].filter(([, time]) => time >= from);
	}
}

/** A short key that distinguishes events. */
export function keyOf(event: IDataObject): string {
	return digest(eventIdOf(event));
}
