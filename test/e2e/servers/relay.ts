import { once } from 'node:events';
import net from 'node:net';
import { Transform } from 'node:stream';

/** A loopback port that is open at once and passes connections on to the one of a server. */
export interface Relay {
	port: number;
	/** From now on, a client that sends this text gets no further: neither it nor what follows is passed on. */
	holdBack(text: string): void;
	/** Closes all connections, with what was held back, and passes everything on again. */
	restart(): void;
	/** Ends the server too, if it was started. */
	stop(): Promise<void>;
}

/** @param start starts the server, at the first connection: those that nobody uses cost nothing */
export async function startRelay(
	start: () => Promise<{ port: number; stop?: () => Promise<void> }>,
): Promise<Relay> {
	const clients = new Set<net.Socket>();
	let started: ReturnType<typeof start> | undefined;
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
		started ??= start();
		started.then(
			({ port }) => {
				const server = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
				server.on('error', () => client.destroy());
				client.on('close', () => server.destroy());
				client.pipe(gate()).pipe(server).pipe(client);
			},
			(error: Error) => {
				process.stderr.write(`\n${error.message}\n`);
				client.destroy();
			},
		);
	});
	front.listen(0, '127.0.0.1');
	await once(front, 'listening');
	const closeAll = () => {
		for (const client of clients) client.destroy();
	};
	return {
		port: (front.address() as net.AddressInfo).port,
		holdBack: (text) => (stopAt = text),
		restart: () => {
			stopAt = undefined;
			closeAll();
		},
		stop: async () => {
			closeAll();
			front.close();
			const server = await started?.catch(() => undefined);
			await server?.stop?.();
		},
	};
}
