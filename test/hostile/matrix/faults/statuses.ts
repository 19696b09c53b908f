/** Statuses that are no success. */
import type { MatrixFault } from './types';
import { OUTAGE, REFUSED, causeOf, ODD, status } from './words';

export const statuses: MatrixFault[] = [
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
		name: '503 although the request was handled, once',
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
		name: '429 that asks for a wait of an hour',
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
