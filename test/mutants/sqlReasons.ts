/** The reasons of `reasons.ts` for all that has to do with SQL. */
import { NO_VALUE, type Reason } from './reason';

export const SQL_REASONS: Record<string, Reason[]> = {
	'transport/sql/openSession.ts': [
		[NO_VALUE, '{ return undefined; } → {}'],
		[
			'only for the compiler: what is done has an address, and otherwise there is no session',
			'session && address !== undefined → session || address !== undefined',
			'address !== undefined → true',
		],
	],
};
