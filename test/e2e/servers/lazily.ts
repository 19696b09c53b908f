import { once } from 'node:events';
import net from 'node:net';

export interface LazyServer {
	/** Loopback port that is open at once. */
	port: number;
	/** Ends the server, if it was started. */
	stop(): Promise<void>;
}

/**
 * A server that starts with the first connection, so that those that nobody uses cost nothing.
 *
 * @param start returns the loopback port at which it then listens
 */
export async function lazily(
	start: () => Promise<{ port: number; stop: () => Promise<void> }>,
): Promise<LazyServer> {
	let started: ReturnType<typeof start> | undefined;
	const connections = new Set<net.Socket>();
	const front = net.createServer({ allowHalfOpen: true }, (near) => {
		connections.add(near);
		near.on('error', () => near.destroy());
		near.on('close', () => connections.delete(near));
		started ??= start();
		started.then(
			({ port }) => {
				const far = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
				far.on('error', () => near.destroy());
				near.on('error', () => far.destroy());
				near.on('close', () => far.destroy());
				near.pipe(far).pipe(near);
			},
			(error: Error) => {
				process.stderr.write(`\n${error.message}\n`);
				near.destroy();
			},
		);
	});
	front.listen(0, '127.0.0.1');
	await once(front, 'listening');
	return {
		port: (front.address() as net.AddressInfo).port,
		stop: async () => {
			for (const socket of connections) socket.destroy();
			front.close();
			await started?.then(
				async ({ stop }) => await stop(),
				() => undefined,
			);
		},
	};
}
