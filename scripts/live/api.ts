/** A plain HTTP client: checks look at responses as they are, not as the package reads them. */
import { CLIENT_HEADER, USER_AGENT } from '../../nodes/Wherobots/service/deployment';
import { NotChecked, Otherwise } from './guess';
import type { Mask } from './mask';
import { isRecord, recordsIn, type Json } from './shape';

export interface Answer {
	/** Method, path and query, without values: `GET /runs/{id}/logs?size`. */
	request: string;
	status: number;
	headers: Headers;
	text: string;
	/** Undefined if the body is not JSON. */
	json: unknown;
}

export interface Ask {
	/** Values of the path, each encoded; `path` is inserted as it is, for its slashes. */
	values?: Record<string, string>;
	query?: Record<string, string | string[]>;
	body?: unknown;
	headers?: Record<string, string>;
	/** Without the key. */
	anonymous?: boolean;
	/** Creates something: once sent, the response is awaited even after Ctrl-C. */
	creates?: boolean;
	/** Removes something: sent even after Ctrl-C. */
	removes?: boolean;
}

export interface ApiOptions {
	baseUrl: string;
	key: string;
	mask: Mask;
	signal: AbortSignal;
	/** Waits for so many milliseconds; ends early when the signal says so. */
	pause(ms: number): Promise<void>;
}

const TIMEOUT_MS = 60_000;

const TRIES = 4;

export class Api {
	/** The requests of the present check and their outcomes. */
	trace: string[] = [];

	private readonly remembered = new Map<string, Promise<Answer>>();

	constructor(readonly options: ApiOptions) {}

	/** A read; the same one is made once. */
	async get(path: string, ask: Pick<Ask, 'values' | 'query'> = {}): Promise<Answer> {
		const known = JSON.stringify([path, ask.values, ask.query]);
		const answer = this.remembered.get(known) ?? this.repeat('GET', path, ask);
		this.remembered.set(known, answer);
		return this.note(await answer);
	}

	/** Any request, sent once. No redirect is followed. */
	async send(method: string, path: string, ask: Ask = {}): Promise<Answer> {
		return this.note(await this.once(method, path, ask));
	}

	/** Reads are tried again when the service is busy. */
	private async repeat(method: string, path: string, ask: Ask): Promise<Answer> {
		for (let tries = 1; ; tries += 1) {
			const answer = await this.once(method, path, ask);
			if (tries === TRIES || (answer.status !== 429 && answer.status < 500)) return answer;
			const seconds = Number(answer.headers.get('retry-after') ?? tries);
			await this.options.pause(Math.min(Number.isFinite(seconds) ? seconds : 5, 30) * 1_000);
		}
	}

	private async once(method: string, path: string, ask: Ask): Promise<Answer> {
		const { baseUrl, key, mask, signal } = this.options;
		const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
			name === 'path' ? (ask.values?.path ?? '') : encodeURIComponent(ask.values?.[name] ?? ''),
		);
		const query = new URLSearchParams(
			Object.entries(ask.query ?? {}).flatMap(([name, value]) =>
				[value].flat().map((each): [string, string] => [name, each]),
			),
		).toString();
		if (!ask.removes) signal.throwIfAborted();
		const limit = AbortSignal.timeout(TIMEOUT_MS);
		const isCut = !ask.removes && !ask.creates;
		const response = await fetch(`${baseUrl}${filled}${query && `?${query}`}`, {
			method,
			redirect: 'manual',
			signal: isCut ? AbortSignal.any([signal, limit]) : limit,
			headers: {
				'User-Agent': USER_AGENT,
				...CLIENT_HEADER,
				...(ask.anonymous ? {} : { 'X-API-Key': key }),
				...(ask.body === undefined ? {} : { 'Content-Type': 'application/json' }),
				...ask.headers,
			},
			...(ask.body === undefined ? {} : { body: JSON.stringify(ask.body) }),
		});
		const text = await response.text();
		const json = parsed(text);
		// What an error says is shown without what it quotes.
		if (response.ok) mask.learn(json);
		const names = Object.keys(ask.query ?? {}).join('&');
		const request = `${method} ${path}${names && `?${names}`}`;
		return { request, status: response.status, headers: response.headers, text, json };
	}

	private note(answer: Answer): Answer {
		const line = outcomeOf(answer);
		if (this.trace.at(-1) !== line) this.trace.push(line);
		return answer;
	}
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

export const isOk = ({ status }: Answer) => status >= 200 && status < 300;

export const errorsOf = ({ json }: Answer): Json[] =>
	isRecord(json) ? recordsIn(json, 'errors') : [];

/** A request and how the service answered; what an error says is in it, without what it quotes. */
export function outcomeOf(answer: Answer): string {
	const errors = errorsOf(answer).map(({ code, field, path, message, details }) => {
		const place = typeof path === 'string' && path.startsWith('/') ? 'a route' : path;
		const named = { code, field, path: place, message: plain(message), details: plain(details) };
		const said = Object.entries(named).filter(([, value]) => value);
		return said.map(([name, value]) => `${name} ${String(value)}`).join(', ');
	});
	return [`${answer.request} → ${answer.status}`, ...errors].join('; ');
}

/** What an error says, without what it quotes. */
function plain(text: unknown): string {
	if (typeof text !== 'string') return '';
	return text.replace(/(['"`])(?:(?!\1).)*\1/g, '$1…$1').slice(0, 160);
}

/**
 * A response that succeeded.
 *
 * @throws NotChecked when this account may not, or the service is not well
 * @throws Otherwise when the service does not know the request
 */
export function ok(answer: Answer): Answer {
	if (isOk(answer)) return answer;
	const { status } = answer;
	const ownFault = [400, 404, 405, 409, 422].includes(status) || (status >= 300 && status < 400);
	throw new (ownFault ? Otherwise : NotChecked)(outcomeOf(answer));
}

/** A response that succeeded, where another check is about it. @throws NotChecked */
export function basis(answer: Answer): Answer {
	if (!isOk(answer)) throw new NotChecked(`because of ${outcomeOf(answer)}`);
	return answer;
}

/** The object in a response that succeeded. */
export function recordOf(answer: Answer): Json {
	const { json } = ok(answer);
	if (!isRecord(json)) throw new Otherwise(`${answer.request} returned no object`);
	return json;
}
