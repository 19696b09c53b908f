import type { IDataObject, INode, IPollFunctions, NodeOperationError } from 'n8n-workflow';

import { sample } from '../../../nodes/Wherobots/trigger/sample';
import type {
	AuditSettings,
	DurationSettings,
	RunSettings,
	Settings,
} from '../../../nodes/Wherobots/trigger/settings';
import { clientWith } from '../../support/clientWith';
import { ago, exported, HOUR, MINUTE, page, suiteAtOneTime } from './oneTime';

const DAY = 24 * HOUR;

suiteAtOneTime();

/** What a person sees who fetches a test event, and what the service was asked for. */
async function fetched(settings: Settings, ...replies: object[]) {
	const { client, sent } = await clientWith({ replies });
	const context = { getNode: () => ({}) as INode } as IPollFunctions;
	const shown = await sample(context, client, settings, { spent: () => false }).then(
		(given) => ({ items: given.map(({ json }) => json) }),
		({ message, description }: NodeOperationError) => ({ items: [], message, description }),
	);
	return { message: '', description: '', ...shown, asked: sent.map(({ qs }) => qs as IDataObject) };
}

describe('a test of runs that take too long', () => {
	const settings: DurationSettings = {
		event: 'runExceededDuration',
		filter: { region: 'aws-us-west-2', name: 'nightly' },
		limits: { PENDING: 5 * MINUTE * 1000, RUNNING: 10 * MINUTE * 1000 },
		simplify: true,
	};
	const pending = (id: string, minutes: number) => ({
		id,
		name: `run ${id}`,
		status: 'PENDING',
		createTime: ago(minutes * MINUTE),
	});
	const running = (id: string, minutes: number) => ({
		...pending(id, minutes + 60),
		status: 'RUNNING',
		startTime: ago(minutes * MINUTE),
	});

	it('shows what the published workflow would start with', async () => {
		const { items, asked } = await fetched(settings, page([running('a', 12), pending('b', 4)]));
		expect(items).toEqual([
			{
				id: 'a',
				name: 'run a',
				status: 'RUNNING',
				runtime: null,
				region: null,
				createTime: ago(72 * MINUTE),
				startTime: ago(12 * MINUTE),
				completeTime: null,
				durationSeconds: 720,
				message: '',
				exceededStatus: 'RUNNING',
				since: ago(12 * MINUTE),
				minutes: 12,
				limitMinutes: 10,
				eventId: 'run/a/exceeded/RUNNING',
			},
		]);
		expect(asked).toMatchObject([{ ...settings.filter, status: ['PENDING', 'RUNNING'] }]);
	});

	it('shows one that is on a later page', async () => {
		const young = Array.from({ length: 100 }, (_, at) => pending(`${at}`, 1));
		const first = { ...page(), body: JSON.stringify({ items: young, next_page: 'next' }) };
		const { items } = await fetched(settings, first, page([pending('old', 300)]));
		expect(items).toMatchObject([{ id: 'old', minutes: 300 }]);
	});

	it('fails where a page names one that was read before', async () => {
		const loop = {
			...page(),
			body: JSON.stringify({ items: [pending('a', 1)], next_page: 'next' }),
		};
		const { message } = await fetched(settings, loop, loop, loop, loop);
		expect(message).toBe('The list could not be read to the end');
	});

	it('shows the five that have taken longest, and none that could not be asked for', async () => {
		const runs = [12, 16, 11, 15, 14, 13, 9].map((minutes) => running(`${minutes}`, minutes));
		const { items } = await fetched(settings, page([running('..', 99), ...runs]));
		expect(items.map(({ id }) => id)).toEqual(['16', '15', '14', '13', '12']);
	});

	it('says so when no run takes too long', async () => {
		const { message } = await fetched(settings, page([running('a', 10), pending('b', 5)]));
		expect(message).toBe('There is no job run to test with yet');
	});
});

describe('a test of changed statuses', () => {
	const settings: RunSettings = {
		event: 'runStatusChanged',
		filter: {},
		statuses: ['FAILED'],
		simplify: true,
		logLines: 0,
		includeCost: false,
	};
	const run = (id: string, status: string, days: number) => ({
		id,
		status,
		createTime: ago(days * DAY),
	});
	const ranges = [ago(HOUR), ago(DAY), ago(30 * DAY), '1970-01-01T00:00:00Z'];

	it.each([0, 1, 2, 3])(
		'looks back until there is a run to show (%s empty ranges)',
		async (empty) => {
			const none = Array.from({ length: empty }, () => page([run('other', 'COMPLETED', 0)]));
			const newest = [...none, page([run('a', 'FAILED', 2), run('b', 'FAILED', 1)])];
			const { items, asked } = await fetched(settings, ...newest);
			expect(items.map(({ id }) => id)).toEqual(['a', 'b']);
			expect(asked.map(({ created_after }) => created_after)).toEqual(ranges.slice(0, empty + 1));
		},
	);

	it('shows the newest five, in the order of their times', async () => {
		const timeless = { ...run('timeless', 'FAILED', 0), createTime: 'soon' };
		const nameless = { ...run('', 'FAILED', 0), id: null };
		const runs = [3, 1, 6, 2, 5, 4].map((days) => run(`${days}`, 'FAILED', days));
		const { items } = await fetched(settings, page([nameless, timeless, ...runs]));
		expect(items.map(({ id }) => id)).toEqual(['5', '4', '3', '2', '1']);
	});

	it('says so when there has never been one', async () => {
		const { message, description, asked } = await fetched(settings, page());
		expect(message).toBe('There is no job run to test with yet');
		expect(description).toMatch(/^No job run matches the settings.* Widen its filters/);
		expect(asked).toHaveLength(ranges.length);
	});
});

describe('a test of audit events', () => {
	const settings: AuditSettings = {
		event: 'auditEvent',
		actionNames: ['STOP'],
		overlapSeconds: 300,
		settleSeconds: 0,
		output: 'perEvent',
	};
	const event = (event_id: string, minutes: number, action_name = 'STOP') => ({
		event_id,
		event_time: ago(minutes * MINUTE),
		action_name,
	});
	const ranges = [ago(HOUR), ago(DAY), ago(30 * DAY), ago(89 * DAY)];

	it('shows the newest five of the chosen actions, in the order of their times', async () => {
		const timeless = { ...event('timeless', 0), event_time: 'soon' };
		const events = [3, 1, 6, 2, 5, 4].map((minutes) => event(`${minutes}`, minutes));
		const all = [timeless, event('other', 0, 'CREATE'), ...events];
		const { items } = await fetched(settings, page(all));
		expect(items.map(({ eventId }) => eventId)).toEqual(
			[5, 4, 3, 2, 1].map((minutes) => `audit/${minutes}`),
		);
		const [batch, ...more] = (await fetched({ ...settings, output: 'perPoll' }, page(all))).items;
		expect(more).toEqual([]);
		expect(batch).toEqual({ count: 5, events: items });
	});

	it.each([0, 1, 2, 3])(
		'looks back until there is an event to show, as far as the log is sure to reach (%s empty ranges)',
		async (empty) => {
			const none = Array.from({ length: empty }, () => page([event('other', 0, 'CREATE')]));
			const { items, asked } = await fetched(settings, ...none, page([event('a', 1)]));
			expect(items).toMatchObject([{ eventId: 'audit/a' }]);
			expect(asked.map(({ startTime }) => startTime)).toEqual(ranges.slice(0, empty + 1));
		},
	);

	it('shows those of the chosen actions where only the export has them', async () => {
		const created = Array.from({ length: 6 }, (_, at) => event(`${at}`, at, 'CREATE'));
		const log = exported([...created, event('a', 10)]);
		const { items } = await fetched(settings, { statusCode: 404 }, log);
		expect(items).toMatchObject([{ eventId: 'audit/a' }]);
	});

	it('says so when there has not been one', async () => {
		const { message, asked } = await fetched(settings, page());
		expect(message).toBe('There is no audit event to test with yet');
		expect(asked).toHaveLength(ranges.length);
	});
});
