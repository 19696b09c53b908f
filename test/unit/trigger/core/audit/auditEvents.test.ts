import { eventIdOf, eventTimeOf } from '../../../../../nodes/Wherobots/trigger/core/audit/events';

const byQuery = {
	event_time: '2026-03-01T12:00:40.500000+00:00',
	action_name: 'DESTROY',
	user_id: 'u1',
	user_name: null,
	resource_name: 'one, "two"',
	client_chain: 'client=n8n',
};
const byExport = {
	event_id: '',
	event_time: '2026-03-01T12:00:40.5Z',
	action_name: 'DESTROY',
	user_id: 'u1',
	user_name: '',
	user_agent: '',
	resource_name: 'one, "two"',
};

test("the service's ID is part of the public one", () => {
	expect(eventIdOf({ event_id: 'a/b c', action_name: 'X' })).toBe('audit/a%2Fb%20c');
	expect(eventIdOf({ event_id: 0, action_name: 'X' })).toBe('audit/0');
});

test('an event without an ID gets the same one by query and by export', () => {
	expect(eventIdOf(byQuery)).toMatch(/^audit\/sha256:[0-9a-f]{64}$/);
	expect(eventIdOf(byExport)).toBe(eventIdOf(byQuery));
});

test('each documented field distinguishes events', () => {
	const ids = Object.entries({ action_name: 'STOP', user_id: 'u2', source_ip: '192.0.2.1' }).map(
		([name, value]) => eventIdOf({ ...byQuery, [name]: value }),
	);
	ids.push(
		eventIdOf(byQuery),
		eventIdOf({ ...byQuery, event_time: '2026-03-01T12:00:40.500001Z' }),
	);
	expect(new Set(ids).size).toBe(ids.length);
});

test('times are exact to the microsecond, in any notation and with any offset', () => {
	const micros = Date.parse('2026-03-01T12:00:40Z') * 1000 + 123_456;
	for (const event_time of [
		'2026-03-01T12:00:40.123456Z',
		'2026-03-01T14:00:40.123456+02:00',
		'2026-03-01 12:00:40.123456+00:00',
		'2026-03-01T12:00:40.123456789Z',
	]) {
		expect(eventTimeOf({ event_time })).toBe(micros);
	}
	for (const event_time of ['yesterday', '', null, undefined, {}]) {
		expect(eventTimeOf({ event_time } as never)).toBeUndefined();
	}
});
