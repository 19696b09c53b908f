/** Records that are not what they should be. */
import { inGroup, type MatrixFault } from './types';
import { edit, LONG_INTEGER, mapValues, ODD } from './words';

const data = inGroup('Content', { expect: 'data', cause: ODD, jsonOnly: true });
const odd = inGroup('Content', { expect: 'data', cause: ODD, jsonOnly: true, ambiguous: true });

const PROTOTYPE = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},';

export const content: MatrixFault[] = [
	data('integers beyond 2^53', {
		kind: 'rewrite',
		rewrite: (text) => text.replace(/(":\s*)\d+(?=[,}\]])/g, `$1${LONG_INTEGER}`),
	}),
	odd(
		'null for every record',
		edit(() => null),
	),
	odd(
		'null in every field',
		edit((record) => mapValues(record, () => null)),
	),
	odd(
		'null in every field that holds a record or a list',
		edit((record) => mapValues(record, (_, value) => (typeof value === 'object' ? null : value))),
	),
	odd(
		'records without fields',
		edit(() => ({})),
	),
	odd(
		'text instead of numbers, and numbers instead of text',
		edit((record) =>
			mapValues(record, (key, value) => {
				if (typeof value === 'number') return String(value);
				return typeof value === 'string' && !/id$/i.test(key) ? 7 : value;
			}),
		),
	),
	data(
		'unknown fields',
		edit((record) => ({ ...record, futureField: { nested: [1, null] } })),
		{ expect: 'result', cause: /^$/, adds: ['futureField'] },
	),
	data('__proto__ and constructor as fields', {
		kind: 'rewrite',
		rewrite: (text) => text.replace(/\{/, PROTOTYPE),
	}),
	odd('the key in every text', ({ secret }) =>
		edit((record) =>
			mapValues(record, (key, value) =>
				typeof value === 'string' && /name|message|raw/i.test(key) ? `${value} ${secret}` : value,
			),
		),
	),
	inGroup('Content', { expect: 'error', cause: /could not be handled/ })('the key in an error', {
		kind: 'echoSecret',
		status: 422,
	}),
];
