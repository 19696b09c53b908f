import { suiteWithTrigger } from '../harness/polling';

const AUDIT = { event: 'auditEvent', searchTerm: '', output: 'perEvent' };

const { suite, active, polls } = suiteWithTrigger(AUDIT);

describe.each(['classic', 'durable'] as const)('on the %s engine', (engine) => {
	test('the events of a poll can come as one item, for writing in batches', async () => {
		const trigger = await active({ output: 'perPoll' }, { engine });
		for (let made = 0; made < 3; made++) suite.store.recordEvent();
		const [batch, ...more] = await polls(trigger, 2);
		expect(more).toEqual([]);
		expect(batch.count).toBe(3);
		const ids = (batch.events as Array<{ eventId: string }>).map(({ eventId }) => eventId);
		expect(new Set(ids).size).toBe(3);
	});

	test('an event begins with who did what, when and to what, and ends with its key', async () => {
		const trigger = await active({}, { engine });
		suite.store.recordEvent();
		const [event] = await polls(trigger, 2);
		const names = Object.keys(event);
		expect(names.slice(0, 4)).toEqual(['user_name', 'action_name', 'event_time', 'resource_name']);
		expect(names.at(-1)).toBe('eventId');
	});

	test('search term and action names filter events, and a new term starts afresh', async () => {
		const options = { actionNames: ['destroy', 'Stop'] };
		const trigger = await active({ searchTerm: 'nb-', options }, { engine });
		suite.store.recordEvent({ resource_name: 'nb-1', action_name: 'DESTROY' });
		suite.store.recordEvent({ resource_name: 'nb-1', action_name: 'CREATE' });
		suite.store.recordEvent({ resource_name: 'job-1', action_name: 'STOP' });
		expect(await polls(trigger, 2)).toMatchObject([
			{ action_name: 'DESTROY', resource_name: 'nb-1' },
		]);

		trigger.parameters = { ...trigger.parameters, searchTerm: 'job-' };
		await trigger.restart();
		expect(await polls(trigger)).toEqual([]);
	});
});
