import { Readable } from 'node:stream';

import { AUDIT_COLUMNS, AuditEvent } from '../../../nodes/Wherobots/service/records/auditEvent';
import { jobRuns } from '../../../nodes/Wherobots/service/records/jobRun';
import { taskRuns } from '../../../nodes/Wherobots/service/records/taskRun';
import { createAuditSource, toAuditEventId } from '../../../nodes/Wherobots/trigger/auditEvent';
import { createRunSource } from '../../../nodes/Wherobots/trigger/runs/runEvents';
import { clientWith } from '../../support/clientWith';
import { suiteInVirtualTime } from '../../support/virtualTime';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const time = suiteInVirtualTime();

beforeEach(() => {
	time.now = NOW;
});

const ago = (ms: number) => new Date(NOW - ms).toISOString();

/** A source that reads the audit log by its export, which has these events, and what it sends. */
async function exporting(events?: Array<Partial<Record<string, string>>>) {
	const { client, sent } = await clientWith({ replies: [exported(events)] });
	return { source: createAuditSource(client, undefined, 'export'), sent };
}

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
	await createAuditSource(client, undefined).records({ start: createdFrom });
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
	expect(await source.records({ start: 0 })).toMatchObject({ items: [] });
	expect(source.way).toBe('query');
	await source.records({ start: 0 });
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
		const { source } = await exporting(events);
		const { items } = await source.records({ start: 0 });
		expect(items.map(({ raw: { event_id, resource_name } }) => [event_id, resource_name])).toEqual([
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
		const { source } = await exporting(events);
		const cut = await source.records({ start: 0 }, undefined, most);
		expect(cut.isCut).toBe(isCut);
		const ids = cut.items.map(({ id }) => ({ event_id: id }));
		expect(ids.slice(0, most)).toEqual(events.slice(0, most));
	});

	const micros = (text: string) => Date.parse(`2026-11-${text}:00Z`) * 1000;

	// n8n's clock, which may be behind, shows 12:00 on the 21st.
	it.each([
		['without an end ends a day from now', '21T11:00', undefined, '22T12:00'],
		['ends a day after a start in the future', '21T12:30', undefined, '22T12:30'],
		['ends where it is told to', '21T11:00', '21T11:30', '21T11:30'],
	])('%s', async (_, start, end, expected) => {
		const range = { start: micros(start), ...(end ? { end: micros(end) } : {}) };
		const { source, sent } = await exporting();
		await source.records(range);
		expect(sent).toHaveLength(1);
		expect(sent[0].qs).toMatchObject({
			startTime: `2026-11-${start}:00Z`,
			endTime: `2026-11-${expected}:00Z`,
		});
	});
});

describe('the ID of an event', () => {
	const toId = (raw: object) => toAuditEventId(new AuditEvent({ ...raw }));

	it("is the service's", () => {
		expect(toId({ event_id: 'a/b c' })).toBe('audit/a%2Fb%20c');
		expect(toId({ event_id: 0 })).toBe('audit/0');
	});

	it('is the same by query and by export where the service has none, and tells all fields apart', () => {
		const event = { action_name: 'DESTROY', user_id: 'u1', event_time: '2026-03-01T12:00:40.5Z' };
		const written = { event_time: '2026-03-01T12:00:40.500000+00:00', user_name: null };
		const byQuery = { ...event, ...written, client_chain: 'client=n8n' };
		const byExport = { ...event, event_id: '', user_name: '', user_agent: '' };
		expect(toId(byQuery)).toMatch(/^audit\/sha256:[0-9a-f]{64}$/);
		expect(toId(byExport)).toBe(toId(byQuery));
		const others = [{ action_name: 'STOP' }, { user_id: 'u2' }, { source_ip: '192.0.2.1' }];
		const ids = [{}, { event_time: '2026-03-01T12:00:40.500001Z' }, ...others];
		expect(new Set(ids.map((more) => toId({ ...byQuery, ...more }))).size).toBe(5);
	});
});
