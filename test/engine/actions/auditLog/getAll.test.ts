import { loadOptions } from '../../harness/pickers';
import { suiteWithSandbox } from '../../harness/suite';
import { operationsOf } from '../parameters';

const suite = suiteWithSandbox();

describe('audit log: get many', () => {
	const events = (more?: object) => operationsOf('auditLog')('getAll', more);

	it('asks for a range and a search term', async () => {
		const range = { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' };
		suite.store.recordEvent({ event_time: '2026-11-20T10:00:00Z', action_name: 'own:1' });
		const filters = { ...range, searchTerm: 'own:' };
		const { json } = await suite.run(events({ returnAll: true, filters }));
		expect(json).toMatchObject([{ action_name: 'own:1' }]);
		expect(suite.requests.of('queryAuditLog')[0].query).toEqual({
			startTime: range.from,
			endTime: range.to,
			searchTerm: 'own:',
			size: '100',
		});
	});

	it('reads times in the time zone of the workflow', async () => {
		const filters = { from: '2026-11-20T01:00:00' };
		await suite.run(events({ filters }), { timezone: 'Asia/Tokyo' });
		expect(suite.requests.of('queryAuditLog')[0].query.startTime).toBe('2026-11-19T16:00:00Z');
	});

	it('says so when the range begins before what the service keeps', async () => {
		const old = await suite.run(events({ filters: { from: '2026-08-01' } }));
		expect(old.hints).toEqual([expect.stringContaining('more than 90 days ago')]);
		const oldest = { from: '2026-08-23T12:00:00Z' };
		expect((await suite.run(events({ filters: oldest }))).hints).toEqual([]);
		const recent = await suite.run(events({ filters: { from: '2026-09-01' } }));
		expect(recent.hints).toEqual([]);
	});

	it('refuses an end before the start', async () => {
		const filters = { from: '2026-11-20', to: '2026-11-19' };
		const { error } = await suite.run(events({ filters }));
		expect(error?.message).toContain("'To' must not be before 'From'");
	});

	it.each([['Start_Engine', 'engine.stopped'], '={{ "start_engine, ENGINE.STOPPED" }}'])(
		'returns events of the chosen actions, in any case: %j',
		async (actionNames) => {
			for (let index = 0; index < 150; index++) {
				suite.store.recordEvent({ action_name: 'OTHER' });
			}
			suite.store.recordEvent({ action_name: 'START_ENGINE' });
			suite.store.recordEvent({ action_name: 'engine.stopped' });
			const filters = { actionNames };
			const all = await suite.run(events({ returnAll: true, filters }));
			const actions = all.json.map(({ action_name: action }) => action);
			expect(actions.sort()).toEqual(['START_ENGINE', 'engine.stopped']);
			const one = await suite.run(events({ limit: 1, filters }));
			expect(one.json).toHaveLength(1);
			expect(suite.requests.of('queryAuditLog')[0].query).toEqual({ size: '100' });
		},
	);

	it('lists the actions of recent events to choose from', async () => {
		suite.store.recordEvent({ action_name: 'Z_ENGINE' });
		suite.store.recordEvent({ action_name: 'A_ENGINE' });
		suite.store.recordEvent({ action_name: 'A_ENGINE' });
		const choices = await loadOptions(suite.sandbox, 'getActionNames');
		const names = choices.map(({ name }) => name);
		expect(names.filter((name) => name.endsWith('ENGINE'))).toEqual(['A_ENGINE', 'Z_ENGINE']);
		expect(choices.every(({ name, value }) => name === value)).toBe(true);
	});

	it('accepts a range of one moment', async () => {
		const filters = { from: '2026-11-20T10:00:00Z', to: '2026-11-20T10:00:00Z' };
		suite.store.recordEvent({ event_time: filters.to, action_name: 'just then' });
		const { json } = await suite.succeeds(events({ filters }));
		expect(json).toMatchObject([{ action_name: 'just then' }]);
	});

	it('does not point to the export when the query itself is refused', async () => {
		suite.fails('queryAuditLog', 403);
		const { error } = await suite.run(events());
		expect(error?.httpCode).toBe('403');
		expect(error?.description).not.toContain('Use Audit Log: Export');
	});

	it('points to the export where the list is not offered', async () => {
		suite.variants.auditQuery = 'missing';
		const { error } = await suite.run(events({}));
		expect(error?.description).toContain('Use Audit Log: Export instead');
	});
});
