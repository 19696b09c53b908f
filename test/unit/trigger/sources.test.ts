import { Readable } from 'node:stream';

import { AUDIT_COLUMNS } from '../../../nodes/Wherobots/service/records';
import { jobRuns } from '../../../nodes/Wherobots/service/records/jobRun';
import { taskRuns } from '../../../nodes/Wherobots/service/records/taskRun';
import { createAuditSource, createRunSource } from '../../../nodes/Wherobots/trigger/sources';
import { clientWith } from '../../support/clientWith';
import { suiteInVirtualTime } from '../../support/virtualTime';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const time = suiteInVirtualTime();

beforeEach(() => {
	time.now = NOW;
});

const ago = (ms: number) => new Date(NOW - ms).toISOString();

/** A reply with an export of these events. */
function exported(events: Array<Partial<Record<string, string>>> = []) {
	const rows = events.map((event) => AUDIT_COLUMNS.map((name) => event[name] ?? ''));
	const text = [AUDIT_COLUMNS, ...rows].map((row) => `${row.join(',')}\n`).join('');
	const body = Buffer.from(text);
	const headers = { 'content-length': String(body.length), date: new Date(NOW).toUTCString() };
	return { headers, body: Readable.from([body]) };
}

const missing = { statusCode: 404 };

describe('a run that is read by its ID', () => {
	const ask = async (reply: object) => {
		const { client } = await clientWith({ replies: [reply] });
		return [
			await createRunSource(client, jobRuns, {}).run('r'),
			await createRunSource(client, taskRuns, {}).run('r'),
		];
	};

	it('is gone where the service has none', async () => {
		expect(await ask(missing)).toEqual([undefined, undefined]);
	});

	it('is not considered gone when the service refuses to show it', async () => {
		await expect(ask({ statusCode: 403 })).rejects.toMatchObject({ httpCode: '403' });
	});
});

it('lists are asked for from the very second, and with the statuses, that the core names', async () => {
	const createdFrom = (NOW - 3_600_000) * 1000;
	const { client, sent } = await clientWith({ replies: [{ body: '{"items":[],"total":0}' }] });
	await createAuditSource(client, undefined).events({ start: createdFrom });
	for (const source of [
		createRunSource(client, jobRuns, {}),
		createRunSource(client, taskRuns, {}),
	]) {
		await source.runs({ createdFrom });
		await source.runs({ statuses: source.kind.active });
	}
	const second = '2026-11-21T11:00:00Z';
	expect(sent.map(({ qs }) => qs)).toMatchObject([
		{ startTime: second },
		{ created_after: second },
		{ status: jobRuns.active },
		{ createdAfter: second },
		{ state: taskRuns.active },
	]);
});

it('the audit log is read by query again, from then on, when there is no export any more', async () => {
	const page = { body: '{"items":[],"next_page":null}' };
	const { client, sent } = await clientWith({ replies: [missing, missing, page] });
	const source = createAuditSource(client, undefined, 'export');
	expect(await source.events({ start: 0 })).toMatchObject({ items: [] });
	expect(source.way).toBe('query');
	await source.events({ start: 0 });
	const paths = sent.map(({ url }) => new URL(url).pathname);
	expect(paths).toEqual([
		...['/audit-log/export', '/audit-logs/export', '/audit-log', '/audit-log'],
	]);
});

describe('an export', () => {
	it('yields every event, even those that no ID tells apart', async () => {
		const events = [
			{ event_time: ago(1), resource_name: 'a' },
			{ event_time: ago(1), resource_name: 'b' },
			{ event_id: 'x', event_time: ago(1) },
			{ event_id: 'x', event_time: ago(1) },
		];
		const { client } = await clientWith({ replies: [exported(events)] });
		const { items } = await createAuditSource(client, undefined, 'export').events({ start: 0 });
		expect(items.map(({ event_id, resource_name }) => [event_id, resource_name])).toEqual([
			[null, 'a'],
			[null, 'b'],
			['x', null],
			['x', null],
		]);
	});

	it.each([
		[1, true],
		[2, undefined],
		[3, undefined],
		[undefined, undefined],
	])('of two events, of which %s are wanted, is marked as cut: %s', async (most, isCut) => {
		const events = [{ event_id: 'a' }, { event_id: 'b' }];
		const { client } = await clientWith({ replies: [exported(events)] });
		const source = createAuditSource(client, undefined, 'export');
		const cut = await source.events({ start: 0 }, undefined, most);
		expect(cut.isCut).toBe(isCut);
		expect(cut.items.slice(0, most)).toMatchObject(events.slice(0, most));
	});

	const micros = (text: string) => Date.parse(`2026-11-${text}:00Z`) * 1000;

	// n8n's clock, which may be behind, shows 12:00 on the 21st.
	it.each([
		['without an end ends a day from now', '21T11:00', undefined, '22T12:00'],
		['ends a day after a start in the future', '21T12:30', undefined, '22T12:30'],
		['ends where it is told to', '21T11:00', '21T11:30', '21T11:30'],
	])('%s', async (_, start, end, expected) => {
		const { client, sent } = await clientWith({ replies: [exported()] });
		const range = { start: micros(start), ...(end ? { end: micros(end) } : {}) };
		await createAuditSource(client, undefined, 'export').events(range);
		expect(sent).toHaveLength(1);
		expect(sent[0].qs).toMatchObject({
			startTime: `2026-11-${start}:00Z`,
			endTime: `2026-11-${expected}:00Z`,
		});
	});
});
