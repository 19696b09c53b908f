/** See also test/unit/trigger/manyTriggers.test.ts. */
import { CancelledError } from '../../../nodes/Wherobots/transport/clock';
import { forgetReadings, SharedReadings } from '../../../nodes/Wherobots/transport/sharing';
import { clientWith } from '../../support/clientWith';
import { suiteInVirtualTime } from '../../support/virtualTime';

const time = suiteInVirtualTime();
const SECOND = 1_000;

beforeEach(() => forgetReadings());

it('only the youngest sixteen million characters are kept', async () => {
	const made: string[] = [];
	const read = async (key: string, length: number) => {
		const make = async (onSend: () => void) => {
			await Promise.resolve();
			onSend();
			made.push(key);
			return { text: 'x'.repeat(length) };
		};
		await new SharedReadings(0).read(key, key, make, async (shared) => await shared);
	};
	for (const key of ['small', 'small']) await read(key, 1);
	for (const key of ['large', 'larger', 'last', 'small']) await read(key, 8_500_000);
	expect(made).toEqual(['small', 'large', 'larger', 'last', 'small']);
});

describe('a poll that waits for what another one has asked for', () => {
	const callTogether = async (other: Parameters<typeof clientWith>[0]) => {
		const answer = async () => await time.pause(60 * SECOND).then(() => ({ body: '{}' }));
		const clients = [await clientWith({ answer }), await clientWith({ answer, ...other })];
		const began = time.now;
		const calls = clients.map(async ({ client }) => {
			const call = client.sharing(new SharedReadings(0)).call('getOrganization');
			return await call.then(
				() => ({ after: time.now - began, error: undefined }),
				(error: unknown) => ({ after: time.now - began, error }),
			);
		});
		const [first, second] = await time.during(Promise.all(calls));
		expect(first).toEqual({ after: 60 * SECOND, error: undefined });
		expect(clients[1].sent).toEqual([]);
		return second;
	};

	it('waits no longer than it has time', async () => {
		const { after, error } = await callTogether({ deadline: time.now + 10 * SECOND });
		expect(after).toBe(10 * SECOND);
		expect(error).toMatchObject({ message: expect.stringContaining('no time left') });
	});

	it('stops when it is cancelled', async () => {
		const stop = new AbortController();
		void time.pause(5 * SECOND).then(() => stop.abort());
		const { after, error } = await callTogether({ signal: stop.signal });
		expect(after).toBe(5 * SECOND);
		expect(error).toBeInstanceOf(CancelledError);
	});
});
