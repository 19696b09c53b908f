/** Lets long waits for a response be short, without making the limits short that they are held to. */
import { ClientRequest } from 'node:http';

/** Timers of this length or more are long, in milliseconds. */
const LONG_MS = 1_000;

/** So many milliseconds of a long timer pass in one turn. */
const MS_PER_TURN = 200;

/** What a response on loopback needs on a machine that is busy, in turns: a timer may have a second left. */
const LEAST_TURNS = 50;

interface LongTimer {
	/** The turn in which it is over. */
	due: number;
	fire(): void;
	unref(): LongTimer;
}

/**
 * Replaces long timers by ones that count turns of the process instead of milliseconds: in each turn
 * it handles whatever has arrived. On loopback a response that comes at all comes within a few of
 * them, however busy the machine is, so that no timer runs out before a response that is on its way.
 * Until the next test: jest restores what is mocked.
 */
export function countTurns(): void {
	const { setTimeout: later, clearTimeout: clear } = globalThis;
	const timers = new Set<LongTimer>();
	let turn = 0;
	let isTurning = false;

	const next = () => {
		isTurning = false;
		turn++;
		for (const timer of timers) {
			if (timer.due > turn) continue;
			timers.delete(timer);
			timer.fire();
		}
		goOn();
	};
	const goOn = () => {
		if (isTurning || timers.size === 0) return;
		isTurning = true;
		later(next, 2);
	};
	const start = (ms: number, fire: () => void): LongTimer => {
		const turns = Math.max(LEAST_TURNS, Math.ceil(ms / MS_PER_TURN));
		const timer = { due: turn + turns, fire, unref: () => timer };
		timers.add(timer);
		goOn();
		return timer;
	};

	// The limits of the package.
	const limitOf = AbortSignal.timeout.bind(AbortSignal);
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		if (ms < LONG_MS) return limitOf(ms);
		const controller = new AbortController();
		start(ms, () => controller.abort(new DOMException('Too late', 'TimeoutError')));
		return controller.signal;
	});
	// The limit of n8n's HTTP client until there is a response: once with a timer, once with the socket's.
	jest
		.spyOn(globalThis, 'setTimeout')
		.mockImplementation(((work: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) =>
			ms < LONG_MS
				? later(work, ms, ...values)
				: start(ms, () => work(...values))) as typeof setTimeout);
	jest.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
		if (!timers.delete(timer as unknown as LongTimer)) clear(timer);
	});
	const ofSocket = Object.getOwnPropertyDescriptor(ClientRequest.prototype, 'setTimeout')
		?.value as ClientRequest['setTimeout'];
	jest.spyOn(ClientRequest.prototype, 'setTimeout').mockImplementation(function (
		this: ClientRequest,
		ms,
		onTimeout,
	) {
		return ms < LONG_MS ? ofSocket.call(this, ms, onTimeout) : this;
	});
}
