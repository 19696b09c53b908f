import type { Client } from '../../../nodes/Wherobots/transport/client';
import { withClient } from '../../engine/harness/probe';
import { credentialsFor } from '../../engine/harness';
import { ManualClock, startSandbox, type Sandbox } from '../../sandbox';

let sandbox: Sandbox;

/** The service's clock is far from this machine's. */
const SERVICE_TIME = Date.parse('2031-01-01T00:00:00Z');

beforeAll(async () => {
	sandbox = await startSandbox({ clock: new ManualClock(SERVICE_TIME) });
});

afterAll(async () => {
	await sandbox.stop();
});

describe("the service's time", () => {
	const credentials = () => credentialsFor(sandbox, 'admin');

	it("is n8n's own until a response contains it", async () => {
		const now = await withClient(
			sandbox,
			async (client) => await Promise.resolve(client.serviceNow()),
		);
		expect(Math.abs(now - Date.now())).toBeLessThan(10_000);
	});

	it.each([
		['a response', async (client: Client) => await client.call('listRuns')],
		[
			'a streamed response',
			async (client: Client) => (await client.stream('listRuns')).body.destroy(),
		],
		['a request of one item', async (client: Client) => await client.forItem().call('listRuns')],
	])('is known after %s, for all items', async (_, send) => {
		const [now, forItem] = await withClient(
			sandbox,
			async (client) => {
				await send(client);
				return [client.serviceNow(), client.forItem().serviceNow()];
			},
			{ credentials: credentials() },
		);
		for (const time of [now, forItem]) expect(Math.abs(time - SERVICE_TIME)).toBeLessThan(10_000);
	});
});
