/** What goes wrong with an exchange as such: its status, its connection, its clock. */
import type { Fault } from '../../../sandbox';
import {
	causeOf,
	inGroup,
	LOST,
	ODD,
	OUTAGE,
	REFUSED,
	SILENT,
	status,
	type MatrixFault,
} from './fault';

const of = (code: number) =>
	inGroup('Statuses', { expect: 'error', cause: causeOf(code), ambiguous: code >= 500 });

const BODIES = { json: "the service's error", empty: 'no body', html: 'a web page' };

export const statuses: MatrixFault[] = [
	...OUTAGE.map((code) => of(code)(`${code}, once`, status(code), { times: 1, expect: 'result' })),
	of(429)('429, twice', status(429, { retryAfter: 1 }), { times: 2, expect: 'result' }),
	of(503)('503 although the request was handled, once', status(503, { when: 'after' }), {
		times: 1,
		expect: 'result',
	}),
	...[...REFUSED, 429, ...OUTAGE].flatMap((code) =>
		(['json', 'empty', 'html'] as const)
			.filter((body) => body !== 'html' || [401, 404, 502, 503].includes(code))
			.map((body) =>
				of(code)(`${code} with ${BODIES[body]}`, status(code, { body }), {
					mainOnly: body !== 'json',
				}),
			),
	),
	of(429)('429 that asks for a wait of an hour', status(429, { retryAfter: 3600 })),
	inGroup('Statuses', { expect: 'result', cause: /^$/ })('201 instead of 200', {
		kind: 'envelope',
		status: 201,
	}),
	// An export of nothing is an empty file.
	inGroup('Statuses', { expect: 'data', cause: ODD, ambiguous: true })('204, no body', {
		kind: 'replace',
		status: 204,
		body: '',
	}),
];

const GROUP = 'Connection';
const lost = inGroup(GROUP, { expect: 'error', cause: LOST, ambiguous: true });
const silent = inGroup(GROUP, { expect: 'error', cause: SILENT, ambiguous: true, slow: true });
const redirect = inGroup(GROUP, { expect: 'error', cause: /redirects to another address/ });

const once = { times: 1, expect: 'result' } as const;

export const connections: MatrixFault[] = [
	...(['before', 'after'] as const).flatMap((when) => [
		lost(`reset ${when} handling, once`, { kind: 'reset', when }, once),
		lost(`reset ${when} handling`, { kind: 'reset', when }),
		silent(`no response, ${when === 'before' ? 'not' : 'but'} handled`, { kind: 'hang', when }),
	]),
	silent('no response, once', { kind: 'hang' }, once),
	silent('stalls within the body', { kind: 'stall', bytes: 30 }),
	silent('stalls within the body, once', { kind: 'stall', bytes: 30 }, once),
	inGroup(GROUP, { expect: 'result', cause: SILENT, slow: true })('trickles to its end', {
		kind: 'trickle',
		bytes: 20_000,
		everyMs: 5,
	}),
	silent(
		'trickles endlessly',
		{ kind: 'trickle', bytes: 1, everyMs: 20 },
		{ expect: 'either', jsonOnly: true },
	),
	...(['reset', 'close'] as const).map((how) =>
		lost(`body truncated by a ${how}`, { kind: 'cut', bytes: 25, how }),
	),
	lost('body truncated by a reset, once', { kind: 'cut', bytes: 25, how: 'reset' }, once),
	...[302, 308].map((code) =>
		redirect(
			`redirect to another host (${code})`,
			({ elsewhere }) => status(code, { body: 'empty', headers: { location: elsewhere } }),
			{ redirects: true },
		),
	),
];

const YEAR = 365 * 86_400_000;
const skewed = (at: string): Fault => ({ kind: 'envelope', headers: { date: at } });

/** What an export says of its range, by the service's clock. */
const adds = ['complete', 'incompleteReason'];

const service = inGroup('Clocks', { expect: 'result', cause: /^$/, adds });
const n8n = inGroup('Clocks', { expect: 'either', cause: /must be in the future|expir/i, adds });

export const clocks: MatrixFault[] = [
	service("the service's clock is years behind", skewed('Sat, 01 Jan 2022 00:00:00 GMT')),
	service("the service's clock is years ahead", skewed('Wed, 01 Jan 2031 00:00:00 GMT')),
	service('an invalid Date', skewed('yesterday')),
	n8n("n8n's clock is a year behind", { kind: 'delay', ms: 0 }, { clockOffsetMs: -YEAR }),
	n8n("n8n's clock is a year ahead", { kind: 'delay', ms: 0 }, { clockOffsetMs: YEAR }),
];
