/**
 * What is taken for granted of the live service and shows in no operation, but in the responses that
 * operations got. docs/live-checks.md is written from this list.
 */
import { isRecord, type Json } from './mask';
import { decode, jsonOf, type Exchange, type Recorder } from './recorder';

/** Areas; below each, the name of a guess, the first file to look at if it is otherwise, and what is assumed. */
const TEXTS = `
Every request
date-header | transport/client.ts | Responses have a \`Date\` header, the service’s clock.
error-body | transport/explain.ts | A refused request returns \`errors\` and \`requestId\`, the latter also in \`X-Request-Id\`.
error-path | transport/explain.ts | The \`path\` of an error is the request’s route, not the name of a field.
times-zone | service/time.ts | A time says its zone.
organization-defaults | methods/lists.ts | \`GET /organization\` and \`GET /me/jupyter/lab/config-hint\` are readable with any key.

Job runs
log-cursor-digits | useCases/runs/logs.ts | \`next_page\` of a log is a string of digits, and every page with lines has one.
log-end | useCases/runs/logs.ts | A page of a log without lines has no \`next_page\`.
log-cursor-lines | useCases/runs/logs.ts | The cursor of a log counts lines: the next page begins with the line after it.
log-timestamps | service/runs/logLines.ts | A line of a log has a \`timestamp\` in milliseconds since 1970.
metrics-groups | service/runs/costs.ts | CPU and memory are in \`series_metrics\` only, cost and Spatial Units in \`instant_metrics\` only.
metrics-points | service/runs/costs.ts | A point of a metric is an object with \`value\` and \`timestamp\`.
cancel-body | service/endpoints.ts | Cancelling a job run returns the run.

Files
storage-list | service/files.ts | \`GET /storage\` lists one managed storage, and not My Files (\`user_files::\`).
entry-path | useCases/files/files.ts | An entry has a name without a slash, and the \`path\` by which it is requested.
download-redirect | service/files.ts | A download is a redirect to an address that is valid for about a minute.
download-link | useCases/files/files.ts | \`GET …/file-download-url/{path}\` exists.

Catalogs
table-update-time | trigger/core/tables.ts | Tables have an \`updateTime\` in lists and in their details.
table-snapshots | service/tables/catalogs.ts | Details of a table have \`snapshots\`, each with a numeric \`snapshot-id\`, and \`refs\` with \`main\`.

Audit log
audit-export-path | useCases/auditLog/auditExport.ts | The export is at \`/audit-log/export\`; \`/audit-logs/export\` is tried after that.
audit-export-form | service/records/auditEvent.ts | The export is \`text/csv\` in chunks, with the ten documented columns even without events, line feeds at the ends of lines, and no byte order mark.

Tasks
task-list | useCases/runs/taskRuns.ts | \`GET /tasks\` and \`GET /task-runs\` return the \`total\` of the list, and pages of up to 100 records.
task-inputs | service/runs/taskRuns.ts | A task describes its inputs in \`inputSchema\`.
task-run-path | useCases/runs/taskRuns.ts | \`/openapi.json\` has \`POST /tasks/{…}/runs\`.
task-cost | useCases/runs/taskRuns.ts | The cost of a task run has \`isSettling\`, and \`totalCostUsd\` as a string.
task-run-end | useCases/runs/taskRuns.ts | A task run that was started and succeeded has \`endedAt\`.
task-log-end | useCases/runs/taskRuns.ts | A page of a task run’s log has \`nextSince\`, which is null on the last page.

SQL
sql-session-redirect | useCases/sql/session.ts | A request for a session is answered with 303 and the session’s complete URL in \`Location\`.
sql-url-while-starting | useCases/sql/session.ts | While a session starts, its \`appMeta\` is null.
sql-socket-path | service/sql/protocol.ts | The path of a session’s socket is \`/sql/{id}/{session}/ws\`, followed by the version.
sql-frames | transport/socket.ts | Messages that contain bytes arrive as CBOR in binary frames, others as JSON text.
sql-states | service/sql/protocol.ts | A statement is reported once as running, and once in its final state.
sql-results | service/sql/protocol.ts | Results are Arrow, compressed as requested.
sql-stored-result | service/sql/protocol.ts | Where a result is stored, the final state has \`result_uri\` and \`size\`; others do not.
sql-kinds | service/sql/protocol.ts | All messages of a socket are of the known kinds.
`;

/** What no response shows. */
export const OPEN = [
	'The URL of a job run’s page in Wherobots Cloud. The nodes therefore return none.',
	'Whether a lost connection to a SQL session can be replaced while its statement continues (`attach`).',
	'Whether the service, when a quota is used up, returns another session and says so in a header.',
];

export interface Guess {
	/** Stays the same, so that reports of different years can be compared. */
	name: string;
	area: string;
	assumed: string;
	code: string;
}

/** By area, in the order of the page. */
export const guesses: Guess[] = TEXTS.trim()
	.split('\n\n')
	.flatMap((part) => {
		const [area, ...lines] = part.split('\n');
		return lines.map((line) => {
			const [name, code, assumed] = line.split(' | ');
			return { name, area, assumed, code: `nodes/Wherobots/${code}` };
		});
	});

/** Whether something holds for all of them; undefined if there are none. */
const every = <T>(all: T[], holds: (each: T) => boolean) =>
	all.length === 0 ? undefined : all.every(holds);

const objects = (seen: Recorder, route: string) => seen.ok(route).filter(isRecord);
const listIn = (page: unknown, member: string): Json[] => {
	const list = isRecord(page) ? page[member] : page;
	return Array.isArray(list) ? list.filter(isRecord) : [];
};
const records = (seen: Recorder, route: string, member = 'items') =>
	seen.ok(route).flatMap((page) => listIn(page, member));

const own = ({ exchanges }: Recorder) => exchanges.filter(({ route }) => route !== undefined);
const refused = (seen: Recorder) => own(seen).filter(({ status }) => status >= 400);
const bodyOf = (exchange: Exchange): Json => {
	const json = jsonOf(exchange);
	return isRecord(json) ? json : {};
};

const TABLES = 'GET /catalogs/{catalog_id}/namespaces/{namespace_name}/tables';
const details = (seen: Recorder) => objects(seen, `${TABLES}/{table_name}`);
const logs = (seen: Recorder) => objects(seen, 'GET /runs/{run_id}/logs');
const FOLDER = '/storage/{storage_id}/directories/{path}';
const trim = (path: string) => path.replace(/^\/|\/$/g, '');
/** Entries of folders, each with the path of its folder. */
const entries = (seen: Recorder) =>
	seen.of(`GET ${FOLDER}`).flatMap((listed) => {
		const [, folder] = /\/directories\/(.*)$/.exec(decode(listed.url.pathname)) ?? ['', ''];
		return listIn(jsonOf(listed), 'items').map((each): Json => ({ ...each, folder }));
	});
const sent = ({ frames }: Recorder) =>
	frames.map(({ message }) => (isRecord(message) ? message : {}));
const states = (seen: Recorder) => sent(seen).filter(({ kind }) => kind === 'state_updated');
const resultIn = ({ results }: Json) => (isRecord(results) ? results : {});

const groups = (seen: Recorder, name: string) =>
	objects(seen, 'GET /runs/{run_id}/metrics').map((each) => (each[name] ?? {}) as Json);
const hasMetric = (seen: Recorder, group: string, metric: string) =>
	groups(seen, group).some((each) => metric in each);

const COLUMNS =
	'event_id,event_time,action_name,user_id,user_name,user_agent,source_ip,resource_name,resource_id,compute_region\n';

/** Whether a guess holds, by its name; undefined where nothing that was seen tells. */
const HOLDS: Record<string, (seen: Recorder) => boolean | undefined> = {
	'date-header': (seen) => every(own(seen), ({ headers }) => headers.date !== undefined),
	'error-body': (seen) =>
		every(refused(seen), (error) => {
			const { errors, requestId } = bodyOf(error);
			const isNamed = typeof requestId === 'string' && requestId === error.headers['x-request-id'];
			return Array.isArray(errors) && isNamed;
		}),
	'error-path': (seen) =>
		every(
			refused(seen).flatMap((error) => listIn(bodyOf(error), 'errors')),
			({ path }) => !path || String(path).startsWith('/'),
		),
	'times-zone': (seen) =>
		every(
			own(seen).flatMap(({ body }) => body.match(/"\w*(Time|At|_time)": *"\d{4}-[^"]*"/g) ?? []),
			(time) => /(Z|[+-]\d\d:?\d\d)"$/.test(time),
		),
	'organization-defaults': (seen) =>
		every(
			['GET /organization', 'GET /me/jupyter/lab/config-hint'].flatMap((each) => seen.of(each)),
			({ status }) => status === 200,
		),
	'log-cursor-digits': (seen) =>
		every(
			logs(seen).filter((page) => listIn(page, 'items').length > 0),
			({ next_page }) => typeof next_page === 'string' && /^\d+$/.test(next_page),
		),
	'log-end': (seen) =>
		every(
			logs(seen).filter((page) => listIn(page, 'items').length === 0),
			({ next_page }) => (next_page ?? null) === null,
		),
	'log-cursor-lines': (seen) => every(logs(seen), ({ next_page }) => Number(next_page ?? 0) < 1e9),
	'log-timestamps': (seen) =>
		every(
			logs(seen).flatMap((page) => listIn(page, 'items')),
			({ timestamp: at }) => typeof at === 'number' && at > 1e12 && at < 1e13,
		),
	'metrics-groups': (seen) => {
		const all = ['series_metrics', 'instant_metrics'].flatMap((name) => groups(seen, name));
		// Some runs have none any more, or none yet.
		return every(all.filter((group) => Object.keys(group).length > 0).slice(0, 1), () => {
			const has = (group: string, metric: string) => hasMetric(seen, `${group}_metrics`, metric);
			const [cpu, cost] = ['CPU_UTILIZATION_PERCENT', 'COST_USD'];
			const isSplit = has('series', cpu) && has('instant', cost);
			return isSplit && !has('series', cost) && !has('instant', cpu);
		});
	},
	'metrics-points': (seen) =>
		every(
			['series_metrics', 'instant_metrics']
				.flatMap((name) => groups(seen, name).flatMap((group) => Object.values(group)))
				.flatMap((each) => [(each as { metric?: { data?: unknown } }).metric?.data ?? []].flat()),
			(point) => isRecord(point) && 'timestamp' in point,
		),
	'cancel-body': (seen) =>
		every(seen.ok('POST /runs/{run_id}/cancel'), (body) => isRecord(body) && 'id' in body),
	'storage-list': (seen) =>
		every(seen.ok('GET /storage'), (list) => {
			const managed = listIn(list, '').filter(({ type }) => type === 'MANAGED');
			return managed.length === 1 && !String(managed[0].id).startsWith('user_files::');
		}),
	'entry-path': (seen) =>
		every(entries(seen), ({ path, name, folder }) => {
			const expected = `${String(folder).replace(/\/?$/, '/')}${String(name)}`;
			const isThere = trim(String(path)) === trim(expected) && typeof path === 'string';
			return isThere && !/^(s3:|\/)/.test(path) && !String(name).includes('/');
		}),
	'download-redirect': (seen) =>
		every(
			seen.of('GET /storage/{storage_id}/files/{path}').filter(({ status }) => status < 400),
			({ status, headers }) => {
				const [, seconds = '60'] = /X-Amz-Expires=(\d+)/.exec(headers.location ?? '') ?? [];
				return status >= 300 && Number(seconds) <= 120;
			},
		),
	'download-link': (seen) =>
		every(seen.of('GET /storage/{storage_id}/file-download-url/{path}'), ({ status, body }) =>
			status === 404 ? /file/i.test(body) && !/route|path/i.test(body) : status === 200,
		),
	'table-update-time': (seen) =>
		every(
			[
				...records(seen, TABLES, 'tables').filter((each) => each.table_type !== 'VIEW'),
				...details(seen),
			],
			({ updateTime, snapshots }) =>
				updateTime !== undefined && (listIn(snapshots, '').length === 0 || Boolean(updateTime)),
		),
	'table-snapshots': (seen) =>
		every(details(seen), ({ snapshots, refs }) => {
			const ids = listIn(snapshots, '').map((each) => each['snapshot-id']);
			const isNumber = (id: unknown) => typeof id === 'number' || /^#/.test(String(id));
			const hasMain = isRecord(refs) && 'main' in refs;
			return Array.isArray(snapshots) && ids.every(isNumber) && (ids.length === 0 || hasMain);
		}),
	'audit-export-path': (seen) =>
		every(
			seen.of('GET /audit-log/export').filter(({ status }) => status !== 403),
			({ status }) => status === 200,
		),
	'audit-export-form': (seen) =>
		every(
			['GET /audit-log/export', 'GET /audit-logs/export']
				.flatMap((route) => seen.of(route))
				.filter(({ status }) => status === 200),
			({ body, headers }) =>
				/^text\/csv/.test(headers['content-type'] ?? '') &&
				headers['transfer-encoding'] === 'chunked' &&
				body.startsWith(COLUMNS) &&
				body.endsWith('\n'),
		),
	'task-list': (seen) =>
		every(
			[...objects(seen, 'GET /tasks'), ...objects(seen, 'GET /task-runs')],
			(page) =>
				Number(page.total) >= listIn(page, 'items').length && Number(page.limit ?? 100) >= 100,
		),
	'task-inputs': (seen) =>
		every(objects(seen, 'GET /tasks/{taskName}'), (each) => isRecord(each.inputSchema)),
	'task-run-path': (seen) =>
		every(seen.of('GET /openapi.json'), ({ body }) => /"\/tasks\/\{\w+\}\/runs"/.test(body)),
	'task-cost': (seen) =>
		every(
			objects(seen, 'GET /task-runs/{taskRunId}/cost'),
			(each) => typeof each.totalCostUsd === 'string' && typeof each.isSettling === 'boolean',
		),
	'task-run-end': (seen) =>
		every(
			records(seen, 'GET /task-runs').filter(
				(each) => each.state === 'SUCCEEDED' && each.startedAt,
			),
			({ endedAt }) => Boolean(endedAt),
		),
	'task-log-end': (seen) =>
		every(objects(seen, 'GET /task-runs/{taskRunId}/logs'), (page) => 'nextSince' in page),
	'sql-session-redirect': (seen) =>
		every(seen.of('POST /sql/session'), ({ headers }) => /^https?:/.test(headers.location ?? '')),
	'sql-url-while-starting': (seen) =>
		every(
			objects(seen, 'GET /sql/session/{session_id}').filter(({ status }) => status !== 'READY'),
			({ appMeta }) => appMeta === null,
		),
	'sql-socket-path': ({ sockets }) =>
		every(sockets, (url) => /\/sql\/[^/]+\/[^/]+\/ws/.test(new URL(url).pathname)),
	'sql-frames': ({ frames }) =>
		every(frames, ({ isBinary, message }) => {
			const { result_bytes: bytes } = resultIn(isRecord(message) ? message : {});
			return isBinary === (bytes !== undefined);
		}),
	'sql-states': (seen) => {
		const all = states(seen).map(
			({ execution_id, state }) => `${String(execution_id)} ${String(state)}`,
		);
		const isRunning = all.some((each) => each.endsWith(' running'));
		return all.length === 0 ? undefined : isRunning && new Set(all).size === all.length;
	},
	'sql-results': (seen) =>
		every(
			sent(seen)
				.map(resultIn)
				.filter(({ result_bytes }) => result_bytes !== undefined),
			({ format, compression }) => format === 'arrow' && compression !== 'none',
		),
	'sql-stored-result': (seen) =>
		every(
			states(seen),
			({ result_uri: uri, size }) =>
				uri === undefined || (typeof uri === 'string' && typeof size === 'number'),
		),
	'sql-kinds': (seen) =>
		every(sent(seen), ({ kind }) =>
			['state_updated', 'execution_result', 'execution_progress', 'error'].includes(String(kind)),
		),
};

/** @returns undefined where nothing that was seen tells */
export const isAsGuessed = ({ name }: Guess, seen: Recorder) => HOLDS[name](seen);
