import { ActiveTrigger } from '../harness/polling';
import { suiteWithSandbox } from '../harness/suite';

const PARAMETERS = { event: 'auditEvent', searchTerm: '', output: 'perEvent' };
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const suite = suiteWithSandbox({ seed: 'empty' }, '2026-03-01T12:00:00Z');

const pass = (ms = MINUTE) => suite.sandbox.clock.advance(ms);
const ids = (items: object[]) => items.map((item) => (item as { eventId: string }).eventId);

describe.each(['classic', 'durable'] as const)('on the %s engine', (engine) => {
	const start = async (parameters: object = {}) => {
		const trigger = new ActiveTrigger(suite.sandbox, { ...PARAMETERS, ...parameters }, { engine });
		await trigger.activate();
		return trigger;
	};

	test('without a settle delay, an event of the current second comes at once', async () => {
		const trigger = await start({ options: { settleSeconds: 0 } });
		pass(MINUTE + 500);
		const { event_id } = suite.sandbox.store.recordEvent();
		await trigger.poll();
		expect(ids(trigger.take())).toEqual([`audit/${event_id}`]);
	});

	test('the events of a poll can come as one item, for writing in batches', async () => {
		const trigger = await start({ output: 'perPoll' });
		for (let made = 0; made < 3; made++) suite.sandbox.store.recordEvent();
		pass(2 * MINUTE);
		await trigger.poll();
		const [batch, ...more] = trigger.take();
		expect(more).toEqual([]);
		expect(batch.count).toBe(3);
		expect(new Set(ids(batch.events as object[])).size).toBe(3);
	});

	test('search term and action names filter events, and a new term starts afresh', async () => {
		const trigger = await start({
			searchTerm: 'nb-',
			options: { actionNames: ['destroy', 'Stop'] },
		});
		suite.sandbox.store.recordEvent({ resource_name: 'nb-1', action_name: 'DESTROY' });
		suite.sandbox.store.recordEvent({ resource_name: 'nb-1', action_name: 'CREATE' });
		suite.sandbox.store.recordEvent({ resource_name: 'job-1', action_name: 'STOP' });
		pass(2 * MINUTE);
		await trigger.poll();
		expect(trigger.take()).toMatchObject([{ action_name: 'DESTROY', resource_name: 'nb-1' }]);

		trigger.parameters = { ...trigger.parameters, searchTerm: 'job-' };
		await trigger.restart();
		await trigger.poll();
		expect(trigger.take()).toEqual([]);
	});

	test('when there is no query, the export takes its place, with the same IDs', async () => {
		const byQuery = await start();
		suite.sandbox.variants.auditQuery = 'missing';
		suite.sandbox.variants.exportPath = 'plural';
		suite.sandbox.variants.exportQuotedNewlines = true;
		const byExport = await start();
		const at = '2026-03-01T12:00:40.500000Z';
		suite.sandbox.store.recordEvent({ event_time: at, event_id: '', resource_name: 'one, "two"' });
		suite.sandbox.store.recordEvent({ event_id: 'given', user_agent: null });
		pass(2 * MINUTE);
		suite.sandbox.requests.clear();
		await byExport.poll();
		// The way that worked the first time is remembered.
		expect(suite.sandbox.requests.of('queryAuditLog')).toEqual([]);
		expect(suite.sandbox.requests.of('exportAuditLog').length).toBeGreaterThan(0);

		suite.sandbox.variants.auditQuery = 'available';
		const exported = byExport.take();
		expect(exported).toHaveLength(2);
		expect(exported[0]).toMatchObject({ action_name: 'CREATE_JOB_RUN', compute_region: null });
		await byQuery.poll();
		expect(ids(byQuery.take())[0]).toBe('audit/given');
		expect(ids(exported)[0]).toBe('audit/given');
		await byExport.poll();
		expect(byExport.take()).toEqual([]);
	});

	test('after a long pause, the trigger continues from the end of the retention period', async () => {
		const trigger = await start();
		suite.sandbox.store.recordEvent({ event_id: 'lost' });
		pass(100 * DAY);
		const kept = Array.from({ length: 130 }, (_, day) =>
			suite.sandbox.store.recordEvent({
				event_id: `kept-${day}`,
				event_time: suite.sandbox.clock.now() - 89 * DAY + day * 0.6 * DAY,
			}),
		);
		await trigger.poll();
		for (let polls = 0; polls < 3; polls++) await trigger.poll();
		expect(trigger.errors).toEqual([]);
		expect(ids(trigger.take())).toEqual(kept.map((event) => `audit/${event.event_id}`));
	});
});
