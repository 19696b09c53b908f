/** Servers on loopback, with TLS where clients insist on it. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** A certificate for 127.0.0.1 and its key, as PEM. */
export interface Tls {
	cert: string;
	key: string;
}

/** A server of its own that starts when its address is asked for first. */
export class LazyOrigin {
	private server?: Promise<Server>;

	constructor(
		private readonly tls: Tls | undefined,
		private readonly listener: RequestListener,
		/** Called with the server before it listens. */
		private readonly prepare: (server: Server) => void = () => undefined,
	) {}

	async address(): Promise<string> {
		this.server ??= this.listen();
		return originOf(this.tls, await this.server);
	}

	/** Ends it, with its connections. */
	async stop(): Promise<void> {
		const server = await this.server;
		server?.closeAllConnections();
		await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
	}

	private async listen(): Promise<Server> {
		const server = createOrigin(this.tls, this.listener);
		this.prepare(server);
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		return server;
	}
}

export function createOrigin(tls: Tls | undefined, listener: RequestListener): Server {
	return tls ? createTlsServer(tls, listener) : createServer(listener);
}

/** `http://127.0.0.1:port`, or `https://…`, of a server that listens. */
export function originOf(tls: Tls | undefined, server: Server): string {
	const { port } = server.address() as AddressInfo;
	return `${tls ? 'https' : 'http'}://127.0.0.1:${port}`;
}

/** Ends a connection at once, with a reset where there is no TLS, which has none. */
export function drop(socket: Socket | null): void {
	if (socket instanceof TLSSocket) socket.destroy();
	else socket?.resetAndDestroy();
}
