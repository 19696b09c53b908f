import { createHash } from 'node:crypto';

import type { AxiosInstance } from 'axios';
import { parse } from 'csv-parse/sync';

import { closeAll, NOW, open } from './open';

afterEach(closeAll);

const DAY = 86_400_000;
const RANGE = 'startTime=2026-11-19T00:00:00Z&endTime=2026-11-20T00:00:00Z';

const at = (micros: string) => `2026-11-19T10:00:00.${micros}Z`;

async function ids(client: AxiosInstance, query: string, size = 2): Promise<string[]> {
	const found: string[] = [];
	let cursor: string | undefined;
	do {
		const { data } = await client.get(`/audit-log?${query}`, { params: { size, cursor } });
		found.push(...data.items.map((event: { event_id: string }) => event.event_id));
		cursor = data.next_page ?? undefined;
	} while (cursor);
	return found;
}

async function openWithEvents() {
	const opened = await open();
	const { store } = opened.sandbox;
	store.recordEvent({ event_id: 'a', event_time: at('000001'), action_name: 'LOGIN' });
	store.recordEvent({ event_id: 'b', event_time: at('000002'), resource_name: 'x, "y"\nz' });
	store.recordEvent({ event_id: 'c', event_time: at('000002'), user_agent: 'curl' });
	store.recordEvent({ event_id: 'd', event_time: at('000003'), compute_region: 'aws-eu-west-1' });
	return opened;
}

describe('querying', () => {
	it.each([
		['', 'dcba'],
		[`startTime=${at('000002')}`, 'dcb'],
		[`endTime=${at('000002')}`, 'cba'],
		[`startTime=${at('000002')}&endTime=${at('000002')}`, 'cb'],
		[`startTime=2026-11-19T11:00:00.000002%2B01:00&endTime=${at('000002')}`, 'cb'],
		[`startTime=${at('000003')}&endTime=${at('000001')}`, ''],
		['searchTerm=LOG', 'a'],
		['searchTerm=eu-west', 'd'],
		['searchTerm=y%22', 'b'],
		['searchTerm=10:00:00.000003', 'd'],
		['searchTerm=', 'dcba'],
	])('%s, both ends included to the microsecond', async (query, expected) => {
		const { admin } = await openWithEvents();
		for (const size of [1, 2, 100]) expect(await ids(admin, query, size)).toEqual([...expected]);
	});

	it.each(['oldestFirst', 'shuffled'] as const)('%s gives each event once', async (auditOrder) => {
		const { admin, sandbox } = await openWithEvents();
		sandbox.variants.auditOrder = auditOrder;
		const found = await ids(admin, '');
		expect([...found].sort()).toEqual(['a', 'b', 'c', 'd']);
		if (auditOrder === 'oldestFirst') expect(found).toEqual(['a', 'b', 'c', 'd']);
	});

	it('shows an event from the moment it becomes visible', async () => {
		const { admin, clock, sandbox } = await openWithEvents();
		sandbox.store.recordEvent(
			{ event_id: 'late', event_time: at('000001') },
			{ visibleAt: NOW + 1_000 },
		);
		expect(await ids(admin, '')).toEqual(['d', 'c', 'b', 'a']);
		clock.advance(1_000);
		expect(await ids(admin, '')).toEqual(['d', 'c', 'b', 'late', 'a']);
	});

	it('forgets events after 90 days', async () => {
		const { admin, clock, sandbox } = await open();
		sandbox.store.recordEvent({ event_id: 'old', event_time: NOW - 90 * DAY });
		expect(await ids(admin, '')).toEqual(['old']);
		clock.advance(1);
		expect(await ids(admin, '')).toEqual([]);
	});

	it('keeps its place when events are recorded in between', async () => {
		const { admin, sandbox } = await openWithEvents();
		const first = (await admin.get('/audit-log?size=2')).data;
		sandbox.store.recordEvent({ event_id: 'new' });
		const second = (await admin.get(`/audit-log?size=2&cursor=${first.next_page}`)).data;
		expect(second.items.map(({ event_id }: { event_id: string }) => event_id)).toEqual(['b', 'a']);
	});

	it('can record requests as events', async () => {
		const { admin, sandbox } = await open({ variants: { auditRequests: true } });
		const { id } = sandbox.store.createRun();
		await admin.get(`/runs/${id}`, { headers: { 'User-Agent': 'checker/1' } });
		expect(sandbox.store.auditEvents.all()).toMatchObject([
			{ action_name: 'GET_RUN', resource_id: id, user_agent: 'checker/1' },
		]);
	});
});

describe('exporting', () => {
	it('returns the ten columns, oldest first, at both paths', async () => {
		const { admin, sandbox } = await openWithEvents();
		for (const path of ['/audit-log/export', '/audit-logs/export']) {
			const { status, headers, data } = await admin.get(`${path}?${RANGE}`);
			expect(status).toBe(200);
			expect(headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8' });
			expect(headers).not.toHaveProperty('content-length');
			const rows: Array<Record<string, string>> = parse(data, { columns: true });
			expect(rows.map((row) => row.event_id)).toEqual(['a', 'b', 'c', 'd']);
			expect(rows[1]).toMatchObject({
				event_time: '2026-11-19T10:00:00.000002+00:00',
				resource_name: 'x, "y"\nz',
				compute_region: '',
			});
		}
		sandbox.variants.exportPath = 'plural';
		expect((await admin.get(`/audit-log/export?${RANGE}`)).status).toBe(404);
	});

	it('can take other forms', async () => {
		const { admin, sandbox } = await openWithEvents();
		Object.assign(sandbox.variants, {
			exportBom: true,
			exportAddedColumns: { source_client: 'n8n' },
			exportQuotedNewlines: true,
			exportContentType: 'application/json',
			exportFraming: 'length',
			exportLineEnd: '\r\n',
			exportRequiresRange: false,
		});
		const { headers, data } = await admin.get<Buffer>('/audit-log/export', {
			responseType: 'arraybuffer',
		});
		expect(data.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
		expect(headers['content-type']).toBe('application/json');
		expect(headers['content-length']).toBe(String(data.length));
		const rows: Array<Record<string, string>> = parse(data, { columns: true, bom: true });
		expect(rows[2]).toMatchObject({ user_agent: 'curl\nvia "proxy"', source_client: 'n8n' });

		sandbox.variants.exportGzip = true;
		const zipped = await admin.get<Buffer>('/audit-log/export', {
			responseType: 'arraybuffer',
			decompress: false,
		});
		expect(zipped.headers['content-encoding']).toBe('gzip');
		expect(zipped.data.subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
	});

	it('can break off at a given byte', async () => {
		const { admin, sandbox } = await openWithEvents();
		const whole = (await admin.get(`/audit-log/export?${RANGE}`)).data;
		sandbox.faults.add({ fault: { kind: 'cut', how: 'close', bytes: 150 } });
		await expect(admin.get(`/audit-log/export?${RANGE}`)).rejects.toMatchObject({
			code: 'ERR_BAD_RESPONSE',
		});
		sandbox.faults.clear();
		sandbox.faults.add({ fault: { kind: 'cut', how: 'end', bytes: 150 } });
		expect((await admin.get(`/audit-log/export?${RANGE}`)).data).toBe(whole.slice(0, 150));
	});
});

describe('generated events', () => {
	const read = async (client: AxiosInstance, query: string) =>
		(await client.get(`/audit-log/export?${query}`, { responseType: 'arraybuffer' }))
			.data as Buffer;

	it('have the promised rows, bytes and checksum', async () => {
		const { admin, sandbox } = await open();
		const generated = sandbox.store.useGeneratedEvents({
			bytes: 3_000_000,
			start: '2026-11-19T00:00:00Z',
			end: '2026-11-20T00:00:00Z',
		});
		const body = await read(admin, RANGE);
		const { rows, bytes, sha256 } = generated.expected();
		expect(createHash('sha256').update(body).digest('hex')).toBe(sha256);
		expect(body.length).toBe(bytes);
		expect(Math.abs(bytes - 3_000_000)).toBeLessThan(1_000);
		const parsed: Array<Record<string, string>> = parse(body, { columns: true });
		expect(new Set(parsed.map((row) => row.event_id)).size).toBe(rows);
		const times = parsed.map((row) => row.event_time);
		expect(times).toEqual([...times].sort());
		expect(parsed[1_234]).toMatchObject({ event_id: generated.at(1_234).event.event_id });
	});

	it('meet exactly where a range is split, and can be queried', async () => {
		const { admin, sandbox } = await open();
		const generated = sandbox.store.useGeneratedEvents({
			count: 2_500,
			start: '2026-11-19T00:00:00Z',
			end: '2026-11-20T00:00:00Z',
		});
		const { event_time } = generated.at(1_499).event;
		const next = generated.at(1_500).event.event_time;
		const encoded = (time: string) => encodeURIComponent(time);
		const first = await read(
			admin,
			`startTime=2026-11-19T00:00:00Z&endTime=${encoded(event_time)}`,
		);
		const second = await read(admin, `startTime=${encoded(next)}&endTime=2026-11-20T00:00:00Z`);
		const count = (body: Buffer) => parse(body, { columns: true }).length;
		expect([count(first), count(second)]).toEqual([1_500, 1_000]);
		const page = (await admin.get(`/audit-log?startTime=${encoded(next)}&size=1`)).data;
		expect(page).toMatchObject({ total: 1_000, items: [generated.at(2_499).event] });
		sandbox.store.useRecordedEvents();
		expect(await ids(admin, '')).toEqual([]);
	});
});
