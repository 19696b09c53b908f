/** The report: a table to read, and the masked responses to play again. */
import { PACKAGE_NAME, PACKAGE_VERSION } from '../../nodes/Wherobots/service/deployment';
import { isRecord } from '../../nodes/Wherobots/service/records';
import { clock } from '../../nodes/Wherobots/transport/clock';
import { guesses, isAsGuessed, type Guess } from './guesses';
import { OUTCOMES, type Outcome, type Result } from './judge';
import type { Mask } from './mask';
import { decode, type Exchange, type Recorder } from './recorder';

export interface PlayedExchange {
	method: string;
	/** With its query; a whole address outside the service. */
	path: string;
	status: number;
	headers: Record<string, string>;
	/** JSON, or a text. */
	body: unknown;
}

export interface Report {
	about: string[];
	/** Operations and events, one line each. */
	table: string[];
	/** What is otherwise, with the first file to look at. */
	otherwise: Array<Pick<Guess, 'name' | 'assumed' | 'code'>>;
	/** Guesses of which nothing was seen. */
	untold: string[];
	left: string[];
	results: Result[];
	exchanges: PlayedExchange[];
}

const WORDS: Record<Outcome, string> = {
	...{ works: 'works', differs: 'DIFFERENT', fails: 'FAILS' },
	...{ notPossible: 'not possible', notTried: 'not tried' },
};

/** One line of the table. */
export function lineOf({ name, use, outcome, why = '', items, ms, requests }: Result): string {
	const what = `${name}${use ? ` (${use})` : ''}`;
	const taken = `${items} items, ${requests} requests, ${(ms / 1000).toFixed(1)} s`;
	const figures = (outcome.startsWith('not') ? '' : taken).padEnd(32);
	const reason = outcome === 'works' ? '' : why;
	const line = `${WORDS[outcome].padEnd(12)} ${what.padEnd(46)} ${figures} ${reason}`;
	return line.replace(/\s*\n\s*/g, '; ').trimEnd();
}

export const countsOf = (results: Result[]) =>
	OUTCOMES.map(
		(outcome) => `${results.filter((each) => each.outcome === outcome).length} ${WORDS[outcome]}`,
	).join(', ');

/** @param results masked, as all else will be */
export function reportOf(
	results: Result[],
	recorder: Recorder,
	mask: Mask,
	{ left, about }: { left: string[]; about: string[] },
): Report {
	const today = new Date(clock.now()).toISOString().slice(0, 10);
	const told = guesses.map((guess) => ({ guess, holds: isAsGuessed(guess, recorder) }));
	return {
		about: [
			`${PACKAGE_NAME} ${PACKAGE_VERSION}, Node.js ${process.version}, ${today}`,
			...[...about, countsOf(results)],
		],
		table: results.map(lineOf),
		otherwise: told
			.filter(({ holds }) => holds === false)
			.map(({ guess: { name, assumed, code } }) => ({ name, assumed, code })),
		untold: told.filter(({ holds }) => holds === undefined).map(({ guess }) => guess.name),
		left: left.map((each) => mask.prose(each)),
		results,
		exchanges: toPlayable(recorder.exchanges, mask),
	};
}

const HEADERS = ['content-type', 'date', 'location', 'retry-after', 'x-request-id'];

/** How many records of a list are kept. */
export const KEPT = 5;

const LONGEST = 4_000;

/** In a list of which only the first records are kept: how many it had. */
export const CUT = 'itemsBeforeCut';

function shorten(value: unknown): unknown {
	if (Array.isArray(value)) return value.slice(0, KEPT).map(shorten);
	if (!isRecord(value)) return value;
	const short = Object.entries(value).map(([key, each]) => [key, shorten(each)]);
	const count = Array.isArray(value.items) ? value.items.length : 0;
	return { ...Object.fromEntries(short), ...(count > KEPT && { [CUT]: count }) };
}

/** Masked once, because the report is kept after each result. */
const masked = new WeakMap<Exchange, PlayedExchange>();

/** Those that are equal only once. */
export function toPlayable(exchanges: Exchange[], mask: Mask): PlayedExchange[] {
	const different = new Map<string, PlayedExchange>();
	for (const exchange of exchanges) {
		const played = masked.get(exchange) ?? play(exchange, mask);
		masked.set(exchange, played);
		different.set(JSON.stringify({ ...played, headers: undefined }), played);
	}
	return [...different.values()];
}

function play(exchange: Exchange, mask: Mask): PlayedExchange {
	const { method, url, route, status, headers, body, json } = exchange;
	const pathname = decode(url.pathname);
	const query = [...url.searchParams].map(
		([name, value]) => `${name}=${String(mask.json(value, name))}`,
	);
	const kept = HEADERS.filter((name) => headers[name] !== undefined).map((name) => {
		const value = String(headers[name]);
		return [name, /location|id/.test(name) ? mask.name(value) : value];
	});
	const shown = json === undefined ? mask.prose(body.slice(0, LONGEST)) : mask.json(shorten(json));
	return {
		method,
		path: route
			? `${maskPath(pathname, route, mask)}${query.length > 0 ? `?${query.join('&')}` : ''}`
			: mask.name(`${url.origin}${pathname}`),
		status,
		headers: Object.fromEntries(kept) as Record<string, string>,
		// What is in files of the account is nobody's business.
		body: !route && !/n8n.live.check/.test(pathname) ? '' : shown,
	};
}

/** A path whose values are masked: the parts of the route stay. */
function maskPath(pathname: string, route: string, mask: Mask): string {
	const fixed = new Set(route.split(/[ /]/).filter((part) => !part.startsWith('{')));
	return pathname
		.split('/')
		.map((part) => (fixed.has(part) ? part : mask.name(part)))
		.join('/');
}
