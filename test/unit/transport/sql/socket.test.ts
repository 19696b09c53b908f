import type { SqlRequest } from '../../../../nodes/Wherobots/service/sql/messages';
import { CancelledError } from '../../../../nodes/Wherobots/transport/clock';
import { SqlSocket } from '../../../../nodes/Wherobots/transport/sql/socket';

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

	ends(code: number, reason: string): void {
		this.readyState = StandInSocket.CLOSING;
		this.dispatchEvent(Object.assign(new Event('close'), { code, reason }));
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

describe.each([
	['in an execution that can be cancelled', new AbortController().signal],
	['in one that cannot', undefined],
])('a connection %s', (_, signal) => {
	it('is established once the socket is open', async () => {
		const { socket, opened } = open(signal);
		socket.opens();
		const connection = await opened;
		expect(connection?.send(request)).toBe(true);
		expect(socket.sent).toEqual([JSON.stringify(request)]);
	});

	it('yields what arrives, one after the other, and then how it ended', async () => {
		const { socket, opened } = open(signal);
		socket.opens();
		const connection = await opened;
		const first = connection?.receive(10_000);
		socket.says('{"a": 1}');
		socket.says('no message');
		expect(await first).toEqual({ kind: 'message', message: { a: 1 } });
		expect(await connection?.receive(10_000)).toMatchObject({ kind: 'unreadable' });
		expect(await connection?.receive(1)).toEqual({ kind: 'silence' });
		const last = connection?.receive(10_000);
		socket.ends(1011, 'restart');
		socket.says('{"a": 2}');
		socket.fails();
		const end = { kind: 'lost', problem: 'Close code 1011: restart' };
		expect(await last).toEqual(end);
		expect(await connection?.receive(10_000)).toEqual(end);
	});

	it('is undefined when the socket fails', async () => {
		const { socket, opened } = open(signal);
		socket.fails();
		expect(await opened).toBeUndefined();
	});
});

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

it('an execution that was cancelled before gets no connection', async () => {
	const { socket, opened } = open(AbortSignal.abort());
	await expect(opened).rejects.toBeInstanceOf(CancelledError);
	expect(socket.readyState).toBe(StandInSocket.CLOSING);
});

it('an execution that is cancelled meanwhile gets no connection, and the socket is closed', async () => {
	for (const isOpen of [false, true]) {
		const controller = new AbortController();
		const { socket, opened } = open(controller.signal);
		if (isOpen) socket.opens();
		controller.abort();
		await expect(opened).rejects.toBeInstanceOf(CancelledError);
		expect(socket.readyState).toBe(StandInSocket.CLOSING);
	}
});

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
