/** Records that are not what they should be. */
import type { MatrixFault } from './types';
import { ODD, LONG_INTEGER, mapValues, edit } from './words';

export const content: MatrixFault[] = [
	{
		group: 'Content',
		name: 'integers beyond 2^53',
		fault: () => ({
			kind: 'rewrite',
			rewrite: (text) => text.replace(/(":\s*)\d+(?=[,}\]])/g, `$1${LONG_INTEGER}`),
		}),
		expect: 'data',
		cause: ODD,
		jsonOnly: true,
	},
	{
		group: 'Content',
		name: 'null for every record',
		fault: () => edit(() => null),
		expect: 'data',
		cause: ODD,
		ambiguous: true,
		jsonOnly: true,
	},
	{
		group: 'Content',
		name: 'null in every field',
		fault: () => edit((record) => mapValues(record, () => null)),
		expect: 'data',
		cause: ODD,
		ambiguous: true,
		jsonOnly: true,
	},
	{
		group: 'Content',
		name: 'null in every field that holds a record or a list',
		fault: () =>
			edit((record) => mapValues(record, (_, value) => (typeof value === 'object' ? null : value))),
		expect: 'data',
		cause: ODD,
		ambiguous: true,
		jsonOnly: true,
	},
	{
		group: 'Content',
		name: 'records without fields',
		fault: () => edit(() => ({})),
		expect: 'data',
		cause: ODD,
		ambiguous: true,
		jsonOnly: true,
	},
	{
		group: 'Content',
		name: 'text instead of numbers, and numbers instead of text',
		fault: () =>
			edit((record) =>
				mapValues(record, (key, value) => {
					if (typeof value === 'number') return String(value);
					return typeof value === 'string' && !/id$/i.test(key) ? 7 : value;
				}),
			),
		expect: 'data',
		cause: ODD,
		ambiguous: true,
		jsonOnly: true,
	},
	{
		group: 'Content',
		name: 'unknown fields',
		fault: () => edit((record) => ({ ...record, futureField: { nested: [1, null] } })),
		expect: 'result',
		cause: /^$/,
		jsonOnly: true,
		adds: ['futureField'],
	},
	{
		group: 'Content',
		name: '__proto__ and constructor as fields',
		fault: () => ({
			kind: 'rewrite',
			rewrite: (text) =>
				text.replace(
					/\{/,
					'{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},',
				),
		}),
		expect: 'data',
		cause: ODD,
		jsonOnly: true,
	},
	{
		group: 'Content',
		name: 'the key in every text',
		fault: ({ secret }) =>
			edit((record) =>
				mapValues(record, (key, value) =>
					typeof value === 'string' && /name|message|raw/i.test(key) ? `${value} ${secret}` : value,
				),
			),
		expect: 'data',
		cause: ODD,
		ambiguous: true,
		jsonOnly: true,
	},
	{
		group: 'Content',
		name: 'the key in an error',
		fault: () => ({ kind: 'echoSecret', status: 422 }),
		expect: 'error',
		cause: /could not be handled/,
	},
];
