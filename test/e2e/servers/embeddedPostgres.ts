import { once } from 'node:events';
import net from 'node:net';

import { PGlite } from '@electric-sql/pglite';

/** A PostgreSQL within this process, for machines without one: in memory, and one query at a time. */
export interface EmbeddedPostgres {
	port: number;
	stop(): Promise<void>;
}

/** Requests for encryption, which come before the first message: there is none. */
const ENCRYPTION = new Set([80_877_103, 80_877_104]);

export async function startEmbeddedPostgres(): Promise<EmbeddedPostgres> {
	const database = await PGlite.create();
	const connections = new Set<net.Socket>();
	/** Ends when the connection before has its answer: all share one session of the database. */
	let turn: Promise<void> = Promise.resolve();
	const takeTurn = async (): Promise<() => void> => {
		const before = turn;
		let release = () => {};
		turn = new Promise((resolve) => {
			release = resolve;
		});
		await before;
		return release;
	};
	const server = net.createServer((socket) => {
		connections.add(socket);
		socket.on('error', () => socket.destroy());
		socket.on('close', () => connections.delete(socket));
		void converse(socket, database, takeTurn).catch(() => socket.destroy());
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as net.AddressInfo;
	return {
		port,
		stop: async () => {
			for (const socket of connections) socket.destroy();
			server.close();
			await database.close();
		},
	};
}

/** Hands a client's messages to the database, from each first one to the end of its transaction. */
async function converse(
	socket: net.Socket,
	database: PGlite,
	takeTurn: () => Promise<() => void>,
): Promise<void> {
	let release: (() => void) | undefined;
	try {
		for await (const message of messagesOf(socket)) {
			if (message[0] === 'X'.charCodeAt(0)) break;
			release ??= await takeTurn();
			const answer = await database.execProtocolRaw(message);
			if (answer.length > 0) socket.write(answer);
			// Ready for a query, and in no transaction.
			const end = Buffer.from(answer.subarray(-6)).toString('latin1');
			if (end === 'Z\0\0\0\x05I') {
				release();
				release = undefined;
			}
		}
		socket.end();
	} finally {
		release?.();
	}
}

/** Whole messages of the protocol, version 3; the first has no letter in front. */
async function* messagesOf(socket: net.Socket): AsyncGenerator<Uint8Array> {
	let begun = false;
	let waiting: Buffer = Buffer.alloc(0);
	for await (const chunk of socket) {
		waiting = Buffer.concat([waiting, chunk as Buffer]);
		for (;;) {
			const letter = begun ? 1 : 0;
			if (waiting.length < letter + 4) break;
			const length = letter + waiting.readInt32BE(letter);
			if (waiting.length < length) break;
			const message = waiting.subarray(0, length);
			waiting = waiting.subarray(length);
			if (!begun && ENCRYPTION.has(message.readInt32BE(4))) {
				socket.write('N');
				continue;
			}
			begun = true;
			yield message;
		}
	}
}
