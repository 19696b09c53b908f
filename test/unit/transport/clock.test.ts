import { getEventListeners } from 'node:events';

import {
	CancelledError,
	clock,
	untilAborted,
	withLock,
} from '../../../nodes/Wherobots/transport/clock';

const turn = async () => await new Promise((resolve) => setTimeout(resolve, 20));

const unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);

beforeAll(() => {
	process.on('unhandledRejection', note);
});

beforeEach(() => {
	unhandled.length = 0;
});

afterEach(async () => {
	await turn();
	expect(unhandled).toEqual([]);
});

afterAll(() => {
	process.off('unhandledRejection', note);
});

describe('pause', () => {
	afterEach(() => void jest.useRealTimers());

	it('ends at once when it is cancelled, always with the same error', async () => {
		const stop = new AbortController();
		const pausing = clock.pause(60_000, stop.signal);
		const startedAt = performance.now();
		setTimeout(() => stop.abort(), 10);
		await expect(pausing).rejects.toThrow(CancelledError);
		await expect(pausing).rejects.toMatchObject({
			name: 'CancelledError',
			message: 'The execution was cancelled',
		});
		expect(performance.now() - startedAt).toBeLessThan(1_000);
	});

	it('sleeps for five seconds at most, again and again until its time has come', async () => {
		jest.useFakeTimers({ now: 0 });
		const ended = jest.fn();
		void clock.pause(12_000).then(ended);
		const awakeAt: number[] = [];
		for (let sleeps = 0; sleeps < 3; sleeps++) {
			expect(ended).not.toHaveBeenCalled();
			await jest.advanceTimersToNextTimerAsync();
			awakeAt.push(performance.now());
		}
		expect(awakeAt).toEqual([5_000, 10_000, 12_000]);
		expect(ended).toHaveBeenCalledTimes(1);
	});

	it('goes on when its timer was early by the clock', async () => {
		const times = [0, 10, 50];
		const read = jest.spyOn(clock, 'monotonic').mockImplementation(() => times.shift() ?? 50);
		await clock.pause(30);
		expect(read).toHaveBeenCalledTimes(3);
	});
});

describe('untilAborted', () => {
	it('leaves no failure of the work unhandled', async () => {
		const failing = turn().then(() => {
			throw new Error('late');
		});
		await expect(untilAborted(failing, AbortSignal.abort())).rejects.toThrow(CancelledError);

		const stop = new AbortController();
		const later = turn().then(() => {
			throw new Error('later');
		});
		const waiting = untilAborted(later, stop.signal);
		stop.abort();
		await expect(waiting).rejects.toThrow(CancelledError);
		await turn();
	});

	it('does not keep listening', async () => {
		const { signal } = new AbortController();
		const added = jest.spyOn(signal, 'addEventListener');
		const removed = jest.spyOn(signal, 'removeEventListener');
		for (let i = 0; i < 50; i++) await untilAborted(Promise.resolve(i), signal);
		expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});
});

it('a turn lets what is ready come first', async () => {
	let isHandled = false;
	setTimeout(() => (isHandled = true), 0);
	await clock.turn();
	expect(isHandled).toBe(true);
});

it('who gives up the wait for a lock lets nobody overtake those at work', async () => {
	const client = { baseUrl: 'https://a', signal: undefined };
	let end: () => void = () => undefined;
	const working = withLock(
		client,
		'x',
		async () => await new Promise<void>((done) => (end = done)),
	);
	const [second, third] = [jest.fn(turn), jest.fn(turn)];
	const stop = new AbortController();
	const stopped = withLock({ ...client, signal: stop.signal }, 'x', second);
	const last = withLock(client, 'x', third);
	stop.abort();
	await expect(stopped).rejects.toBeInstanceOf(CancelledError);
	await turn();
	expect(third).not.toHaveBeenCalled();
	end();
	await Promise.all([working, last]);
	expect([second, third].map(({ mock }) => mock.calls.length)).toEqual([0, 1]);
});

it('nothing is remembered of a lock when all are done', async () => {
	const client = { baseUrl: 'https://a', signal: undefined };
	const set = jest.spyOn(Map.prototype, 'set');
	await Promise.all(
		['x', 'x', 'y'].map(async (name) => await withLock(client, name, async () => await turn())),
	);
	const turns = set.mock.contexts[set.mock.calls.findIndex(([key]) => key === 'https://a\nx')];
	expect(turns).toMatchObject({ size: 0 });
});
