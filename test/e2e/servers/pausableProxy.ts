import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Passes connections on to another port of this machine. */
export interface PausableProxy {
	port: number;
	/** From now on, a client that sends this text gets no further: neither it nor what follows is passed on. */
	holdBack(text: string): void;
	/** Closes all connections, with what was held back, and passes everything on again. */
	restart(): void;
	stop(): Promise<void>;
}

export async function startPausableProxy(target: number): Promise<PausableProxy> {
	const sockets = new Set<Socket>();
	let stopAt: string | undefined;
	const server = createServer((client) => {
		const upstream = connect(target, '127.0.0.1');
		let isHeld = false;
		client.on('data', (bytes) => {
			isHeld ||= stopAt !== undefined && bytes.includes(stopAt);
			if (!isHeld) upstream.write(bytes);
		});
		upstream.on('data', (bytes) => client.write(bytes));
		for (const [one, other] of [
			[client, upstream],
			[upstream, client],
		]) {
			sockets.add(one);
			one.on('error', () => undefined);
			one.on('close', () => {
				sockets.delete(one);
				other.destroy();
			});
		}
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const closeAll = () => {
		for (const socket of sockets) socket.destroy();
	};
	return {
		port: (server.address() as AddressInfo).port,
		holdBack: (text) => (stopAt = text),
		restart: () => {
			stopAt = undefined;
			closeAll();
		},
		stop: async () => {
			closeAll();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
