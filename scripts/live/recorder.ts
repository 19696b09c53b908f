/** Every response of the service as it came, and every message of its sockets, while the product works. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

import type { IDataObject } from 'n8n-workflow';

import { endpoints, listNames } from '../../nodes/Wherobots/service/endpoints';
import { parseJson } from '../../nodes/Wherobots/service/json';
import { isRecord } from '../../nodes/Wherobots/service/records';
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
	/** The body as the product reads it; undefined if it is none. */
	json?: unknown;
}

/** A message that a socket brought. */
export interface Frame {
	isBinary: boolean;
	message: IDataObject;
}

/** Paths of the interface, those without values first. */
const ROUTES = Object.values(endpoints)
	.sort((one, other) => listNames(one.path).length - listNames(other.path).length)
	.map(({ method, path }) => {
		const pattern = path.replace(/\{(\w+)\}/g, (_, name) => (name === 'path' ? '.*' : '[^/]+'));
		return { route: `${method} ${path}`, pattern: new RegExp(`^${method} ${pattern}$`) };
	});

export const routeOf = (method: string, path: string) =>
	ROUTES.find(({ pattern }) => pattern.test(`${method} ${path}`))?.route;

/** What a conversion gives; undefined for what it does not take. */
export function attempt<T>(convert: () => T): T | undefined {
	try {
		return convert();
	} catch {
		return undefined;
	}
}

/** A path as people write it; as it is where that is impossible. */
export const decode = (path: string) => attempt(() => decodeURIComponent(path)) ?? path;

const DECODERS: Record<string, (bytes: Buffer) => Buffer> = {
	...{ br: brotliDecompressSync, gzip: gunzipSync, deflate: inflateSync },
};

export class Recorder {
	readonly exchanges: Exchange[] = [];

	readonly frames: Frame[] = [];

	/** Is told by which socket each message came. */
	onFrame?: (socket: WebSocket) => void;

	private readonly platformSocket = globalThis.WebSocket;

	private readonly onResponse = (event: unknown) => {
		const { request, response } = event as { request: ClientRequest; response: IncomingMessage };
		const { method, path, protocol } = request;
		const url = new URL(`${protocol}//${String(request.getHeader('host'))}${path}`);
		const { baseUrl } = this;
		const below = url.href.startsWith(`${baseUrl}/`) && url.href.slice(baseUrl.length);
		const { statusCode: status = 0 } = response;
		// As they came: a client that unpacks a body removes the header that says how.
		const headers = { ...response.headers };
		const route = below ? routeOf(method, below.split('?')[0]) : undefined;
		const exchange: Exchange = { route, method, url, status, headers, body: '' };
		this.exchanges.push(exchange);
		const chunks: Buffer[] = [];
		const push = response.push.bind(response);
		response.push = (chunk: Buffer | null, ...rest: []) => {
			if (chunk) chunks.push(chunk);
			else {
				const bytes = Buffer.concat(chunks);
				const decoder = DECODERS[headers['content-encoding'] ?? ''];
				exchange.body = attempt(() => (decoder?.(bytes) ?? bytes).toString('utf8')) ?? '';
				exchange.json = attempt(() => parseJson(exchange.body));
			}
			return push(chunk, ...rest);
		};
	};

	constructor(private readonly baseUrl: string) {
		subscribe('http.client.response.finish', this.onResponse);
		const { frames, platformSocket } = this;
		const tell = (socket: WebSocket) => this.onFrame?.(socket);
		const Recording = class extends platformSocket {
			constructor(...args: ConstructorParameters<typeof WebSocket>) {
				super(...args);
				this.addEventListener('message', ({ data }) => {
					const read = parseFrame(data);
					const message = 'message' in read && isRecord(read.message) ? read.message : {};
					frames.push({ isBinary: typeof data !== 'string', message });
					tell(this);
				});
			}
		};
		setSocket(Recording);
	}

	stop(): void {
		unsubscribe('http.client.response.finish', this.onResponse);
		setSocket(this.platformSocket);
	}

	/** Responses of these routes that succeeded, as JSON. */
	ok(...routes: string[]): unknown[] {
		return this.of(...routes)
			.filter(({ status }) => status < 300)
			.map(({ json }) => json);
	}

	of(...routes: string[]): Exchange[] {
		return this.exchanges.filter(({ route }) => route && routes.includes(route));
	}
}

/**
 * The session that a request for one led to: where a redirect leads, or in the body. One that was handed
 * out instead of a new one is somebody's: it is not to be ended here.
 */
export function findSessionId({ headers, body }: Exchange): string | undefined {
	if (headers['x-wherobots-sql-session-fallback'] !== undefined) return undefined;
	const [, id] = /([^/?#]+)\/?([?#].*)?$/.exec(headers.location ?? '') ?? [];
	return id === undefined ? parseSessionId({ text: body }) : decode(id);
}

/** A plain assignment would do, but for platforms that only let it be read. */
function setSocket(value: typeof WebSocket): void {
	Object.defineProperty(globalThis, 'WebSocket', { value, configurable: true, writable: true });
}
