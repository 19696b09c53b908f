/** Which audit events a request sees: interface.md "Rules for export". */
import { invalid } from '../server/errors';
import { toMicros } from '../time';
import { RETENTION_MS, type AuditEvent, type AuditSource, type StoredEvent } from './auditEvents';

export interface AuditRange {
	startTime?: string;
	endTime?: string;
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
export function selectEvents(source: AuditSource, range: AuditRange, now: number): AuditSelection {
	const bound = (name: 'startTime' | 'endTime', otherwise: number) => {
		const text = range[name];
		if (text === undefined) return otherwise;
		const micros = toMicros(text);
		if (micros === undefined) throw invalid(`query.${name}`, 'Must be an ISO 8601 date and time');
		return micros;
	};
	const oldest = (now - RETENTION_MS) * 1000;
	const from = source.firstAtOrAfter(Math.max(oldest, bound('startTime', -Infinity)));
	const end = bound('endTime', Infinity);
	const to = end === Infinity ? source.length : source.firstAtOrAfter(end + 1);
	const term = range.searchTerm ?? '';
	const hidden = !source.allVisible(now);
	if (term === '' && !hidden) return { source, from, to: Math.max(from, to) };
	return {
		source,
		from,
		to: Math.max(from, to),
		matches: (stored) =>
			stored.visibleAt <= now && (term === '' || anyFieldContains(stored.event, term)),
	};
}
