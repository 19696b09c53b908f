import { createHash } from 'node:crypto';

import type { AxiosInstance } from 'axios';
import { parse } from 'csv-parse/sync';

import { closeAll, open } from './open';

afterEach(closeAll);

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

	it('keeps its place when events are recorded in between', async () => {
		const { admin, sandbox } = await openWithEvents();
		const first = (await admin.get('/audit-log?size=2')).data;
		sandbox.store.recordEvent({ event_id: 'new' });
		const second = (await admin.get(`/audit-log?size=2&cursor=${first.next_page}`)).data;
		expect(second.items.map(({ event_id }: { event_id: string }) => event_id)).toEqual(['b', 'a']);
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
