/** The export as CSV: interface.md "Audit log export row". */
import type { Variants } from '../variants';
import type { AuditEvent } from './auditEvents';

const CSV_COLUMNS = [
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

function field(value: string | null): string {
	if (value === null) return '';
	return /[",\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** The byte order mark (depending on the variant) and the header row. */
export function csvHead(variants: Variants): string {
	const names = [...CSV_COLUMNS, ...Object.keys(variants.exportAddedColumns)].map(field);
	return (variants.exportBom ? '\uFEFF' : '') + names.join(',') + variants.exportLineEnd;
}

/** One row including its line end. */
export function csvRow(
	event: Pick<AuditEvent, (typeof CSV_COLUMNS)[number]>,
	variants: Variants,
): string {
	const values = CSV_COLUMNS.map((column) =>
		column === 'user_agent' && variants.exportQuotedNewlines
			? `${event.user_agent ?? ''}\nvia "proxy"`
			: event[column],
	);
	values.push(...Object.values(variants.exportAddedColumns));
	return values.map(field).join(',') + variants.exportLineEnd;
}
