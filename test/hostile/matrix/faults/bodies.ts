/** Bodies that are not what they should be. */
import { causeOf, inGroup, ODD, status, UNREADABLE, type MatrixFault } from './fault';

const body = inGroup('Body', { expect: 'error', cause: UNREADABLE, ambiguous: true });
const refusal = inGroup('Body', { expect: 'error', cause: causeOf(422) });
const odd = inGroup('Body', { expect: 'either', cause: ODD, ambiguous: true });
const padded = inGroup('Body', { expect: 'result', cause: ODD, jsonOnly: true });

const ERROR = { code: 'INTERNAL_SERVER_ERROR', message: 'Out of order', suggestion: 'Contact us.' };

export const bodies: MatrixFault[] = [
	body('truncated, with a matching length', { kind: 'truncate', bytes: 25 }, { looksWhole: true }),
	body('truncated, with a clean end', { kind: 'cut', bytes: 25, how: 'end' }, { looksWhole: true }),
	body('a web page with status 200', { kind: 'html' }),
	body(
		'plain text with status 200',
		{ kind: 'replace', contentType: 'text/plain', body: 'OK' },
		{ jsonOnly: true },
	),
	body('invalid JSON', { kind: 'rewrite', rewrite: (text) => `${text}}` }, { jsonOnly: true }),
	inGroup('Body', { expect: 'result', cause: /^$/ })('another content type', {
		kind: 'envelope',
		headers: { 'content-type': 'text/html' },
	}),
	odd(
		'an error with status 200',
		{ kind: 'replace', body: JSON.stringify({ errors: [ERROR], requestId: 'r1' }) },
		{ cause: /Out of order|unexpected response|could not be read/ },
	),
	odd('null', { kind: 'replace', body: 'null' }, { jsonOnly: true }),
	odd(
		'nested ten thousand levels deep',
		{ kind: 'replace', body: '['.repeat(10_000) + ']'.repeat(10_000) },
		{ jsonOnly: true },
	),
	padded('4 MB of white space before it', { kind: 'padded', bytes: 4_000_000 }),
	padded('4 MB of white space before it, in 4 kB of gzip', {
		kind: 'padded',
		bytes: 4_000_000,
		gzip: true,
	}),
	...[false, true].map((gzip) =>
		body(
			`endless white space${gzip ? ', in gzip' : ''}`,
			{ kind: 'endless', gzip },
			{ cause: /too large/, jsonOnly: true },
		),
	),
	refusal('an endless error, in gzip', { kind: 'endless', gzip: true, status: 422 }),
	refusal('an error of 2 MB', status(422, { errors: [{ details: 'again '.repeat(350_000) }] })),
	body(
		'invalid gzip',
		{ kind: 'envelope', headers: { 'content-encoding': 'gzip' } },
		{
			cause:
				/connection to Wherobots Cloud was lost|interrupted|broke off|unexpected response|compressed/i,
			needsBody: true,
		},
	),
];
