import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';

import { Container } from '@n8n/di';
import { parse } from 'csv-parse/sync';
import { BinaryDataService } from 'n8n-core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import {
	customRange,
	exportDay,
	fileBytes,
	recordAround,
	rowsOf,
} from '../../../support/auditExport';
import { until } from '../../../support/until';
import { type NodeOptions, ok, startNode, suiteWithSandbox } from '../../harness/suite';

const NOW = '2026-11-21T12:34:56Z';
const suite = suiteWithSandbox({ seed: 'empty' }, NOW);
const run = async (parameters: IDataObject, options?: NodeOptions) =>
	await suite.run(parameters as INodeParameters, options);

describe('one file', () => {
	it('holds the previous day and says what it holds', async () => {
		recordAround(suite.sandbox, '2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z');

		const { items } = ok(await run(exportDay));
		const [item] = items;
		const bytes = fileBytes(item);
		expect(item.json).toEqual({
			fileName: 'wherobots-audit-log-20261120T000000Z-20261121T000000Z.csv',
			start: '2026-11-20T00:00:00Z',
			end: '2026-11-20T23:59:59.999999Z',
			rows: 3,
			bytes: bytes.length,
			sha256: createHash('sha256').update(bytes).digest('hex'),
			complete: true,
		});
		expect(item.binary?.data).toMatchObject({
			mimeType: 'text/csv',
			fileName: 'wherobots-audit-log-20261120T000000Z-20261121T000000Z.csv',
		});
		expect(rowsOf(item).map((row) => row.event_id)).toEqual([
			'2026-11-20T00:00:00Z+0',
			'2026-11-20T00:00:00Z+1',
			'2026-11-21T00:00:00Z-1',
		]);
		expect(item.pairedItem).toEqual({ item: 0 });
	});

	it('reads the day in the time zone of the workflow', async () => {
		expect((await run(exportDay, { timezone: 'Asia/Kolkata' })).json[0]).toMatchObject({
			start: '2026-11-19T18:30:00Z',
			end: '2026-11-20T18:29:59.999999Z',
			rows: 0,
		});
	});

	it.each([
		['previousHour', {}, '2026-11-21T11:00:00Z', '2026-11-21T11:59:59.999999Z'],
		['lastDays', { days: 7 }, '2026-11-14T00:00:00Z', '2026-11-20T23:59:59.999999Z'],
	])('asks for %s', async (timeRange, more, start, end) => {
		expect((await run({ ...exportDay, timeRange, ...more })).json[0]).toMatchObject({ start, end });
		expect(suite.requests.of('exportAuditLog')[0].query).toEqual({
			startTime: start,
			endTime: end,
		});
	});

	it('accepts a custom range in any zone, to the microsecond, with a search term', async () => {
		recordAround(suite.sandbox, '2026-11-20T10:00:00Z');
		suite.store.recordEvent({
			event_id: 'hit',
			event_time: '2026-11-20T10:00:00.000000Z',
			resource_name: 'a "needle", here',
		});
		const { items, json } = await run(
			{
				...customRange('2026-11-20T11:00:00.000001+01:00', '2026-11-20 11:00:00.000002'),
				searchTerm: 'needle',
			},
			{ timezone: 'Europe/Berlin' },
		);
		expect(json[0]).toMatchObject({
			start: '2026-11-20T10:00:00.000001Z',
			end: '2026-11-20T10:00:00.000001Z',
			searchTerm: 'needle',
			rows: 0,
		});
		expect(rowsOf(items[0])).toEqual([]);
	});
});

describe('options', () => {
	beforeEach(() => {
		const at = '2026-11-20T10:00:00Z';
		suite.store.recordEvent({ event_id: 'a', event_time: at, user_name: '=HYPERLINK("x")\ny' });
		suite.store.recordEvent({ event_id: 'a', event_time: at, user_name: 'again' });
		suite.store.recordEvent({ event_id: 'b', event_time: at, user_name: '@sum, "q"' });
		suite.store.recordEvent({ event_id: '', event_time: at, user_name: 'none' });
		suite.store.recordEvent({ event_id: '', event_time: at, user_name: 'none' });
	});

	it('writes JSON Lines', async () => {
		const { items } = await run({
			...exportDay,
			options: { format: 'jsonLines', removeDuplicates: true },
		});
		const [item] = items;
		expect(item.json).toMatchObject({
			fileName: expect.stringMatching(/Z\.jsonl$/),
			rows: 4,
			duplicatesRemoved: 1,
		});
		expect(item.binary?.data.mimeType).toBe('application/x-ndjson');
		const lines = fileBytes(item).toString().trimEnd().split('\n');
		expect(lines.map((line) => (JSON.parse(line) as IDataObject).user_name)).toEqual([
			'=HYPERLINK("x")\ny',
			'@sum, "q"',
			'none',
			'none',
		]);
	});

	it('compresses, the same bytes each time', async () => {
		const options = { compress: true, binaryPropertyName: 'file' };
		const first = await run({ ...exportDay, options });
		const again = await run({ ...exportDay, options });
		const [item] = first.items;
		const bytes = fileBytes(item, 'file');
		expect(item.binary?.file.mimeType).toBe('application/gzip');
		expect(item.json).toMatchObject({
			fileName: expect.stringMatching(/\.csv\.gz$/),
			rows: 5,
			bytes: bytes.length,
			sha256: createHash('sha256').update(bytes).digest('hex'),
		});
		expect(again.json).toEqual(first.json);
		expect(parse(gunzipSync(bytes), { columns: true })).toHaveLength(5);
	});
});

describe('the chosen actions', () => {
	beforeEach(() => {
		for (const action_name of ['START', 'STOP', 'START', 'OTHER', 'wörk.start']) {
			suite.store.recordEvent({ action_name, event_time: '2026-11-20T10:00:00Z' });
		}
	});

	it.each(['csv', 'jsonLines'])('are those of a file (%s), in any case', async (format) => {
		const options = { actionNames: ['start', 'Stop'], format };
		const { items } = await suite.succeeds({ ...exportDay, options });
		expect(items[0].json.rows).toBe(3);
		const text = fileBytes(items[0]).toString();
		expect(text.match(/\bSTART\b/g)).toHaveLength(2);
		expect(text).toContain('STOP');
		expect(text).not.toContain('OTHER');
		const { json } = await suite.run({
			...exportDay,
			options: { actionNames: ['WÖRK.start'], format },
		});
		expect(json[0].rows).toBe(1);
	});

	it('are those of the items', async () => {
		const options = { actionNames: ['STOP'] };
		const parameters = { ...exportDay, output: 'items', returnAll: true, options };
		expect((await suite.run(parameters)).json.map((event) => event.action_name)).toEqual(['STOP']);
	});
});

describe("n8n's store", () => {
	it.each([
		[
			'is too large',
			'File exceeds the max size limit of 512 MB',
			/^Set 'Split Into' to smaller parts/,
		],
		['cannot be written', 'ENOSPC: no space left on device', /^n8n did not store the file\. Check/],
	])('says why a file %s', async (_, message, description) => {
		const store = Container.get(BinaryDataService);
		jest.spyOn(store, 'store').mockRejectedValue(new Error(message));
		const { error } = await suite.run(exportDay);
		expect(error?.message).toBe(message);
		expect(error?.description).toMatch(description);
		expect(error?.context).toMatchObject({ itemIndex: 0 });
	});

	it.each([
		[409, 'An export is in progress'],
		[413, 'The export exceeds the max size limit'],
	])('is not blamed where the service refuses with %i', async (status, message) => {
		const body = JSON.stringify({ errors: [{ code: 'X', message }] });
		suite.fails('exportAuditLog', { kind: 'replace', status, body });
		const { error } = await suite.run(exportDay);
		expect(error?.message).toBe(message);
		expect(error?.description ?? '').not.toMatch(/store|Split Into/);
	});
});

it('ends with the execution, also where the node continues after failures', async () => {
	const parameters = { ...exportDay, timeRange: 'lastDays', days: 3, split: 'day' };
	suite.fails('exportAuditLog', { kind: 'hang' }, { skip: 1 });
	const running = startNode(suite.sandbox, parameters, { onError: 'continueRegularOutput' });
	await until(() => suite.requests.of('exportAuditLog').length === 2);
	running.cancel();
	await running.result;
	expect(suite.requests.of('exportAuditLog')).toHaveLength(2);
});
