/** The audit log. Only an admin's key can tell. */
import { basis, isOk, ok, recordOf, type Answer } from '../api';
import { found, verify, type Guess } from '../guess';
import { text, type Live } from '../context';
import { fieldsOf, recordsIn } from '../shape';

const PATHS = ['/audit-log/export', '/audit-logs/export'];

const COLUMNS =
	'event_id,event_time,action_name,user_id,user_name,user_agent,source_ip,resource_name,resource_id,compute_region';

/** A minute, because an export is not cut into pages. */
const RANGE_MS = 60_000;

const events = async ({ api }: Live) =>
	recordsIn(basis(await api.get('/audit-log', { query: { size: '100' } })).json);

/** The export of a minute with events, at a path. */
async function exported(live: Live, path: string): Promise<Answer> {
	const log = await live.api.get('/audit-log', { query: { size: '100' } });
	const [event] = isOk(log) ? recordsIn(log.json) : [];
	const end = Date.parse(text(event?.event_time)) || Date.now();
	const at = (ms: number) => new Date(ms).toISOString();
	const query = { startTime: at(end - RANGE_MS), endTime: at(end + 1_000) };
	return await live.api.get(path, { query });
}

async function anyExport(live: Live): Promise<Answer> {
	const answers = [await exported(live, PATHS[0]), await exported(live, PATHS[1])];
	return ok(answers.find(isOk) ?? answers[0]);
}

export const auditLogGuesses: Guess[] = [
	{
		name: 'audit-query',
		area: 'Audit log',
		assumed: '`GET /audit-log` exists, although its description calls it internal, and has pages.',
		matters: 'Audit Log: Get Many; Trigger: Audit Event',
		code: 'nodes/Wherobots/trigger/core/source.ts',
		async check({ api }) {
			const page = recordOf(await api.get('/audit-log', { query: { size: '100' } }));
			verify(Array.isArray(page.items), `fields ${fieldsOf(page)}`);
			const [first] = recordsIn(page);
			return `fields of an event: ${first ? fieldsOf(first) : 'none in the log'}`;
		},
	},
	{
		name: 'audit-order',
		area: 'Audit log',
		assumed: 'The audit log begins with the newest event.',
		matters: 'Audit Log: Get Many with a limit; Trigger: how many requests a poll takes',
		code: 'nodes/Wherobots/trigger/core/source.ts',
		async check(live) {
			const times = (await events(live)).map((event) => Date.parse(text(event.event_time)));
			found(times[1], 'the log has fewer than two events');
			const isFalling = times.every((time, at) => at === 0 || time <= times[at - 1]);
			verify(isFalling, 'an older event comes before a newer one');
			return 'newest first';
		},
	},
	{
		name: 'audit-action-names',
		area: 'Audit log',
		assumed: '`action_name` is a text; which ones there are is not known, so nodes offer no list.',
		matters: 'Audit Log: Search Term; Trigger: Audit Event',
		code: 'nodes/Wherobots/service/records/auditEvent.ts',
		async check(live) {
			const names = (await events(live)).map((event) => text(event.action_name));
			found(names[0], 'the log is empty, or its events have no action_name');
			// An action is a word of the service; anything else is not shown.
			const known = [...new Set(names)].filter((name) => /^[\w.:-]{3,60}$/.test(name)).sort();
			return known.join(', ');
		},
	},
	{
		name: 'audit-export-path',
		area: 'Audit log',
		assumed: 'The export is at `/audit-log/export`; `/audit-logs/export` is tried after that.',
		matters: 'Audit Log: Export',
		code: 'nodes/Wherobots/useCases/auditLog/auditExport.ts',
		async check(live) {
			const [first, second] = [await exported(live, PATHS[0]), await exported(live, PATHS[1])];
			if (!isOk(first) && !isOk(second)) ok(first);
			const seen = `${PATHS[0]}: ${first.status}; ${PATHS[1]}: ${second.status}`;
			verify(isOk(first), seen);
			return seen;
		},
	},
	{
		name: 'audit-export-columns',
		area: 'Audit log',
		assumed: 'The export begins with the ten documented columns, in their order.',
		matters: 'Audit Log: Export',
		code: 'nodes/Wherobots/service/records/auditEvent.ts',
		async check(live) {
			const head = (await anyExport(live)).text.replace(/^\uFEFF/, '').split(/\r?\n/)[0];
			verify(head.startsWith(COLUMNS), `columns ${head.replace(/[^\w,]/g, '?').slice(0, 300)}`);
			return head === COLUMNS ? 'those ten' : 'more after them';
		},
	},
	{
		name: 'audit-export-form',
		area: 'Audit log',
		assumed: 'The export is sent as `text/csv`, without a byte order mark.',
		matters: 'Audit Log: Export, and whether a web page is taken for one',
		code: 'nodes/Wherobots/useCases/auditLog/auditExport.ts',
		async check(live) {
			const { text: csv, headers } = await anyExport(live);
			const type = (headers.get('content-type') ?? 'none').replace(/[^\w/;=+ .-]/g, '?');
			const ends = csv.includes('\r\n') ? 'CRLF' : 'LF';
			const last = csv.endsWith('\n') ? 'with' : 'without';
			const seen = `${type}; ${ends}, ${last} one at the end`;
			// Node removes the mark when it decodes, so that only its length would tell.
			verify(type.startsWith('text/csv'), seen);
			return seen;
		},
	},
];
