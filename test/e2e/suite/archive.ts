import { createHash } from 'node:crypto';

import { parse } from 'csv-parse/sync';

import { type AuditEvent, type Sandbox } from '../../sandbox';
import { eventTime } from '../../sandbox/time';

/** Records events all over a span, at its very edges and one microsecond beside them. */
export function recordSpan(sandbox: Sandbox, start: number, end: number, count: number): void {
	const step = (end - start) / count;
	const times = Array.from({ length: count }, (_, index) => start + index * step);
	for (const edge of [start, end]) times.push(edge - 0.001, edge, edge + 0.001);
	for (const time of times) {
		sandbox.store.recordEvent({
			event_time: time,
			resource_name: 'a "quoted", name\nof two lines: Zoë 東京',
		});
	}
}

/** IDs of the events that the service has from `start` up to `end`, counted from its own store. */
export function idsBetween(sandbox: Sandbox, start: number, end: number): string[] {
	// All are in UTC and have six digits, so their texts are in the order of their times.
	const [from, until] = [start, end].map((ms) => eventTime(ms * 1000));
	return sandbox.store.auditEvents
		.all()
		.filter(({ event_time }) => event_time >= from && event_time < until)
		.map(({ event_id }) => event_id)
		.sort();
}

/** IDs of the events in files, counted by a CSV library that the package does not use. */
export function idsIn(files: Iterable<Buffer>): string[] {
	return [...files]
		.flatMap((file) => parse<AuditEvent>(file, { columns: true }))
		.map(({ event_id }) => event_id)
		.sort();
}

/** What is stored, for a comparison: jest takes seconds to compare as many bytes. */
export function checksums(files: Map<string, Buffer>): Array<[string, string]> {
	return [...files]
		.map(([name, bytes]): [string, string] => [
			name,
			createHash('sha256').update(bytes).digest('hex'),
		])
		.sort();
}
