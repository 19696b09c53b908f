/** Interface, "Audit log". */
import { filled, nullable, object, text, time, utcTime, type Contracts } from './schema';
import { cursorPage, pageQuery } from './shared';

const event = object({
	action_name: filled,
	'event_id?': text,
	'event_time?': time,
	'user_id?': nullable(text),
	'user_name?': nullable(text),
	'user_agent?': nullable(text),
	'source_ip?': nullable(text),
	'resource_name?': nullable(text),
	'resource_id?': nullable(text),
	'compute_region?': nullable(text),
	'client_chain?': nullable(text),
	'source_client?': nullable(text),
});

const range = { startTime: utcTime, endTime: utcTime, searchTerm: filled };

export const auditLogContracts = {
	queryAuditLog: { query: { ...range, ...pageQuery }, response: cursorPage(event) },
	// The export guide requires both ends of the range.
	exportAuditLog: { query: range, requiredQuery: ['startTime', 'endTime'], response: 'file' },
} satisfies Contracts;
