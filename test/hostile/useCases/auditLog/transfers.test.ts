import { constants, gzipSync } from 'node:zlib';

import { TRANSFER_LIMITS } from '../../../../nodes/Wherobots/transport/transfer';
import { readResult, startNode } from '../../../engine/harness';
import { suiteWithSandbox } from '../../../engine/harness/suite';
import type { Fault } from '../../../sandbox';
import { customRange, exportDay, rowsOf } from '../../../support/auditExport';
import { suiteWithFileStore } from '../../../support/files';
import { aWhile, until } from '../../../support/until';

const useFileStore = suiteWithFileStore();
const suite = suiteWithSandbox({ seed: 'empty' });

/** Three events on each of the three days before the present. */
beforeEach(() => {
	for (const day of [18, 19, 20]) {
		for (const hour of [0, 12, 23]) {
			const event_time = Date.UTC(2026, 10, day, hour);
			suite.store.recordEvent({ event_id: `${day}-${hour}`, event_time });
		}
	}
});

const always = (fault: Fault) => suite.fails('exportAuditLog', fault);

describe('the message of the error', () => {
	const cut = (how: 'reset' | 'close' | 'end') => ({ kind: 'cut', bytes: 400, how }) as const;
	const body = (text: string): Fault => ({ kind: 'replace', body: text });
	const failed = {
		code: 'INTERNAL_SERVER_ERROR',
		message: 'Export failed',
		details: 'Out of disk',
	};
	const error = JSON.stringify({ errors: [failed], requestId: 'r1' });
	const odd = /unexpected response/;

	it.each<[string, Fault, RegExp, RegExp]>([
		['a reset', cut('reset'), /was interrupted/, /Tried 5 times/],
		['a close', cut('close'), /was interrupted/, /no part of it was kept/],
		['an end amid a row', cut('end'), /before it was complete/, /Row 4 is incomplete/],
		['a web page', { kind: 'html' }, odd, /Sign in to continue[^]*Base URL/],
		['an error with status 200', body(error), /Export failed/, /Out of disk/],
		['another table', body('id,name\n1,a\n'), odd, /lacks event_id and event_time/],
		['endless text without a row', body('x'.repeat(300_000)), odd, /not an audit log export/],
	])('about %s', async (_, fault, message, description) => {
		const handle = always(fault);
		const { error, items } = await suite.run(exportDay);
		expect(error?.message).toMatch(message);
		expect(error?.description).toMatch(description);
		expect(items).toEqual([]);
		expect(handle.hits).toBe(5);
	});

	it.each([
		['reset', {}],
		['end', {}],
		['reset', { compress: true }],
		['end', { compress: true }],
	] as const)("comes without a file left behind in n8n's store: %s, %j", async (how, options) => {
		const store = await useFileStore();
		always(cut(how));
		const { items, error } = await suite.run({ ...exportDay, options });
		expect(error?.message).toMatch(/was interrupted|before it was complete/);
		expect(items).toEqual([]);
		expect(await store.names()).toEqual([]);
	});

	it('about a stall, after its time limit', async () => {
		jest.replaceProperty(TRANSFER_LIMITS, 'stallMs', 150);
		always({ kind: 'stall', bytes: 400 });
		const { error } = await suite.run(exportDay);
		expect(error?.message).toMatch(/stalled/);
	});
});

describe('the end of a file', () => {
	const day = { ...exportDay, output: 'file' };
	const lastRows = [
		['as it is', {}],
		['in JSON Lines', { format: 'jsonLines' }],
		['without duplicates', { removeDuplicates: true }],
		['compressed', { compress: true }],
	] as const;

	describe.each(['chunked', 'length'] as const)('that the transport proves (%s)', (framing) => {
		beforeEach(() => Object.assign(suite.variants, { exportFraming: framing }));

		it.each(lastRows)('may lack a line end, %s', async (_, options) => {
			suite.variants.exportLastLineEnd = false;
			const { json } = await suite.succeeds({ ...day, options });
			expect(json).toMatchObject([{ rows: 3, complete: true }]);
			expect(suite.requests.of('exportAuditLog')).toHaveLength(1);
		});

		it.each([
			['a header row without a line end', { exportLastLineEnd: false }],
			['an empty body', { exportWithoutEvents: 'nothing' }],
		])('may follow %s: there were no events', async (_, variants) => {
			Object.assign(suite.variants, variants);
			const quiet = { ...day, ...customRange('2026-11-15', '2026-11-16') };
			for (const [, options] of lastRows) {
				const { json } = await suite.succeeds({ ...quiet, options });
				expect(json).toMatchObject([{ rows: 0 }]);
			}
			const items = await suite.run({ ...quiet, output: 'items', returnAll: true });
			expect([items.error, items.json]).toEqual([undefined, []]);
			expect(suite.requests.of('exportAuditLog')).toHaveLength(lastRows.length + 1);
		});

		it('may lack a line end as items', async () => {
			suite.variants.exportLastLineEnd = false;
			const { json } = await suite.run({ ...day, output: 'items', returnAll: true });
			expect(json.map(({ event_id }) => event_id)).toEqual(['20-0', '20-12', '20-23']);
		});
	});

	it('that nothing proves is refused at once', async () => {
		suite.variants.exportFraming = 'close';
		for (const output of ['file', 'items']) {
			suite.requests.clear();
			const { items, error } = await suite.run({ ...day, output, returnAll: true });
			expect(error?.message).toMatch(/may be incomplete/);
			expect(error?.description).toMatch(/^The response states neither its length nor its end/);
			expect(items).toEqual([]);
			expect(suite.requests.of('exportAuditLog')).toHaveLength(1);
		}
	});

	// n8n's HTTP client takes compressed bytes that are cut off for whole ones.
	it('that compression would hide is not requested', async () => {
		await suite.run(day);
		const [{ headers }] = suite.requests.of('exportAuditLog');
		expect(headers['accept-encoding']).toBe('identity');
	});

	it('that compression hides anyway is refused where a length shows it', async () => {
		const text = `event_id,event_time\n${'a,2026-11-20T10:00:00Z\n'.repeat(1_000)}`;
		const zipped = gzipSync(text, { finishFlush: constants.Z_SYNC_FLUSH });
		const encoding = { 'content-encoding': 'gzip' };
		always({ kind: 'replace', body: zipped, headers: encoding });
		const { items, error } = await suite.run(day);
		expect(items).toEqual([]);
		expect(error?.description).toMatch(/bytes became \d+ when it was decompressed/);
	});

	it.each([
		['a repeated column', '{},event_id\n', /its header row repeats "event_id"/],
		['lines that end in carriage returns', '{}\ra,b\r', /is not an audit log export/],
	])('is refused with %s', async (_, pattern, description) => {
		const columns = 'event_id,event_time';
		always({ kind: 'replace', body: pattern.replaceAll('{}', columns) });
		for (const output of ['file', 'items']) {
			const { items, error } = await suite.run({ ...day, output, returnAll: true });
			expect(items).toEqual([]);
			expect(error?.description).toMatch(description);
		}
	});
});

describe('items', () => {
	it.each<[string, Fault]>([
		['breaks', { kind: 'cut', bytes: 400, how: 'reset' }],
		['ends early', { kind: 'cut', bytes: 400, how: 'end' }],
		['is a web page', { kind: 'html' }],
	])('start again when the transfer %s, and are returned once', async (_, fault) => {
		suite.fails('exportAuditLog', fault, { times: 2 });
		const { json } = await suite.succeeds({ ...exportDay, output: 'items', returnAll: true });
		expect(json.map(({ event_id }) => event_id)).toEqual(['20-0', '20-12', '20-23']);
	});
});

it('is not tried again when the execution is cancelled in the middle of a transfer', async () => {
	always({ kind: 'stall', bytes: 400 });
	const running = startNode(suite.sandbox, exportDay);
	await until(() => suite.requests.of('exportAuditLog').length > 0);
	await aWhile();
	running.cancel();
	expect(readResult(await running.result).items).toEqual([]);
	await aWhile();
	expect(suite.requests.of('exportAuditLog')).toHaveLength(1);
});

describe('a series of files', () => {
	const series = { ...exportDay, timeRange: 'lastDays', days: 3, split: 'day' };

	it.each<[string, Fault]>([
		['429', { kind: 'status', status: 429, retryAfter: 1.5 }],
		['503', { kind: 'status', status: 503, body: 'html' }],
		['a reset', { kind: 'cut', bytes: 300, how: 'reset' }],
	])('continues after %s in the middle', async (_, fault) => {
		suite.fails('exportAuditLog', fault, { skip: 1, times: 2 });
		const { items } = await suite.succeeds(series);
		expect(items.flatMap(rowsOf).map((row) => row.event_id)).toEqual([
			...['18-0', '18-12', '18-23'],
			...['19-0', '19-12', '19-23'],
			...['20-0', '20-12', '20-23'],
		]);
	});

	const onSecond = { endpoint: 'exportAuditLog', skip: 1 } as const;
	const cut: Fault = { kind: 'cut', bytes: 300, how: 'close' };

	it('returns nothing when one file fails, and names it', async () => {
		suite.faults.add({ ...onSecond, fault: cut });
		const { items, error } = await suite.run(series);
		expect(error?.message).toMatch(/was interrupted/);
		expect(error?.context?.data).toMatchObject({
			fileName: failed(19).fileName,
			start: failed(19).start,
		});
		expect(error?.description).toContain(`The export of ${failed(19).fileName} failed.`);
		expect(items).toEqual([]);
	});

	const failed = (day: number) => ({
		message: expect.any(String),
		description: expect.any(String),
		fileName: `wherobots-audit-log-202611${day}T000000Z-202611${day + 1}T000000Z.csv`,
		start: `2026-11-${day}T00:00:00Z`,
		end: `2026-11-${day}T23:59:59.999999Z`,
	});

	it('returns the other files when it continues on failure, and an item that names the failed one', async () => {
		suite.faults.add({ ...onSecond, times: 5, fault: cut });
		const { items, json } = await suite.run(series, { onError: 'continueRegularOutput' });
		expect(json).toMatchObject([{ rows: 3 }, { error: failed(19) }, { rows: 3 }]);
		expect(Object.keys(json[1])).toEqual(['error']);
		expect([items[0], items[2]].flatMap(rowsOf).map((row) => row.event_id)).toEqual([
			...['18-0', '18-12', '18-23'],
			...['20-0', '20-12', '20-23'],
		]);
	});

	it('does not try the rest once two files in a row have failed', async () => {
		const handle = suite.faults.add({ ...onSecond, fault: cut });
		const parameters = { ...series, days: 5 };
		const { json } = await suite.run(parameters, { onError: 'continueRegularOutput' });
		expect(json).toMatchObject([
			{ rows: 0 },
			...[17, 18, 19, 20].map((day) => ({ error: failed(day) })),
		]);
		expect(handle.hits).toBe(10);
		const notTried = {
			message: 'The file was not exported',
			description:
				'It was not attempted, because several exports in a row had failed. Correct their error first.',
		};
		expect(json.slice(3)).toMatchObject([{ error: notTried }, { error: notTried }]);
	});

	it('does not repeat what is stored when n8n tries the node again', async () => {
		// All five attempts at the second file fail; the next try of the node succeeds.
		suite.faults.add({ ...onSecond, times: 5, fault: cut });
		const { items } = await suite.succeeds(series, { maxTries: 2 });
		expect(items.flatMap(rowsOf)).toHaveLength(9);
		const asked = suite.requests.of('exportAuditLog').map(({ query }) => query.startTime);
		expect(asked).toEqual([
			'2026-11-18T00:00:00Z',
			...Array.from({ length: 6 }, () => '2026-11-19T00:00:00Z'),
			'2026-11-20T00:00:00Z',
		]);
	});
});
