import type { SqlRequest } from '../../../nodes/Wherobots/service/sql/protocol';
import { CancelledError } from '../../../nodes/Wherobots/transport/clock';
import { SqlSocket } from '../../../nodes/Wherobots/transport/socket';

/** A stand-in for the platform's socket, without the other side. */
class StandInSocket extends EventTarget {
	static readonly OPEN = 1;

	static readonly CLOSING = 2;

	readonly sent: string[] = [];

	readyState = 0;

	send = (text: string) => void this.sent.push(text);

	close = () => this.becomes(StandInSocket.CLOSING);

	/** @param event what it says of that; nothing, when the platform has not got round to it */
	becomes(state: number, event?: string): void {
		this.readyState = state;
		if (event) this.dispatchEvent(new Event(event));
	}
}

const real = Object.getOwnPropertyDescriptor(globalThis, 'WebSocket');
afterEach(() => {
	if (real) Object.defineProperty(globalThis, 'WebSocket', real);
});

/** An open connection over a stand-in. */
async function open(signal?: AbortSignal) {
	const socket = new StandInSocket();
	// A constructor that returns an object yields that object.
	const value = Object.assign(function () {
		return socket;
	}, StandInSocket);
	Object.defineProperty(globalThis, 'WebSocket', { value, configurable: true, writable: true });
	const opened = SqlSocket.open('wss://s/1', {}, signal, (received) => received);
	socket.becomes(StandInSocket.OPEN, 'open');
	return { socket, connection: (await opened) as SqlSocket };
}

const request: SqlRequest = { kind: 'cancel', execution_id: 'e-1' };

it.each(['error', undefined])(
	'a connection that has ended takes no request, and says so (event: %s)',
	async (event) => {
		const { socket, connection } = await open();
		socket.becomes(StandInSocket.CLOSING, event);
		expect(connection.send(request)).toBe(false);
		expect(socket.sent).toEqual([]);
	},
);

it('an execution that is cancelled while it waits gets nothing more, whatever has arrived', async () => {
	const controller = new AbortController();
	const { socket, connection } = await open(controller.signal);
	const next = connection.receive(10_000);
	controller.abort();
	await expect(next).rejects.toBeInstanceOf(CancelledError);
	socket.dispatchEvent(Object.assign(new Event('message'), { data: '{"a": 1}' }));
	await expect(connection.receive(10_000)).rejects.toBeInstanceOf(CancelledError);
});
