/** Which audit events a request sees: interface.md "Rules for export". */
import { GeneratedEvents } from './generatedEvents';
import { RETENTION_MS, type AuditEvent, type AuditSource, type StoredEvent } from './auditEvents';

/** Times are in microseconds since the epoch. */
export interface AuditRange {
	startTime?: number;
	endTime?: number;
	searchTerm?: string;
}

/** Positions `from` (inclusive) to `to` (exclusive) of a source, and which of them count. */
export interface AuditSelection {
	source: AuditSource;
	from: number;
	to: number;
	matches?(event: StoredEvent): boolean;
}

function anyFieldContains(event: AuditEvent, term: string): boolean {
	return Object.values(event).some((value: string | null) => value?.includes(term));
}

/** Both ends belong to the range, to the microsecond; events past the retention are gone. */
export function selectEvents(
	source: AuditSource,
	{ startTime = -Infinity, endTime = Infinity, searchTerm: term = '' }: AuditRange,
	now: number,
): AuditSelection {
	const oldest = (now - RETENTION_MS) * 1000;
	const from = source.firstAtOrAfter(Math.max(oldest, startTime));
	const to = Math.max(from, source.firstAtOrAfter(endTime + 1));
	if (term === '' && source instanceof GeneratedEvents) return { source, from, to };
	return {
		source,
		from,
		to,
		matches: (stored) =>
			stored.visibleAt <= now && (term === '' || anyFieldContains(stored.event, term)),
	};
}
