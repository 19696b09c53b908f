/** A column of the matrix, and what the columns share: what an error has to say, how a response is changed. */
import type { EndpointId, Fault } from '../../../sandbox';

/** What has to become of a request that meets a fault. */
type Expectation =
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
	/** The only endpoint that it applies to. */
	only?: EndpointId;
	/** What another endpoint does meanwhile. */
	also?: { endpoint: EndpointId; fault: Fault };
	/** How many requests it hits; all unless it is given. */
	times?: number;
	expect: Expectation;
	/** What an error has to say about the cause. */
	cause: RegExp;
	/** The service may have carried out the request. */
	ambiguous?: boolean;
	/** HTTP itself says that the body is whole: only its content can show that it is not. */
	looksWhole?: boolean;
	/** It leads to another host. */
	redirects?: boolean;
	/** It takes real time, so it is tried with the main request of each operation, and the trigger, alone. */
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

/** Makes faults of one group, which have most in common: by name, what the service does, what differs. */
export const inGroup =
	(group: string, shared: Pick<MatrixFault, 'expect' | 'cause'> & Partial<MatrixFault>) =>
	(
		name: string,
		fault: Fault | MatrixFault['fault'],
		more: Partial<MatrixFault> = {},
	): MatrixFault => ({
		...{ group, name, ...shared, ...more },
		fault: typeof fault === 'function' ? fault : () => fault,
	});

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

/** An error that repeats the key, as it is and in an address. */
export const echo = (code: number, secret: string): Fault =>
	status(code, {
		errors: [
			{
				message: `Request with credential ${secret} could not be handled`,
				details: `headers: X-API-Key: ${secret}; Authorization: Bearer ${secret}`,
				path: `?key=${encodeURIComponent(secret)}`,
			},
		],
	});

export const status = (status: number, more: object = {}): Fault => ({
	kind: 'status',
	status,
	...more,
});
