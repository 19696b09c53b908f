import type { Client } from '../../../../nodes/Wherobots/transport/client';
import { CancelledError } from '../../../../nodes/Wherobots/transport/clock';
import { Batches } from '../../../../nodes/Wherobots/useCases/runs/watch';
import { suiteInVirtualTime } from '../../../support/virtualTime';

const time = suiteInVirtualTime();

const WORK_MS = 100;

/** Work that takes a while, with what it was done for. */
function makeBatches() {
	const done: string[][] = [];
	const batches = new Batches<string, string>(async (client, asked) => {
		done.push(asked);
		await time.pause(WORK_MS, client.signal);
		return asked.map((each) => `${each}!`);
	});
	return { batches, done };
}

const clientOf = (account: string, signal?: AbortSignal): Client => {
	const client = {
		...{ account, signal },
		evenWhenCancelled: () => clientOf(account),
		forItem: (ending: AbortSignal) => clientOf(account, ending),
	};
	return client as unknown as Client;
};

describe('what several ask for at about the same time', () => {
	it('is done once for each account', async () => {
		const { batches, done } = makeBatches();
		const asked = ['a', 'b'].map(async (each) => await batches.ask(clientOf('me'), each));
		const others = batches.ask(clientOf('you'), 'c');
		expect(await time.during(Promise.all([...asked, others]))).toEqual(['a!', 'b!', 'c!']);
		expect(done).toEqual([['a', 'b'], ['c']]);
	});

	it('is done for the others when one is stopped', async () => {
		const { batches } = makeBatches();
		const stop = new AbortController();
		const stopped = expect(batches.ask(clientOf('me', stop.signal), 'a')).rejects.toThrow(
			CancelledError,
		);
		const other = batches.ask(clientOf('me'), 'b');
		const stopping = time.pause(WORK_MS).then(() => stop.abort());
		const [result] = await time.during(Promise.all([other, stopped, stopping]));
		expect(result).toBe('b!');
	});

	it('is not done when all are stopped, except for those who ask after that', async () => {
		const { batches, done } = makeBatches();
		const stop = new AbortController();
		const stopped = expect(batches.ask(clientOf('me', stop.signal), 'a')).rejects.toThrow(
			CancelledError,
		);
		await time.during(Promise.all([stopped, time.pause(20).then(() => stop.abort())]));
		expect(await time.during(batches.ask(clientOf('me'), 'b'))).toBe('b!');
		await time.during(time.pause(10 * WORK_MS));
		expect(done).toEqual([['b']]);
	});
});
