/** Servers on loopback, with TLS where clients insist on it. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** A certificate for 127.0.0.1 and its key, as PEM. */
export interface Tls {
	cert: string;
	key: string;
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
