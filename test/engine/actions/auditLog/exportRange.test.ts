import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { clock } from '../../../../nodes/Wherobots/transport/clock';
import { customRange, exportDay, recordAround } from '../../../support/auditExport';
import { type NodeOptions, ok, suiteWithSandbox } from '../../harness/suite';

const NOW = '2026-11-21T12:34:56Z';
const suite = suiteWithSandbox({ seed: 'empty' }, NOW);
const run = async (parameters: IDataObject, options?: NodeOptions) =>
	await suite.run(parameters as INodeParameters, options);

describe('many files', () => {
	it('have the folders of their names', async () => {
		const options = { fileName: 'year={year}/month={month}/day={day}/audit-log' };
		const week = { ...exportDay, timeRange: 'lastDays', days: 7, split: 'day', options };
		const { items } = await run(week);
		expect(items).toHaveLength(7);
		const directory = 'year=2026/month=11/day=20';
		expect(items[6].json.fileName).toBe(`${directory}/audit-log.csv`);
		expect(items[6].binary?.data).toMatchObject({ directory, fileName: 'audit-log.csv' });
	});

	it('may have the same name each day where it names no part of the range', async () => {
		const { json } = await run({ ...exportDay, options: { fileName: 'yesterday' } });
		expect(json.map(({ fileName }) => fileName)).toEqual(['yesterday.csv']);
	});

	it('leave out what is stored already', async () => {
		const { json } = await run({
			...exportDay,
			timeRange: 'lastDays',
			days: 3,
			split: 'day',
			options: {
				fileName: '{year}-{month}-{day}',
				skipExisting: '={{ ["archive/2026-11-19.csv", "2026-11-20.csv"] }}',
			},
		});
		expect(json.map((file) => file.fileName)).toEqual(['2026-11-18.csv']);
		expect(suite.requests.of('exportAuditLog')).toHaveLength(1);
	});
});

describe('items', () => {
	it('are the events, all columns as text', async () => {
		suite.variants.exportAddedColumns = { session: 's' };
		recordAround(suite.sandbox, '2026-11-20T10:00:00Z');
		const { json, hints } = await run({ ...exportDay, output: 'items', returnAll: true });
		expect(json).toHaveLength(3);
		expect(Object.keys(json[0])).toEqual([
			'event_id',
			'event_time',
			'action_name',
			'user_id',
			'user_name',
			'user_agent',
			'source_ip',
			'resource_name',
			'resource_id',
			'compute_region',
			'session',
		]);
		expect(json[0]).toMatchObject({ event_time: '2026-11-20T09:59:59.999999+00:00', user_id: '' });
		expect(hints).toEqual(['3 events from 2026-11-20T00:00:00Z to 2026-11-20T23:59:59.999999Z']);
	});

	it('end at the limit, and say so', async () => {
		suite.store.useGeneratedEvents({
			bytes: 20e6,
			start: '2026-11-20T00:00:00Z',
			end: '2026-11-21T00:00:00Z',
		});
		const { json, hints } = ok(await run({ ...exportDay, output: 'items', limit: 5000 }));
		expect(json).toHaveLength(5000);
		expect(hints[0]).toContain('Only the first 5000 events');
	});
});

describe('paths', () => {
	it('falls back to the path of the guide', async () => {
		suite.variants.exportPath = 'plural';
		await run(exportDay);
		expect(suite.requests.of('exportAuditLog').map(({ path }) => path)).toEqual([
			'/audit-log/export',
			'/audit-logs/export',
		]);
	});

	it.each([
		['the path of the guide, where that is the one that exists', 'plural', 1, 2],
		['the first path, without trying the other', 'singular', 0, 1],
	])('fails with what is said at %s', async (_, exportPath, skip, requests) => {
		Object.assign(suite.variants, { exportPath });
		suite.fails('exportAuditLog', 403, { skip });
		expect((await run(exportDay)).error?.httpCode).toBe('403');
		expect(suite.requests.of('exportAuditLog')).toHaveLength(requests);
	});
});

describe('refusals', () => {
	const week = { timeRange: 'lastDays', days: 7, split: 'day' };
	const named = (fileName: string, more = {}) => ({ ...exportDay, ...more, options: { fileName } });

	it.each([
		[customRange('2026-11-20', '2026-11-20'), "'From' must be before 'To'"],
		[customRange('2026-11-19', '2026-13-45'), "'To' must be a date"],
		[named('a-{month}', week), "'File Name' must be different for each file"],
		[
			{ ...customRange('2025-01-01', '2026-11-20'), split: 'hour' },
			"'Split Into' would create more than 10000 files: choose longer parts, or check the years of the range",
		],
		// The next month, or the next hour, would overwrite it, however long that is.
		[named('{day}', { timeRange: 'previousMonth' }), '"01.csv" occurs twice'],
		[named('{year}{month}{day}', { timeRange: 'previousHour' }), 'must be different for each file'],
	])('%j', async (parameters, message) => {
		expect((await run(parameters)).error?.message).toContain(message);
		expect(suite.requests.all()).toEqual([]);
	});
});

describe('hints', () => {
	it.each([
		{ output: 'items', returnAll: true },
		{ output: 'file', split: 'hour' },
	])('name the filters when no event matches them: %j', async (output) => {
		const options = { actionNames: ['NOPE', 'NEVER'] };
		expect((await run({ ...exportDay, ...output, searchTerm: 'maria', options })).hints).toEqual([
			expect.stringMatching(
				/match 'Search Term' maria and 'Action Names or IDs' NOPE or NEVER\. Change or remove a filter/,
			),
		]);
	});

	it('say nothing of a quiet day, whose file is as empty', async () => {
		suite.store.auditEvents.stored.length = 0;
		expect((await run({ ...exportDay, output: 'file' })).hints).toEqual([]);
	});

	it.each([
		[
			['2026-08-01', '2026-09-01'],
			'startsBeforeRetention',
			/from 2026-08-01T00:00:00Z to 2026-08-23T12:34:56Z are gone/,
		],
		[
			['2026-07-01', '2026-08-01'],
			'startsBeforeRetention',
			/from 2026-07-01T00:00:00Z to 2026-08-01T00:00:00Z are gone/,
		],
		[['2026-11-20', '2026-11-22'], 'endsInFuture', /in the future/],
		[
			['2026-11-20T00:00:00Z', '2026-11-21T12:30:00Z'],
			'endsTooRecently',
			/less than 5 minutes ago.*Export it again after 2026-11-21T12:35:00Z/,
		],
		[['2027-01-01', '2027-01-02'], 'endsInFuture', /^The range is entirely in the future/],
	])('say what is missing of a range that is not complete: %j', async ([start, end], why, says) => {
		const { hints, json } = await run(customRange(start, end));
		expect(hints[0]).toMatch(says);
		expect(json[0]).toMatchObject({ complete: false, incompleteReason: why });
	});
});

it('of a range in the future do not advise to choose a longer one', async () => {
	const { hints } = await run({ ...customRange('2027-01-01', '2027-01-02'), output: 'items' });
	expect(hints).toEqual([
		'The range is entirely in the future: no event in it has happened yet. Check the year and the time zone.',
	]);
});

describe('complete', () => {
	/** n8n's clock, so many minutes from the service's. */
	const skew = (minutes: number) => {
		clock.now = () => suite.clock.now() + minutes * 60_000;
	};

	it('goes by the clock of the service when that of n8n is ahead', async () => {
		suite.clock.advance(20 * 60_000);
		skew(6);
		const { json } = await run({ ...exportDay, timeRange: 'previousHour' });
		// 13:00:56 by n8n, 12:54:56 by the service: the hour is not over.
		expect(json[0]).toMatchObject({
			start: '2026-11-21T12:00:00Z',
			complete: false,
			incompleteReason: 'endsInFuture',
		});
	});

	it('goes by the clock of the service when that of n8n is behind', async () => {
		skew(-60);
		const { json } = await run(customRange('2026-11-21T10:00:00Z', '2026-11-21T12:00:00Z'));
		expect(json[0]).toMatchObject({ complete: true });
		expect(json[0]).not.toHaveProperty('incompleteReason');
	});

	it.each([
		['five minutes for late events have passed', '2026-08-23T12:34:56Z', '2026-11-21T12:29:56Z'],
		['not yet', '2026-11-21T10:00:00Z', '2026-11-21T12:29:57Z'],
	])('is what the service keeps: %s', async (what, start, end) => {
		expect((await run(customRange(start, end))).json[0].complete).toBe(what !== 'not yet');
	});
});
