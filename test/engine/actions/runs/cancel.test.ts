import { suiteWithSandbox } from '../../harness/suite';
import { ofRun } from '../parameters';

const suite = suiteWithSandbox({ seed: 'empty' });

const cancel = ofRun('cancel');

const going = () => suite.store.createRun({ status: 'RUNNING' }).id;

describe('Job Run: Cancel', () => {
	it('requests the cancellation and returns the run as it is afterwards', async () => {
		const id = going();
		const { json } = await suite.succeeds(cancel(id));
		expect(json).toEqual([expect.objectContaining({ id, status: 'RUNNING' })]);
		const [request] = suite.requests.of('cancelRun');
		expect(request.body).toBeUndefined();
		suite.clock.advance(60_000);
		expect((await suite.run({ ...cancel(id), operation: 'get' })).json[0].status).toBe('CANCELLED');
	});

	it.each(['run', 'null', 'empty'] as const)('accepts the response "%s"', async (cancelBody) => {
		suite.variants.cancelBody = cancelBody;
		const { json } = await suite.run(cancel(going(), { waitUntilCancelled: true }));
		expect(json[0].status).toBe('CANCELLED');
	});

	it('says that the cancellation was accepted when the run cannot be read afterwards', async () => {
		suite.fails('getRun', 503);
		const { error } = await suite.run(cancel(going()));
		expect(error?.description).toContain('The service accepted the cancellation.');
		expect(suite.requests.of('cancelRun')).toHaveLength(1);
	});

	it('waits until the run is really cancelled, about a minute later', async () => {
		expect(
			(await suite.run(cancel(going(), { waitUntilCancelled: true, simplify: false }))).json[0],
		).toMatchObject({ status: 'CANCELLED', payload: {} });
		const waited = suite.time.pauses.reduce((sum, ms) => sum + ms, 0);
		expect(waited).toBeGreaterThanOrEqual(60_000);
		expect(waited).toBeLessThan(75_000);
	});

	it('cancels many runs one after the other, and waits for them side by side', async () => {
		const ids = [1, 2, 3, 4].map(going);
		const { items } = await suite.run(cancel('={{ $json.id }}', { waitUntilCancelled: true }), {
			input: ids.map((id) => ({ id })),
		});
		expect(items.map(({ json, pairedItem }) => [json.id, json.status, pairedItem])).toEqual(
			ids.map((id, item) => [id, 'CANCELLED', { item }]),
		);
		const requested = suite.requests.of('cancelRun').map(({ at }) => at);
		expect(Math.max(...requested) - Math.min(...requested)).toBeLessThan(60_000);
	});

	it('of a run that has ended says how to see how it ended', async () => {
		const { id } = suite.store.createRun({ status: 'COMPLETED' });
		expect((await suite.run(cancel(id))).error?.description).toContain(
			'A run that has ended cannot be cancelled. Get the run to see how it ended.',
		);
	});

	it('returns a run that ended by itself meanwhile with its own status', async () => {
		const { id } = suite.store.createRun({ plan: { pendingMs: 0, runningMs: 20_000 } });
		const { json } = await suite.run(cancel(id, { waitUntilCancelled: true }));
		expect(json[0].status).toBe('COMPLETED');
	});

	it('is repeated when the response was lost, and then takes "has already ended" for success', async () => {
		suite.timings.cancelMs = 0;
		suite.fails('cancelRun', { kind: 'reset', when: 'after' }, { times: 1 });
		expect((await suite.succeeds(cancel(going()))).json[0].status).toBe('CANCELLED');
		expect(suite.requests.of('cancelRun')).toHaveLength(2);
	});

	it('stops waiting after the chosen time', async () => {
		suite.timings.cancelMs = 3_600_000;
		const { error } = await suite.run(
			cancel(going(), { waitUntilCancelled: true, maxWaitMinutes: 3 }),
		);
		expect(error?.message).toBe('The job run did not end within 3 minutes');
	});
});
