/** The reasons of `reasons.ts` for the sources below transport/auditExport/. */
import { type Reason } from './reason';

export const EXPORT_REASONS: Record<string, Reason[]> = {
	'transport/auditExport/exportSteps.ts': [
		['a shortcut: a row of three characters is never blank', 'end - start > 2 → false'],
		['a shortcut: reading the whole row finds the same ID, only slower', 'comma < end → false'],
	],
	'transport/auditExport/readExport.ts': [
		['names the endpoint in errors that other tests read', '\'exportAuditLog\' → ""'],
		['nothing is cut from a text without rows', '\'\' → "Stryker was here!"', '[0] → []'],
	],
	'transport/auditExport/idSet.ts': [
		['only when more memory is asked for changes', '* 0.7', '4096 / WORDS'],
		['a free slot stays free', 'at <= old.length', 'old[at + 3] !== 0 → true'],
		['the search for a free slot may go either way', 'at + WORDS → at - WORDS'],
	],
	'transport/auditExport/rowBlocks.ts': [
		[
			'a shortcut: without it, the same rows are found, only slower',
			'open.length < wanted → false',
			'open.length <= wanted',
		],
		[
			'a text without characters is left out twice: as empty and as blank',
			'\'\' → "Stryker was here!"',
		],
		['no character is both a quote and a line feed', 'quote <= end'],
		[
			'the first character of a text closes no quotes, and its line feed ends the first row',
			'close <= 0',
			'quote <= 0',
		],
		['finds the same line feed again', 'close > end → true', 'close >= end'],
	],
};
