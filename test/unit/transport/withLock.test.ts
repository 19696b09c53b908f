import { CancelledError, withLock } from '../../../nodes/Wherobots/transport/clock';

const turn = async () => await new Promise((resolve) => setImmediate(resolve));
const client = { baseUrl: 'https://a', signal: undefined };

/** Work that ends when it is told to. */
function work() {
	let end: (outcome?: Error) => void = () => undefined;
	let started = false;
	const ended = new Promise<void>((resolve, reject) => {
		end = (error) => (error ? reject(error) : resolve());
	});
	return {
		end: (error?: Error) => end(error),
		isStarted: () => started,
		run: async () => {
			started = true;
			await ended;
			return 'done';
		},
	};
}

it('nothing is remembered when all are done', async () => {
	const set = jest.spyOn(Map.prototype, 'set');
	await Promise.all(
		['x', 'x', 'y'].map(async (name) => await withLock(client, name, async () => await turn())),
	);
	const turns = set.mock.contexts[set.mock.calls.findIndex(([key]) => key === 'https://a\nx')];
	expect(turns).toMatchObject({ size: 0 });
});

it('who gives up the wait lets nobody overtake those at work', async () => {
	const [first, second, third] = [work(), work(), work()];
	const stop = new AbortController();
	const working = withLock(client, 'x', first.run);
	const stopped = withLock({ ...client, signal: stop.signal }, 'x', second.run);
	const last = withLock(client, 'x', third.run);
	stop.abort();
	await expect(stopped).rejects.toBeInstanceOf(CancelledError);
	await turn();
	expect([second.isStarted(), third.isStarted()]).toEqual([false, false]);
	first.end();
	third.end();
	expect(await Promise.all([working, last])).toEqual(['done', 'done']);
	expect(second.isStarted()).toBe(false);
});
