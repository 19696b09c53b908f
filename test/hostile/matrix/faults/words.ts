/** What the columns share: what an error has to say, and how a response is changed. */
import type { Fault } from '../../../sandbox';

export const OUTAGE = [500, 502, 503, 504];
export const REFUSED = [400, 401, 403, 404, 409, 422];

/** Whatever an error with a status says: its number, or what the service calls it. */
const WORDS: Record<number, string> = {
	400: 'Bad request',
	401: 'did not accept',
	403: 'Insufficient permissions|not permitted|Needs ',
	404: 'not found|not offer|may not have|gone|There is no',
	409: 'Conflict',
	422: 'Validation error',
	429: 'too many requests',
	500: 'Internal server error',
	502: 'Bad gateway',
	503: 'Service unavailable',
	504: 'Gateway timeout',
};
export const causeOf = (status: number) => new RegExp(`HTTP ${status}|${WORDS[status]}`, 'i');

export const UNREADABLE =
	/unexpected response|web page was sent|not a template|incomplete|ended the response before|malformed|interrupted|broke off/;
export const LOST =
	/connection to Wherobots Cloud was lost|interrupted|broke off|incomplete|no complete response/i;
export const SILENT = /did not respond in time|stalled|stood still|no time left|incomplete/;
export const ODD =
	/unexpected response|There is no |not a template|could not be read to the end|malformed|is not complete|lacks|did not return a URL for the upload|does not identify|is not empty/i;

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

export const mapValues = (record: Json, change: (key: string, value: unknown) => unknown): Json =>
	Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(key, value)]));

export const edit = (change: (record: Json) => unknown): Fault => ({
	kind: 'edit',
	edit: (json: never) => records(json, change),
});

export const status = (status: number, more: object = {}): Fault => ({
	kind: 'status',
	status,
	...more,
});
