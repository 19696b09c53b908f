/** The report: a table to read, and the masked responses to play again. */
import { PACKAGE_NAME, PACKAGE_VERSION } from '../../nodes/Wherobots/service/deployment';
import { guesses, OPEN, type Guess } from './guesses';
import { OUTCOMES, type Outcome, type Result } from './judge';
import type { Mask } from './mask';
import { decode, parseJson, type Exchange, type Recorder } from './recorder';

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

export interface Told {
	guess: Guess;
	holds: boolean | undefined;
}

export const WORDS: Record<Outcome, string> = {
	...{ works: 'works', differs: 'DIFFERENT', fails: 'FAILS', notPossible: 'not possible' },
};

/** One line of the table. */
export function lineOf({ name, use, outcome, why, items, ms, requests }: Result): string {
	const what = `${name}${use ? ` (${use})` : ''}`;
	const seconds = `${(ms / 1000).toFixed(1)} s`;
	const figures =
		outcome === 'notPossible' ? '' : `${items} items, ${requests} requests, ${seconds}`;
	const reason = outcome === 'works' ? '' : (why ?? '');
	const line = `${WORDS[outcome].padEnd(12)} ${what.padEnd(46)} ${figures.padEnd(32)} ${reason}`;
	return line.replace(/\s*\n\s*/g, '; ').trimEnd();
}

export const countsOf = (results: Result[]) =>
	OUTCOMES.map(
		(outcome) => `${results.filter((each) => each.outcome === outcome).length} ${WORDS[outcome]}`,
	).join(', ');

/** @param results masked, as all else will be */
export function reportOf(
	results: Result[],
	told: Told[],
	recorder: Recorder,
	mask: Mask,
	around: { left: string[]; spent?: number; isStopped: boolean; now: Date },
): Report {
	const exchanges = playable(recorder.exchanges, mask);
	const { left, spent, isStopped, now } = around;
	return {
		about: [
			`${PACKAGE_NAME} ${PACKAGE_VERSION}, Node.js ${process.version}, ${now.toISOString().slice(0, 10)}`,
			...(spent === undefined ? ['Reads only'] : [`About $${spent.toFixed(2)} spent`]),
			...(isStopped ? ['Stopped before its end'] : []),
			countsOf(results),
		],
		table: results.map(lineOf),
		otherwise: told
			.filter(({ holds }) => holds === false)
			.map(({ guess: { name, assumed, code } }) => ({ name, assumed, code })),
		untold: told.filter(({ holds }) => holds === undefined).map(({ guess }) => guess.name),
		left: left.map((each) => mask.prose(each)),
		results,
		exchanges,
	};
}

const HEADERS = ['content-type', 'date', 'location', 'retry-after', 'x-request-id'];

/** How many records of a list are kept. */
const KEPT = 5;

const LONGEST = 4_000;

function shorten(value: unknown): unknown {
	if (Array.isArray(value)) return value.slice(0, KEPT).map(shorten);
	if (typeof value !== 'object' || value === null) return value;
	const short = Object.entries(value).map(([key, each]) => [key, shorten(each)]);
	const { items } = value as { items?: unknown };
	// Whoever plays it must not ask for what is left out.
	const isCut = Array.isArray(items) && items.length > KEPT;
	return Object.fromEntries([
		...short,
		...(isCut
			? [
					['next_page', null],
					['total', KEPT],
				]
			: []),
	]);
}

/** Masked once, because the report is kept after each result. */
const masked = new WeakMap<Exchange, PlayedExchange>();

export function playable(exchanges: Exchange[], mask: Mask): PlayedExchange[] {
	const all = exchanges.map((exchange) => {
		const played = masked.get(exchange) ?? play(exchange, mask);
		masked.set(exchange, played);
		return played;
	});
	const different = new Map(
		all.map(({ headers, ...each }) => [JSON.stringify(each), { ...each, headers }]),
	);
	return [...different.values()];
}

function play({ method, url, route, status, headers, body }: Exchange, mask: Mask): PlayedExchange {
	const pathname = decode(url.pathname);
	const at = route ? maskedPath(pathname, route, mask) : mask.name(`${url.origin}${pathname}`);
	const query = [...url.searchParams].map(([name, value]) => `${name}=${mask.name(value)}`);
	const path = `${at}${route && query.length > 0 ? `?${query.join('&')}` : ''}`;
	const json = parseJson(body);
	const kept = HEADERS.filter((name) => headers[name] !== undefined).map((name) => {
		const value = String(headers[name]);
		return [name, /location|id/.test(name) ? mask.name(value) : value];
	});
	const shown = json === undefined ? mask.prose(body.slice(0, LONGEST)) : mask.json(shorten(json));
	return {
		...{ method, path, status, headers: Object.fromEntries(kept) as Record<string, string> },
		// What is in files of the account is nobody's business.
		body: !route && !/n8n.live.check/.test(pathname) ? '' : shown,
	};
}

/** A path whose values are masked: the parts of the route stay. */
function maskedPath(pathname: string, route: string, mask: Mask): string {
	const fixed = new Set(route.split(/[ /]/).filter((part) => !part.startsWith('{')));
	return pathname
		.split('/')
		.map((part) => (fixed.has(part) ? part : mask.name(part)))
		.join('/');
}

/** All guesses by area, as docs/live-checks.md has them. */
export function renderGuesses(): string {
	const areas = [...new Set(guesses.map(({ area }) => area))].map((area) => {
		const lines = guesses
			.filter((guess) => guess.area === area)
			.map(({ name, assumed }) => `- \`${name}\`: ${assumed}`);
		return `### ${area}\n\n${lines.join('\n')}`;
	});
	return [
		...areas,
		`### What no response shows\n\n${OPEN.map((each) => `- ${each}`).join('\n')}`,
	].join('\n\n');
}
