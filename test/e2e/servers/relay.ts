import { once } from 'node:events';
import net from 'node:net';
import { Transform } from 'node:stream';

export type Relay = Awaited<ReturnType<typeof startRelay>>;

/** A loopback port that passes connections on to the one of a server. */
export async function startRelay(to: { port: number }) {
	const clients = new Set<net.Socket>();
	let stopAt: string | undefined;
	const gate = () => {
		let isHeld = false;
		return new Transform({
			transform(bytes: Buffer, _encoding, done) {
				isHeld ||= stopAt !== undefined && bytes.includes(stopAt);
				done(null, isHeld ? undefined : bytes);
			},
		});
	};
	const front = net.createServer({ allowHalfOpen: true }, (client) => {
		clients.add(client);
		client.on('error', () => client.destroy()).on('close', () => clients.delete(client));
		const server = net.connect({ port: to.port, host: '127.0.0.1', allowHalfOpen: true });
		server.on('error', () => client.destroy());
		client.on('close', () => server.destroy());
		client.pipe(gate()).pipe(server).pipe(client);
	});
	front.listen(0, '127.0.0.1');
	await once(front, 'listening');
	const closeAll = () => {
		for (const client of clients) client.destroy();
	};
	return {
		port: (front.address() as net.AddressInfo).port,
		/** From now on, a client that sends this text gets no further: neither it nor what follows is passed on. */
		holdBack: (text: string) => void (stopAt = text),
		/** Closes all connections, with what was held back, and passes everything on again. */
		restart: () => {
			stopAt = undefined;
			closeAll();
		},
		stop: async () => {
			closeAll();
			front.close();
		},
	};
}
