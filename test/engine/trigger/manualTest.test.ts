import type { INodeParameters } from 'n8n-workflow';

import { at } from '../actions/parameters';
import { ActiveTrigger, suiteWithTrigger } from '../harness/polling';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const { suite, pass } = suiteWithTrigger({});

/** What a person who fetches a test event sees. */
const fetched = async (parameters: INodeParameters) =>
	await new ActiveTrigger(suite.sandbox, parameters).test();

const ago = (ms: number) => new Date(suite.clock.now() - ms).toISOString();

describe('a manual test', () => {
	const settings = { event: 'runStatusChanged', statuses: ['FAILED'], options: { logLines: 2 } };

	it.each([
		[30 * MINUTE, 1],
		[2 * HOUR, 2],
		[2 * DAY, 3],
		[50 * DAY, 4],
	])('looks back until there is a record to show (%i ms, %i requests)', async (age, requests) => {
		const { id } = suite.store.createRun({ status: 'FAILED', createTime: ago(age) });
		suite.store.createRun({ status: 'COMPLETED' });
		expect(await fetched(settings)).toMatchObject([{ id }]);
		expect(suite.requests.of('listRuns')).toHaveLength(requests);
	});

	it('shows the newest five, even from several pages, and reads no other logs', async () => {
		const ids = Array.from({ length: 250 }, () => {
			pass(1_000);
			return suite.store.createRun({ status: 'FAILED' }).id;
		});
		expect((await fetched(settings)).map(({ id }) => id)).toEqual(ids.slice(-5));
		const logs = suite.requests.of('getRunLogs');
		expect(new Set(logs.map(({ path }) => path)).size).toBe(5);
	});

	it('says so when there is nothing to show', async () => {
		const { catalogs } = suite.store;
		catalogs.addTable(catalogs.create({ id: 'cat', name: 'c' }), 'noaa', { name: 'hail' });
		const table = { ...at('cat', 'noaa', 'hail'), event: 'tableChanged' };
		suite.store.createRun({ status: 'RUNNING' });
		for (const [record, parameters] of [
			['job run', settings],
			['job run', { event: 'runExceededCost', costLimit: '25' }],
			['task run', { event: 'taskRunStateChanged' }],
			['table change', table],
		] as const) {
			await expect(fetched(parameters)).rejects.toMatchObject({
				message: `There is no ${record} to test with yet`,
				description: expect.stringMatching(`^No ${record} .* matches the settings.* Widen`),
			});
		}
	});

	it('shows runs that are taking or took too long', async () => {
		const parameters = { event: 'runExceededDuration', pendingMinutes: 5, runningMinutes: 10 };
		const stuck = suite.store.createRun({ status: 'PENDING' });
		const slow = suite.store.createRun({ plan: { pendingMs: MINUTE, runningMs: 15 * MINUTE } });
		pass(20 * MINUTE);
		suite.store.createRun({ status: 'PENDING' });
		expect((await fetched(parameters)).map(({ eventId }) => eventId)).toEqual([
			`run/${stuck.id}/exceeded/PENDING`,
			`run/${slow.id}/exceeded/RUNNING`,
		]);
	});

	it.each(['available', 'missing'] as const)(
		'shows the newest events of the chosen actions (query: %s)',
		async (auditQuery) => {
			suite.variants.auditQuery = auditQuery;
			const ids = Array.from({ length: 7 }, () => {
				pass(1_000);
				suite.store.recordEvent({ action_name: 'CREATE' });
				return suite.store.recordEvent({ action_name: 'STOP' }).event_id;
			}).slice(-5);
			const parameters = { event: 'auditEvent', options: { actionNames: 'STOP' } };
			const items = await fetched(parameters);
			expect(items.map(({ event_id }) => event_id)).toEqual(ids);
			expect(await fetched({ ...parameters, output: 'perPoll' })).toEqual([
				{ count: 5, events: items },
			]);
		},
	);

	it('names the actions that it has seen when none of them was chosen', async () => {
		suite.store.recordEvent({ action_name: 'CREATE_API_KEY' });
		suite.store.recordEvent({ action_name: '' });
		const options = { actionNames: ['CREATE_JOB'] };
		await expect(fetched({ event: 'auditEvent', options })).rejects.toMatchObject({
			message: 'There is no audit event to test with yet',
			description: expect.stringMatching(/Found instead: \w+(, \w+)*\. Widen/),
		});
	});

	it.each([
		['runStatusChanged', { statuses: '={{ "FAILD" }}' }],
		['taskRunStateChanged', { states: '={{ "FAILD" }}' }],
	])(
		'names the statuses that it has seen when none of them was chosen: %s',
		async (event, more) => {
			for (const status of ['FAILED', 'COMPLETED']) {
				suite.store.createRun({ status });
				suite.store.tasks.createRun({ state: status });
			}
			await expect(fetched({ event, ...more })).rejects.toMatchObject({
				description: expect.stringContaining('Found instead: COMPLETED, FAILED. Widen'),
			});
		},
	);

	it('shows an event of the current second', async () => {
		pass(500);
		const { event_id } = suite.store.recordEvent({ action_name: 'STOP' });
		expect(await fetched({ event: 'auditEvent' })).toMatchObject([{ event_id }]);
	});
});
