import type { SqlRequest } from '../../../nodes/Wherobots/service/sql/protocol';
import { CancelledError } from '../../../nodes/Wherobots/transport/clock';
import { SqlSocket } from '../../../nodes/Wherobots/transport/socket';

/** A stand-in for the platform's socket, without the other side. */
class StandInSocket extends EventTarget {
	static readonly OPEN = 1;

	static readonly CLOSING = 2;

	readonly sent: string[] = [];

	readyState = 0;

	send(text: string): void {
		this.sent.push(text);
	}

	close(): void {
		this.readyState = StandInSocket.CLOSING;
	}

	opens(): void {
		this.readyState = StandInSocket.OPEN;
		this.dispatchEvent(new Event('open'));
	}

	fails(): void {
		this.readyState = StandInSocket.CLOSING;
		this.dispatchEvent(new Event('error'));
	}

	says(data: unknown): void {
		this.dispatchEvent(Object.assign(new Event('message'), { data }));
	}
}

const real = Object.getOwnPropertyDescriptor(globalThis, 'WebSocket');
afterEach(() => {
	if (real) Object.defineProperty(globalThis, 'WebSocket', real);
});

/** Opens a connection over a stand-in. */
function open(signal?: AbortSignal) {
	const socket = new StandInSocket();
	// A constructor that returns an object yields that object.
	const value = Object.assign(function () {
		return socket;
	}, StandInSocket);
	Object.defineProperty(globalThis, 'WebSocket', { value, configurable: true, writable: true });
	return { socket, opened: SqlSocket.open('wss://s/1', {}, signal) };
}

const request: SqlRequest = { kind: 'cancel', execution_id: 'e-1' };

it('a connection that has ended takes no request, and says so', async () => {
	for (const end of [(socket: StandInSocket) => socket.fails(), closesQuietly]) {
		const { socket, opened } = open();
		socket.opens();
		const connection = await opened;
		end(socket);
		expect(connection?.send(request)).toBe(false);
		expect(socket.sent).toEqual([]);
	}
});

/** The platform knows that the socket is closing, but has not said so yet. */
function closesQuietly(socket: StandInSocket): void {
	socket.readyState = StandInSocket.CLOSING;
}

it('an execution that is cancelled while it waits gets nothing more, whatever has arrived', async () => {
	const controller = new AbortController();
	const { socket, opened } = open(controller.signal);
	socket.opens();
	const connection = await opened;
	const next = connection?.receive(10_000);
	controller.abort();
	await expect(next).rejects.toBeInstanceOf(CancelledError);
	socket.says('{"a": 1}');
	await expect(connection?.receive(10_000)).rejects.toBeInstanceOf(CancelledError);
});
