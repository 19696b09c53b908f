/** Every response of the service as it came, and every message of its sockets, while the product works. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

import { endpoints } from '../../nodes/Wherobots/service/endpoints';
import { parseSessionId } from '../../nodes/Wherobots/service/sql/protocol';
import { parseFrame } from '../../nodes/Wherobots/transport/socket';

export interface Exchange {
	/** `GET /runs/{run_id}`; undefined for an address outside the service's interface. */
	route?: string;
	method: string;
	url: URL;
	status: number;
	headers: IncomingMessage['headers'];
	/** Empty until the response has ended. */
	body: string;
	/** What was going on: an operation or an event. */
	during: string;
}

/** A message that a socket brought. */
export interface Frame {
	isBinary: boolean;
	message: unknown;
}

/** Paths of the interface, those without values first. */
const ROUTES = [...new Set(Object.values(endpoints).map(({ method, path }) => `${method} ${path}`))]
	.sort((one, other) => one.split('{').length - other.split('{').length)
	.map((route) => {
		const pattern = route.replace(/\{(\w+)\}/g, (_, name) => (name === 'path' ? '.*' : '[^/]+'));
		return { route, pattern: new RegExp(`^${pattern}$`) };
	});

export const routeOf = (method: string, path: string) =>
	ROUTES.find(({ pattern }) => pattern.test(`${method} ${path}`))?.route;

/** A path as people write it; as it is where that is impossible. */
export function decode(path: string): string {
	try {
		return decodeURIComponent(path);
	} catch {
		return path;
	}
}

const DECODERS: Record<string, (bytes: Buffer) => Buffer> = {
	...{ br: brotliDecompressSync, gzip: gunzipSync, deflate: inflateSync },
};

function textOf(bytes: Buffer, encoding = ''): string {
	try {
		return (DECODERS[encoding]?.(bytes) ?? bytes).toString('utf8');
	} catch {
		return '';
	}
}

export class Recorder {
	readonly exchanges: Exchange[] = [];

	readonly frames: Frame[] = [];

	/** The addresses of sockets. */
	readonly sockets: string[] = [];

	/** What is going on. */
	during = '';

	private readonly platformSocket = globalThis.WebSocket;

	private readonly onResponse = (event: unknown) => {
		const { request, response } = event as { request: ClientRequest; response: IncomingMessage };
		const { method, path, protocol, host } = request;
		const port = request.socket?.remotePort;
		const isUsual = port === undefined || port === 443 || port === 80;
		const url = new URL(`${protocol}//${host}${isUsual ? '' : `:${port}`}${path}`);
		const below = url.href.startsWith(`${this.baseUrl}/`);
		const ownPath = url.pathname.slice(new URL(this.baseUrl).pathname.replace(/\/$/, '').length);
		// As they came: a client that unpacks a body removes the header that says how.
		const headers = { ...response.headers };
		const exchange: Exchange = {
			...(below ? { route: routeOf(method, ownPath) } : {}),
			...{ method, url, status: response.statusCode ?? 0, headers },
			...{ body: '', during: this.during },
		};
		this.exchanges.push(exchange);
		const chunks: Buffer[] = [];
		const push = response.push.bind(response);
		response.push = (chunk: Buffer | null, ...rest: []) => {
			if (chunk) chunks.push(chunk);
			else exchange.body = textOf(Buffer.concat(chunks), headers['content-encoding']);
			return push(chunk, ...rest);
		};
	};

	constructor(private readonly baseUrl: string) {
		subscribe('http.client.response.finish', this.onResponse);
		const { frames, sockets, platformSocket } = this;
		const Recording = class extends platformSocket {
			constructor(...args: ConstructorParameters<typeof WebSocket>) {
				super(...args);
				sockets.push(String(args[0]));
				this.addEventListener('message', ({ data }) => {
					const read = parseFrame(data);
					const message = 'message' in read ? read.message : undefined;
					frames.push({ isBinary: typeof data !== 'string', message });
				});
			}
		};
		setSocket(Recording);
	}

	stop(): void {
		unsubscribe('http.client.response.finish', this.onResponse);
		setSocket(this.platformSocket);
	}

	/** Responses of one route that succeeded, as JSON. */
	ok(route: string): unknown[] {
		return this.of(route)
			.filter(({ status }) => status < 300)
			.map(jsonOf);
	}

	of(route: string): Exchange[] {
		return this.exchanges.filter((exchange) => exchange.route === route);
	}
}

/** A plain assignment would do, but for platforms that only let it be read. */
function setSocket(value: typeof WebSocket): void {
	Object.defineProperty(globalThis, 'WebSocket', { value, configurable: true, writable: true });
}

/**
 * The session that a request for one led to: where a redirect leads, or in the body. One that was handed
 * out instead of a new one is somebody's: it is not to be ended here.
 */
export function findSessionId({ headers, url, body }: Exchange): string | undefined {
	if (headers['x-wherobots-sql-session-fallback'] !== undefined) return undefined;
	const { location } = headers;
	if (!location || !URL.canParse(location, url.href)) return parseSessionId({ text: body });
	return decode(new URL(location, url).pathname.replace(/\/$/, '').split('/').at(-1) ?? '');
}

const parsed = new WeakMap<Exchange, { json: unknown }>();

/** The body as JSON, which is looked at again and again. */
export function jsonOf(exchange: Exchange): unknown {
	const known = parsed.get(exchange) ?? { json: parseJson(exchange.body) };
	parsed.set(exchange, known);
	return known.json;
}

/** A JSON text whose numbers keep all of their digits, as `#` and the digits; undefined for other texts. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text.replace(/([:[,]\s*)(-?\d{16,})(?=\s*[,}\]])/g, '$1"#$2"')) as unknown;
	} catch {
		return undefined;
	}
}
