/**
 * Records that are not what they should be, pages that lead nowhere, and forms of responses that differ
 * between descriptions of the service or are hard to read.
 */
import { logFile } from '../../../support/failedLogs';
import { echo, edit, inGroup, LONG_INTEGER, mapValues, ODD, type MatrixFault } from './fault';

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
	inGroup('Content', { expect: 'error', cause: /could not be handled/ })(
		'the key in an error',
		({ secret }) => echo(422, secret),
	),
];

const cause = /could not be read to the end/;
const pages = inGroup('Pages', { expect: 'either', cause, pagesOnly: true });

export const paging: MatrixFault[] = [
	pages('a repeated cursor', { kind: 'cursor', how: 'repeat' }),
	pages('endless empty pages with a next page', { kind: 'cursor', how: 'emptyWithNext' }),
	pages('endless pages', { kind: 'cursor', how: 'endless' }),
	pages(
		'three empty pages, then the others',
		{ kind: 'cursor', how: 'emptyWithNext' },
		{ times: 3, expect: 'result' },
	),
];

export const forms: MatrixFault[] = [
	{
		group: 'Variants',
		name: 'a run that failed, and a log that ends with the lines of the platform',
		only: 'getRun',
		mainOnly: true,
		fault: () => edit((run) => ({ ...run, status: 'FAILED', message: 'Job failed' })),
		also: {
			endpoint: 'getRunLogs',
			fault: {
				kind: 'edit',
				edit: () => ({
					items: logFile('failed-python').map((raw, at) => ({ timestamp: at + 1, raw })),
					current_page: 0,
					next_page: null,
				}),
			},
		},
		expect: 'data',
		cause: /UNRESOLVED_COLUMN[^]*tiles\.py/,
	},
	{
		group: 'Variants',
		name: 'folders whose names end with a slash, and paths from the root of the bucket',
		only: 'listDirectory',
		fault: () =>
			edit((entry) => ({
				...entry,
				name: entry.type === 'FOLDER' ? `${String(entry.name)}/` : entry.name,
				path: `/prefix/of/the/bucket/${String(entry.path)}`,
			})),
		expect: 'result',
		cause: ODD,
	},
	{
		group: 'Variants',
		name: 'costs that do not know the workload',
		only: 'getCosts',
		fault: () =>
			({
				kind: 'edit',
				edit: (json: { costs: Record<string, unknown> }) => ({
					costs: Object.fromEntries(
						Object.keys(json.costs).map((id) => [
							id,
							{ kind: 'unavailable', kube_app_id: id, reason: 'not_found' },
						]),
					),
				}),
			}) as never,
		// The figures of a run that has only begun differ between the two.
		adds: [
			...['cost', 'costRounded', 'spatialUnits', 'spatialUnitsRounded'],
			...['costSource', 'costStatus', 'settledAt', 'lastEvaluatedAt'],
		],
		expect: 'result',
		cause: ODD,
	},
];
