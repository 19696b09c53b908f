/** The reasons of `reasons.ts` for all that has to do with SQL. */
import { NO_VALUE, NOT_A_NUMBER, type Reason } from './reason';

export const SQL_REASONS: Record<string, Reason[]> = {
	'actions/sql/executeQuery.operation.ts': [
		[
			'only for the compiler: other errors have no facts',
			'!(error instanceof NodeApiError) → false',
		],
	],
	'actions/sql/query.ts': [
		[
			'only for the compiler: the field has a list of types',
			'TYPES?.includes → TYPES.includes',
			'TYPES?.join → TYPES.join',
		],
	],
	'service/sql/messages.ts': [[NO_VALUE, 'default: return undefined; → default:']],
	'service/sql/sessions.ts': [
		['a text among the events has no code', '[] → ["Stryker was here"]'],
		[NO_VALUE, '{ return undefined; } → {}'],
	],
	'transport/sql/openSession.ts': [
		[NO_VALUE, '{ return undefined; } → {}'],
		[
			'only for the compiler: what is done has an address or is over',
			'polled.done && polled.value?.address',
		],
	],
	'transport/sql/rows.ts': [
		[
			'rows never begin otherwise, and Base64 has neither brackets nor braces',
			'/^\\s*[[{]/ → /\\s*[[{]/',
		],
		['of bytes, `Buffer.from` makes a copy', "typeof sent === 'string' → true"],
		[NO_VALUE, '{ return undefined; } → {}'],
		['a text that begins otherwise is no object of JSON', '/^\\s*\\{/ → /\\s*\\{/'],
	],
	'transport/sql/runStatement.ts': [
		[NOT_A_NUMBER, 'size !== undefined → true'],
		['what is undefined counts as missing', 'size === undefined → false'],
	],
	'transport/sql/socket.ts': [
		['what is closing is not closed again', 'readyState < WebSocket.CLOSING'],
	],
};
