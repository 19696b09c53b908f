import type { Fault } from '../../../sandbox';
import { exportDay, rowsOf } from '../../../support/auditExport';
import { suiteWithThreeDays } from './threeDays';

const suite = suiteWithThreeDays();

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
