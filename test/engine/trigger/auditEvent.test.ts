import { ActiveTrigger } from '../harness/polling';
import { suiteWithSandbox } from '../harness/suite';

const PARAMETERS = { event: 'auditEvent', searchTerm: '', output: 'perEvent' };
const MINUTE = 60_000;

const suite = suiteWithSandbox({ seed: 'empty' }, '2026-03-01T12:00:00Z');

const pass = (ms = MINUTE) => suite.clock.advance(ms);
const ids = (items: object[]) => items.map((item) => (item as { eventId: string }).eventId);

describe.each(['classic', 'durable'] as const)('on the %s engine', (engine) => {
	const start = async (parameters: object = {}) => {
		const trigger = new ActiveTrigger(suite.sandbox, { ...PARAMETERS, ...parameters }, { engine });
		await trigger.activate();
		return trigger;
	};

	test('the events of a poll can come as one item, for writing in batches', async () => {
		const trigger = await start({ output: 'perPoll' });
		for (let made = 0; made < 3; made++) suite.store.recordEvent();
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
		suite.store.recordEvent({ resource_name: 'nb-1', action_name: 'DESTROY' });
		suite.store.recordEvent({ resource_name: 'nb-1', action_name: 'CREATE' });
		suite.store.recordEvent({ resource_name: 'job-1', action_name: 'STOP' });
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
		suite.variants.auditQuery = 'missing';
		suite.variants.exportPath = 'plural';
		suite.variants.exportQuotedNewlines = true;
		const byExport = await start();
		const at = '2026-03-01T12:00:40.500000Z';
		suite.store.recordEvent({ event_time: at, event_id: '', resource_name: 'one, "two"' });
		suite.store.recordEvent({ event_id: 'given', user_agent: null });
		pass(2 * MINUTE);
		suite.requests.clear();
		await byExport.poll();
		// The way that worked the first time is remembered.
		expect(suite.requests.of('queryAuditLog')).toEqual([]);
		expect(suite.requests.of('exportAuditLog').length).toBeGreaterThan(0);

		suite.variants.auditQuery = 'available';
		const exported = byExport.take();
		expect(exported).toHaveLength(2);
		expect(exported[0]).toMatchObject({ action_name: 'CREATE_JOB_RUN', compute_region: null });
		await byQuery.poll();
		expect(ids(byQuery.take())[0]).toBe('audit/given');
		expect(ids(exported)[0]).toBe('audit/given');
		await byExport.poll();
		expect(byExport.take()).toEqual([]);
	});
});
