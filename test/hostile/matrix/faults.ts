/** The columns of the matrix: what the service, or whatever stands before it, may do to a request. */
import type { Fault } from '../../sandbox';

/** What has to become of a request that meets a fault. */
export type Expectation =
	/** The result that there would have been without it. */
	| 'result'
	/** An error that names the cause. */
	| 'error'
	/** Either of them: what came can be enough. */
	| 'either'
	/** A result made of what came, or an error. */
	| 'data';

export interface MatrixFault {
	group: string;
	name: string;
	/** Made anew for each cell. */
	fault(scene: { elsewhere: string; secret: string }): Fault;
	/** How many requests it hits; all unless it is given. */
	times?: number;
	expect: Expectation;
	/** What an error has to say about the cause. */
	cause: RegExp;
	/** The service may have carried out the request. */
	ambiguous?: boolean;
	/** HTTP itself says that the body is whole: only its content can show that it is not. */
	looksWhole?: boolean;
	/** It takes real time. */
	slow?: boolean;
	/** A variant that is tried with the main request of each operation alone. */
	mainOnly?: boolean;
	/** Applies to pages of lists alone. */
	pagesOnly?: boolean;
	/** Applies to JSON alone. */
	jsonOnly?: boolean;
	/** Applies to responses with a body alone. */
	needsBody?: boolean;
	/** n8n's clock minus the service's, in milliseconds. */
	clockOffsetMs?: number;
	/** Fields that the fault adds, and that a result may have. */
	adds?: string[];
}

const OUTAGE = [500, 502, 503, 504];
const REFUSED = [400, 401, 403, 404, 409, 422];

/** Whatever an error with a status says: its number, or what the service calls it. */
const WORDS: Record<number, string> = {
	400: 'Bad request',
	401: 'did not accept',
	403: 'Insufficient permissions|not permitted',
	404: 'not found|not offer|may not have|gone',
	409: 'Conflict',
	422: 'Validation error',
	429: 'too many requests',
	500: 'Internal server error',
	502: 'Bad gateway',
	503: 'Service unavailable',
	504: 'Gateway timeout',
};
const causeOf = (status: number) => new RegExp(`HTTP ${status}|${WORDS[status]}`, 'i');

const UNREADABLE =
	/unexpected response|not a template|incomplete|ended the response before|malformed|broke off/;
const LOST = /connection to Wherobots Cloud was lost|broke off|incomplete|no complete response/i;
const SILENT = /did not respond in time|stood still|no time left|incomplete/;
const ODD =
	/unexpected response|not a template|could not be read to its end|malformed|is not complete|lacks/i;

/** A number that a JavaScript number rounds to {@link ROUNDED}. */
export const LONG_INTEGER = '9007199254740993';
export const ROUNDED = '9007199254740992';

type Json = Record<string, unknown>;

/** Applies `change` to every record of a response, whatever it comes in. */
function records(json: unknown, change: (record: Json) => unknown): unknown {
	if (Array.isArray(json)) return json.map((entry) => records(entry, change));
	if (typeof json !== 'object' || json === null) return json;
	const list = Object.entries(json).find(([, value]) => Array.isArray(value) && value.length > 0);
	const isEnvelope = list && ['items', 'catalogs', 'namespaces', 'tables'].includes(list[0]);
	return isEnvelope ? { ...json, [list[0]]: records(list[1], change) } : change(json as Json);
}

const mapValues = (record: Json, change: (key: string, value: unknown) => unknown): Json =>
	Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(key, value)]));

const edit = (change: (record: Json) => unknown): Fault => ({
	kind: 'edit',
	edit: (json: never) => records(json, change),
});

const status = (status: number, more: object = {}): Fault => ({ kind: 'status', status, ...more });

const statuses: MatrixFault[] = [
	...OUTAGE.map(
		(code): MatrixFault => ({
			group: 'Statuses',
			name: `${code}, once`,
			fault: () => status(code),
			times: 1,
			expect: 'result',
			cause: causeOf(code),
			ambiguous: true,
		}),
	),
	{
		group: 'Statuses',
		name: '429, twice',
		fault: () => status(429, { retryAfter: 1 }),
		times: 2,
		expect: 'result',
		cause: causeOf(429),
	},
	{
		group: 'Statuses',
		name: '503 although the request was carried out, once',
		fault: () => status(503, { when: 'after' }),
		times: 1,
		expect: 'result',
		cause: causeOf(503),
		ambiguous: true,
	},
	...[...REFUSED, 429, ...OUTAGE].flatMap((code): MatrixFault[] =>
		([401, 404, 502, 503].includes(code)
			? (['json', 'empty', 'html'] as const)
			: (['json', 'empty'] as const)
		).map((body) => ({
			group: 'Statuses',
			name: `${code} with ${{ json: "the service's error", empty: 'no body', html: 'a web page' }[body]}`,
			fault: () => status(code, { body }),
			expect: 'error',
			cause: causeOf(code),
			ambiguous: code >= 500,
			mainOnly: body !== 'json',
		})),
	),
	{
		group: 'Statuses',
		name: '429 that asks for an hour',
		fault: () => status(429, { retryAfter: 3600 }),
		expect: 'error',
		cause: causeOf(429),
	},
	{
		group: 'Statuses',
		name: '201 instead of 200',
		fault: () => ({ kind: 'envelope', status: 201 }),
		expect: 'result',
		cause: /^$/,
	},
	{
		group: 'Statuses',
		name: '204, no body',
		fault: () => ({ kind: 'replace', status: 204, body: '' }),
		// An export of nothing is an empty file.
		expect: 'data',
		cause: ODD,
		ambiguous: true,
	},
];

const connections: MatrixFault[] = [
	...(['before', 'after'] as const).flatMap((when): MatrixFault[] => [
		{
			group: 'Connection',
			name: `reset ${when} handling, once`,
			fault: () => ({ kind: 'reset', when }),
			times: 1,
			expect: 'result',
			cause: LOST,
			ambiguous: true,
		},
		{
			group: 'Connection',
			name: `reset ${when} handling`,
			fault: () => ({ kind: 'reset', when }),
			expect: 'error',
			cause: LOST,
			ambiguous: true,
		},
		{
			group: 'Connection',
			name: `no response, although ${when === 'before' ? 'nothing' : 'everything'} was done`,
			fault: () => ({ kind: 'hang', when }),
			expect: 'error',
			cause: SILENT,
			ambiguous: true,
			slow: true,
		},
	]),
	{
		group: 'Connection',
		name: 'no response, once',
		fault: () => ({ kind: 'hang' }),
		times: 1,
		expect: 'result',
		cause: SILENT,
		ambiguous: true,
		slow: true,
	},
	{
		group: 'Connection',
		name: 'stalls within the body',
		fault: () => ({ kind: 'stall', bytes: 30 }),
		expect: 'error',
		cause: SILENT,
		ambiguous: true,
		slow: true,
	},
	{
		group: 'Connection',
		name: 'stalls within the body, once',
		fault: () => ({ kind: 'stall', bytes: 30 }),
		times: 1,
		expect: 'result',
		cause: SILENT,
		ambiguous: true,
		slow: true,
	},
	{
		group: 'Connection',
		name: 'drips, and comes to its end',
		fault: () => ({ kind: 'trickle', bytes: 4_000, everyMs: 5 }),
		expect: 'result',
		cause: SILENT,
		slow: true,
	},
	{
		group: 'Connection',
		name: 'drips without an end in sight',
		fault: () => ({ kind: 'trickle', bytes: 1, everyMs: 100 }),
		expect: 'either',
		cause: SILENT,
		ambiguous: true,
		slow: true,
		jsonOnly: true,
	},
	...(['reset', 'close'] as const).map(
		(how): MatrixFault => ({
			group: 'Connection',
			name: `body cut by a ${how}`,
			fault: () => ({ kind: 'cut', bytes: 25, how }),
			expect: 'error',
			cause: LOST,
			ambiguous: true,
		}),
	),
	{
		group: 'Connection',
		name: 'body cut by a reset, once',
		fault: () => ({ kind: 'cut', bytes: 25, how: 'reset' }),
		times: 1,
		expect: 'result',
		cause: LOST,
		ambiguous: true,
	},
	{
		group: 'Connection',
		name: 'redirect to another host (302)',
		fault: ({ elsewhere }) => status(302, { body: 'empty', headers: { location: elsewhere } }),
		expect: 'error',
		cause: /redirects to another address/,
	},
	{
		group: 'Connection',
		name: 'redirect to another host (308)',
		fault: ({ elsewhere }) => status(308, { body: 'empty', headers: { location: elsewhere } }),
		expect: 'error',
		cause: /redirects to another address/,
	},
];

const bodies: MatrixFault[] = [
	{
		group: 'Body',
		name: 'cut, and its length agrees',
		looksWhole: true,
		fault: () => ({ kind: 'truncate', bytes: 25 }),
		expect: 'error',
		cause: UNREADABLE,
		ambiguous: true,
	},
	{
		group: 'Body',
		name: 'cut, with a clean end',
		looksWhole: true,
		fault: () => ({ kind: 'cut', bytes: 25, how: 'end' }),
		expect: 'error',
		cause: UNREADABLE,
		ambiguous: true,
	},
	{
		group: 'Body',
		name: 'a web page with status 200',
		fault: () => ({ kind: 'html' }),
		expect: 'error',
		cause: UNREADABLE,
		ambiguous: true,
	},
	{
		group: 'Body',
		name: 'plain text with status 200',
		fault: () => ({ kind: 'replace', contentType: 'text/plain', body: 'OK' }),
		expect: 'error',
		cause: UNREADABLE,
		ambiguous: true,
		jsonOnly: true,
	},
	{
		group: 'Body',
		name: 'invalid JSON',
		fault: () => ({ kind: 'rewrite', rewrite: (text) => `${text}}` }),
		expect: 'error',
		cause: UNREADABLE,
		ambiguous: true,
		jsonOnly: true,
	},
	{
		group: 'Body',
		name: 'another content type',
		fault: () => ({ kind: 'envelope', headers: { 'content-type': 'text/html' } }),
		expect: 'result',
		cause: /^$/,
	},
	{
		group: 'Body',
		name: 'an error with status 200',
		fault: () => ({
			kind: 'replace',
			body: JSON.stringify({
				errors: [
					{ code: 'INTERNAL_SERVER_ERROR', message: 'Out of order', suggestion: 'Contact us.' },
				],
				requestId: 'r1',
			}),
		}),
		expect: 'either',
		cause: /Out of order|unexpected response|could not be read/,
		ambiguous: true,
	},
	{
		group: 'Body',
		name: 'null',
		fault: () => ({ kind: 'replace', body: 'null' }),
		expect: 'either',
		cause: ODD,
		ambiguous: true,
		jsonOnly: true,
	},
	{
		group: 'Body',
		name: 'nested ten thousand deep',
		fault: () => ({ kind: 'replace', body: '['.repeat(10_000) + ']'.repeat(10_000) }),
		expect: 'either',
		cause: ODD,
		ambiguous: true,
		jsonOnly: true,
	},
	{
		group: 'Body',
		name: '4 MB of white space before it',
		fault: () => ({ kind: 'padded', bytes: 4_000_000 }),
		expect: 'result',
		cause: ODD,
		jsonOnly: true,
	},
	{
		group: 'Body',
		name: '16 MB of white space before it, in 16 kB of gzip',
		fault: () => ({ kind: 'padded', bytes: 16_000_000, gzip: true }),
		expect: 'result',
		cause: ODD,
		jsonOnly: true,
	},
	{
		group: 'Body',
		name: 'an error of 2 MB',
		fault: () => ({ kind: 'hugeError', bytes: 2_000_000, status: 422 }),
		expect: 'error',
		cause: causeOf(422),
	},
	{
		group: 'Body',
		name: 'gzip that is none',
		fault: () => ({ kind: 'envelope', headers: { 'content-encoding': 'gzip' } }),
		expect: 'error',
		cause: /connection to Wherobots Cloud was lost|broke off|unexpected response/i,
		ambiguous: true,
		needsBody: true,
	},
];

const content: MatrixFault[] = [
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
		name: 'records without any field',
		fault: () => edit(() => ({})),
		expect: 'data',
		cause: ODD,
		ambiguous: true,
		jsonOnly: true,
	},
	{
		group: 'Content',
		name: 'text in the place of numbers, and numbers in that of text',
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
		name: 'fields that nobody knows',
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

const paging: MatrixFault[] = [
	{
		group: 'Pages',
		name: 'a cursor that comes again',
		fault: () => ({ kind: 'cursor', how: 'repeat' }),
		expect: 'either',
		cause: /could not be read to its end/,
		pagesOnly: true,
	},
	{
		group: 'Pages',
		name: 'empty pages that name a next one, without end',
		fault: () => ({ kind: 'cursor', how: 'emptyWithNext' }),
		expect: 'either',
		cause: /could not be read to its end/,
		pagesOnly: true,
	},
	{
		group: 'Pages',
		name: 'pages without end',
		fault: () => ({ kind: 'cursor', how: 'endless' }),
		expect: 'either',
		cause: /could not be read to its end/,
		pagesOnly: true,
	},
	{
		group: 'Pages',
		name: 'three empty pages, then the others',
		fault: () => ({ kind: 'cursor', how: 'emptyWithNext' }),
		times: 3,
		expect: 'result',
		cause: /could not be read to its end/,
		pagesOnly: true,
	},
];

const YEAR = 365 * 86_400_000;
const skewed = (at: string): Fault => ({ kind: 'envelope', headers: { date: at } });

/** What an export says of its range, by the service's clock. */
const IS_COMPLETE = ['complete', 'incompleteReason'];

const clocks: MatrixFault[] = [
	{
		group: 'Clocks',
		name: "the service's clock is years behind",
		fault: () => skewed('Sat, 01 Jan 2022 00:00:00 GMT'),
		adds: IS_COMPLETE,
		expect: 'result',
		cause: /^$/,
	},
	{
		group: 'Clocks',
		name: "the service's clock is years ahead",
		fault: () => skewed('Wed, 01 Jan 2031 00:00:00 GMT'),
		adds: IS_COMPLETE,
		expect: 'result',
		cause: /^$/,
	},
	{
		group: 'Clocks',
		name: 'a Date that is none',
		fault: () => skewed('yesterday'),
		adds: IS_COMPLETE,
		expect: 'result',
		cause: /^$/,
	},
	{
		group: 'Clocks',
		name: "n8n's clock is a year behind",
		fault: () => ({ kind: 'delay', ms: 0 }),
		clockOffsetMs: -YEAR,
		adds: IS_COMPLETE,
		expect: 'either',
		cause: /must lie in the future|expir/i,
	},
	{
		group: 'Clocks',
		name: "n8n's clock is a year ahead",
		fault: () => ({ kind: 'delay', ms: 0 }),
		clockOffsetMs: YEAR,
		adds: IS_COMPLETE,
		expect: 'either',
		cause: /must lie in the future|expir/i,
	},
];

export const matrixFaults: MatrixFault[] = [
	...statuses,
	...connections,
	...bodies,
	...content,
	...paging,
	...clocks,
];
