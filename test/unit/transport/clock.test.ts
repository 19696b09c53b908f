import { getEventListeners } from 'node:events';

import { CancelledError, clock, waitUnlessAborted } from '../../../nodes/Wherobots/transport/clock';
import { runLocked } from '../../../nodes/Wherobots/transport/concurrency';

const turn = async () => await new Promise((resolve) => setTimeout(resolve, 20));

const unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);

beforeAll(() => void process.on('unhandledRejection', note));

afterEach(async () => {
	await turn();
	expect(unhandled.splice(0)).toEqual([]);
});

afterAll(() => void process.off('unhandledRejection', note));

describe('pause', () => {
	it('ends at once when it is cancelled, always with the same error', async () => {
		const stop = new AbortController();
		const pausing = clock.pause(600_000, stop.signal);
		setTimeout(() => stop.abort(), 10);
		const message = 'The execution was cancelled';
		await expect(pausing).rejects.toMatchObject({ name: 'CancelledError', message });
	});

	it('goes on when its timer was early by the clock', async () => {
		const times = [0, 10, 50];
		const read = jest.spyOn(clock, 'monotonic').mockImplementation(() => times.shift() ?? 50);
		await clock.pause(30);
		expect(read).toHaveBeenCalledTimes(3);
	});
});

describe('waitUnlessAborted', () => {
	it('leaves no failure of the work unhandled', async () => {
		const failing = async () => await turn().then(async () => await Promise.reject(new Error()));
		await expect(waitUnlessAborted(failing(), AbortSignal.abort())).rejects.toThrow(CancelledError);
		const stop = new AbortController();
		const waiting = waitUnlessAborted(failing(), stop.signal);
		stop.abort();
		await expect(waiting).rejects.toThrow(CancelledError);
		await turn();
	});

	it('does not keep listening', async () => {
		const { signal } = new AbortController();
		await waitUnlessAborted(Promise.resolve(), signal);
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});
});

it('a turn lets what is ready come first', async () => {
	const ready = jest.fn();
	setTimeout(ready, 0);
	await clock.turn();
	expect(ready).toHaveBeenCalled();
});

it('who gives up the wait for a lock lets nobody overtake those at work', async () => {
	const client = { baseUrl: 'https://a', signal: undefined };
	let end: () => void = () => undefined;
	const work = new Promise<void>((done) => (end = done));
	const working = runLocked(client, 'x', async () => await work);
	const [second, third] = [jest.fn(turn), jest.fn(turn)];
	const stop = new AbortController();
	const stopped = runLocked({ ...client, signal: stop.signal }, 'x', second);
	const last = runLocked(client, 'x', third);
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
		['x', 'x', 'y'].map(async (name) => await runLocked(client, name, async () => await turn())),
	);
	const turns = set.mock.contexts[set.mock.calls.findIndex(([key]) => key === 'https://a\nx')];
	expect(turns).toMatchObject({ size: 0 });
});
