/** Audit events, stored in order of time. Record: AuditLogEventPublic. */
import { bisector } from 'd3-array';

import { DAY_MS, eventTime, toMicros } from '../time';
import type { StoreParts } from './records';

export interface AuditEvent {
	event_id: string;
	/** Microseconds, with offset: `2026-01-31T08:15:00.123456+00:00`. */
	event_time: string;
	action_name: string;
	user_id: string | null;
	user_name: string | null;
	user_agent: string | null;
	source_ip: string | null;
	resource_name: string | null;
	resource_id: string | null;
	compute_region: string | null;
	client_chain: string | null;
	source_client: string | null;
}

/** An event, and what else the service knows about it. Times are in microseconds since the epoch. */
export interface StoredEvent {
	event: AuditEvent;
	micros: number;
	/** Distinguishes events of the same microsecond. */
	sequence: number;
}

/** Which events are asked for; both ends belong to it. Times are in microseconds since the epoch. */
export interface AuditRange {
	startTime?: number;
	endTime?: number;
	/** In any field. */
	searchTerm?: string;
}

/** Positions by time. */
const byTime = bisector(({ micros }: StoredEvent) => micros);

/** Events older than this no longer exist: interface.md "Events". */
const RETENTION_MS = 90 * DAY_MS;

export type EventDraft = Partial<Omit<AuditEvent, 'event_time'>> & {
	/** ISO text, or milliseconds; default: now. */
	event_time?: string | number;
};

export class AuditStore {
	private readonly recorded: StoredEvent[] = [];

	private pending?: () => void;

	private sequence = 0;

	constructor(private readonly parts: StoreParts) {}

	/** Has `record` called once, before events are first read or added. */
	recordLater(record: () => void): void {
		this.pending = record;
	}

	/** By ascending time. */
	get stored(): StoredEvent[] {
		const { pending } = this;
		this.pending = undefined;
		pending?.();
		return this.recorded;
	}

	/** By ascending time. */
	all(): AuditEvent[] {
		return this.stored.map(({ event }) => event);
	}

	/** The events of a range that can be read now: interface.md "Rules for export". */
	select({ startTime = 0, endTime = Infinity, searchTerm = '' }: AuditRange): StoredEvent[] {
		const from = Math.max((this.parts.clock.now() - RETENTION_MS) * 1000, startTime);
		return this.stored.filter(
			({ event, micros }) =>
				micros >= from &&
				micros <= endTime &&
				Object.values(event).some((value: string | null) => value?.includes(searchTerm)),
		);
	}

	/** Records an event, which can be read from now on; with an earlier time it is a late one. */
	record(draft: EventDraft = {}): AuditEvent {
		const { stored } = this;
		const time = draft.event_time ?? this.parts.clock.now();
		const micros = typeof time === 'number' ? Math.round(time * 1000) : toMicros(time);
		if (micros === undefined) throw new Error(`Not a time: '${time}'`);
		const given = Object.entries(draft).filter(([, value]) => value !== undefined);
		const event: AuditEvent = {
			event_id: draft.event_id ?? this.parts.ids.uuid('event'),
			action_name: 'CREATE_JOB_RUN',
			user_id: null,
			user_name: 'ada@example.com',
			user_agent: 'Mozilla/5.0 (X11; Linux x86_64)',
			source_ip: '203.0.113.7',
			resource_name: null,
			resource_id: null,
			compute_region: null,
			client_chain: null,
			source_client: null,
			...Object.fromEntries(given),
			event_time: eventTime(micros),
		};
		this.sequence += 1;
		// After all events of the same microsecond.
		const index = byTime.right(stored, micros);
		stored.splice(index, 0, { event, micros, sequence: this.sequence });
		return event;
	}
}
