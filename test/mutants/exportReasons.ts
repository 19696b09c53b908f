/** The reasons of `reasons.ts` for the sources below transport/auditExport/. */
import { type Reason } from './reason';

const LIMIT = 'a limit of tens of megabytes or millions of IDs, which no fast test reaches';

export const EXPORT_REASONS: Record<string, Reason[]> = {
	'transport/auditExport/readExport.ts': [
		['names the endpoint in errors that other tests read', '\'exportAuditLog\' → ""'],
	],
	'transport/auditExport/idSet.ts': [
		['only when more memory is asked for changes', '* 0.7'],
		[LIMIT, 'RangeError', 'More than', "'en-US'"],
		[
			'makes a difference where two IDs agree in 32 bits of their hashes: one pair in 4,000 million',
			'table[at',
		],
		['the search for a free slot may go either way', 'at + WORDS → at - WORDS'],
	],
};
