/** The reasons of `reasons.ts` for all that has to do with SQL. */
import { NO_VALUE, type Reason } from './reason';

export const SQL_REASONS: Record<string, Reason[]> = {
	'service/sql/sessions.ts': [
		['a text among the events has no code', '[] → ["Stryker was here"]'],
		[NO_VALUE, '{ return undefined; } → {}'],
	],
	'transport/sql/rows.ts': [
		[
			'rows never begin otherwise, and Base64 has neither brackets nor braces',
			'/^\\s*[[{]/ → /\\s*[[{]/',
		],
		[NO_VALUE, '{ return undefined; } → {}'],
	],
};
