/** Statuses that are no success. */
import { inGroup, type MatrixFault } from './types';
import { causeOf, ODD, OUTAGE, REFUSED, status } from './words';

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
