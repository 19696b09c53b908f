/**
 * What is taken for granted of the live service and shows in no operation, but in the responses that
 * operations got. docs/live-checks.md is written from this list.
 */
import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../nodes/Wherobots/service/records';
import { AUDIT_COLUMNS } from '../../nodes/Wherobots/service/records/auditEvent';
import { text } from './case';
import { decode, type Exchange, type Recorder } from './recorder';

/**
 * As on the page, but for the guesses: a name, which stays the same, so that reports of different years
 * can be compared; the first file to look at if it is otherwise; and what is assumed.
 */
const PAGE = `
### Every request

date-header | transport/client.ts | Responses have a \`Date\` header, the service's clock.
error-body | transport/explain.ts | A refused request returns \`errors\` and \`requestId\`, the latter also in \`X-Request-Id\`.
error-path | transport/explain.ts | The \`path\` of an error is the request's route, not the name of a field.
times-zone | service/time.ts | A time includes its zone.
rate-limit | transport/retry.ts | A request that is refused for the rate (429) says in \`Retry-After\` when to try again.
organization-defaults | methods/lists.ts | \`GET /organization\` and \`GET /me/jupyter/lab/config-hint\` are readable with any key.

### Job runs

log-cursor-digits | useCases/runs/logs.ts | \`next_page\` of a log is a string of digits, which counts the lines before that page. Every page with lines has one, and no other page.
log-timestamps | service/runs/logLines.ts | A line of a log has a \`timestamp\` in milliseconds since 1970.
metrics-groups | service/runs/costs.ts | CPU and memory are in \`series_metrics\` only, cost and Spatial Units in \`instant_metrics\` only.
metrics-points | service/runs/costs.ts | A point of a metric is an object with \`value\` and \`timestamp\`.

### Files

storage-list | service/files.ts | \`GET /storage\` lists one managed storage, and not My Files (\`user_files::\`).
entry-path | useCases/files/files.ts | An entry has a name without a slash, and the \`path\` by which it is requested.
download-redirect | service/files.ts | A download is a redirect to an address that is valid for about a minute.
download-link | useCases/files/files.ts | \`GET …/file-download-url/{path}\` exists.

### Catalogs

nested-namespaces | service/tables/names.ts | The levels of a nested namespace's name are separated by periods.
table-update-time | trigger/core/tables.ts | Entries of a namespace have a \`table_type\`. Tables have an \`updateTime\`, in lists and in their details.

### Audit log

audit-export-path | useCases/auditLog/auditExport.ts | The export is at \`/audit-log/export\`; \`/audit-logs/export\` is tried after that.
audit-export-form | service/records/auditEvent.ts | The export is \`text/csv\` in chunks, with the ten documented columns even without events, times as in JSON, line feeds at the ends of lines, and no byte order mark.

### Tasks

task-list | useCases/runs/taskRuns.ts | \`GET /tasks\` and \`GET /task-runs\` return the \`total\` of the list, and pages of up to 100 records.
task-log-end | useCases/runs/taskRuns.ts | A page of a task run's log has \`nextSince\`, which is null on the last page.

### SQL

sql-session-redirect | useCases/sql/session.ts | A request for a session is answered with 303 and the session's complete URL in \`Location\`.
sql-frames | transport/socket.ts | Messages are of the known kinds. Those that contain bytes, compressed as requested, arrive as CBOR in binary frames, others as JSON text.
sql-states | service/sql/protocol.ts | A statement is reported once as running, and once in its final state.
sql-stored-result | service/sql/protocol.ts | Where a result is stored, the final state has \`result_uri\` and \`size\`; others do not.

### What no response shows

- The URL of a job run's page in Wherobots Cloud. The nodes therefore return none.
- Whether the service, when a quota is used up, returns another session and says so in a header.
`;

export interface Guess {
	name: string;
	code: string;
	assumed: string;
}

const GUESS = /^(\S+) \| (\S+) \| (.*)$/gm;

export const guesses: Guess[] = [...PAGE.matchAll(GUESS)].map(([, name, code, assumed]) => ({
	...{ name, code: `nodes/Wherobots/${code}`, assumed },
}));

/** The list as docs/live-checks.md has it. */
export const renderGuesses = () => PAGE.trim().replace(GUESS, '- `$1`: $3');

/** Something holds for all that was seen. */
const all =
	<T>(select: (seen: Recorder) => T[], holds: (each: T) => boolean) =>
	(seen: Recorder) => {
		const found = select(seen);
		return found.length === 0 ? undefined : found.every(holds);
	};

const listIn = (page: unknown, member = 'items'): IDataObject[] => {
	const list = isRecord(page) ? page[member] : page;
	return Array.isArray(list) ? list.filter(isRecord) : [];
};

const pages =
	(...routes: string[]) =>
	(seen: Recorder) =>
		seen.ok(...routes).filter(isRecord);
const own = ({ exchanges }: Recorder) => exchanges.filter(({ route }) => route !== undefined);
const refused = (seen: Recorder) => own(seen).filter(({ status }) => status >= 400);

const logs = pages('GET /runs/{run_id}/logs');
const metrics = pages('GET /runs/{run_id}/metrics');

/** Whether entries of a folder are requested with its path and their names, by their paths. */
const areBelow = ({ url, json }: Exchange) =>
	listIn(json).map(({ path, name }) => {
		// A path may be requested with a slash at its ends; the folder itself is one without a name.
		const asked = `${decode(url.pathname)}/${String(name)}/`.replace(/\/+/g, '/');
		const isThere = asked.endsWith(`/directories/${String(path).replace(/\/?$/, '/')}`);
		return isThere && !String(name).includes('/');
	});

const NAMESPACES = 'GET /catalogs/{catalog_id}/namespaces';
/** Between levels; in the paths of Iceberg's own catalogs, it is a control character. */
const LEVELS = /[./\p{Cc}]/u;
const TABLES = `${NAMESPACES}/{namespace_name}/tables`;
const tables = (seen: Recorder) => seen.ok(TABLES).flatMap((page) => listIn(page, 'tables'));
const details = pages(`${TABLES}/{table_name}`);
const states = ({ frames }: Recorder) =>
	frames.map(({ message }) => message).filter(({ kind }) => kind === 'state_updated');

const EXPORT = 'GET /audit-log/export';
const HEADER = `${AUDIT_COLUMNS.join()}\n`;
const CSV_TIME = /\d-\d\dT\d\d:[\d:.]+(Z|[+-]\d\d:\d\d)/;
const KINDS = /^(state_updated|execution_result|execution_progress|error)$/;

/** Whether a guess holds, by its name; undefined where nothing that was seen tells. */
const HOLDS: Record<string, (seen: Recorder) => boolean | undefined> = {
	'date-header': all(own, ({ headers }) => headers.date !== undefined),
	'error-body': all(refused, ({ json, headers }) => {
		const { errors, requestId = '' } = isRecord(json) ? json : {};
		return Array.isArray(errors) && requestId === headers['x-request-id'];
	}),
	'error-path': all(
		(seen) => refused(seen).flatMap(({ json }) => listIn(json, 'errors')),
		({ path }) => !path || String(path).startsWith('/'),
	),
	'times-zone': all(
		(seen) =>
			own(seen).flatMap(({ body }) => body.match(/"\w*(Time|At|_time)": *"\d{4}-[^"]*"/g) ?? []),
		(time) => /(Z|[+-]\d\d:?\d\d)"$/.test(time),
	),
	'rate-limit': all(
		(seen) => refused(seen).filter(({ status }) => status === 429),
		({ headers }) => headers['retry-after'] !== undefined,
	),
	'organization-defaults': all(
		(seen) => seen.of('GET /organization', 'GET /me/jupyter/lab/config-hint'),
		({ status }) => status === 200 || status === 429,
	),
	'log-cursor-digits': all(logs, ({ items, next_page: next }) =>
		listIn(items).length > 0
			? typeof next === 'string' && /^\d{1,9}$/.test(next)
			: (next ?? null) === null,
	),
	'log-timestamps': all(
		(seen) => logs(seen).flatMap((page) => listIn(page)),
		({ timestamp: at }) => typeof at === 'number' && at > 1e12 && at < 1e13,
	),
	'metrics-groups': (seen) => {
		const series = metrics(seen).flatMap((each) => Object.keys(each.series_metrics ?? {}));
		const instant = metrics(seen).flatMap((each) => Object.keys(each.instant_metrics ?? {}));
		// Some runs have none any more, or none yet.
		if (series.length + instant.length === 0) return undefined;
		const [cpu, cost] = ['CPU_UTILIZATION_PERCENT', 'COST_USD'];
		const isSplit = series.includes(cpu) && instant.includes(cost);
		return isSplit && !series.includes(cost) && !instant.includes(cpu);
	},
	'metrics-points': all(
		(seen) =>
			metrics(seen)
				.flatMap(({ series_metrics, instant_metrics }) => [series_metrics, instant_metrics])
				.flatMap((group) => Object.values(group ?? {}))
				.flatMap(({ metric }: { metric?: { data?: unknown } }) => [metric?.data ?? []].flat()),
		(point) => isRecord(point) && 'timestamp' in point,
	),
	'storage-list': all(
		(seen) => seen.ok('GET /storage'),
		(list) => {
			const managed = listIn(list).filter(({ type }) => type === 'MANAGED');
			return managed.length === 1 && !String(managed[0].id).startsWith('user_files::');
		},
	),
	'entry-path': all(
		(seen) => seen.of('GET /storage/{storage_id}/directories/{path}').flatMap(areBelow),
		Boolean,
	),
	'download-redirect': all(
		(seen) =>
			seen.of('GET /storage/{storage_id}/files/{path}').filter(({ status }) => status < 400),
		({ status, headers }) => {
			const [, seconds = '60'] = /X-Amz-Expires=(\d+)/.exec(headers.location ?? '') ?? [];
			return status >= 300 && Number(seconds) <= 120;
		},
	),
	'download-link': all(
		(seen) => seen.of('GET /storage/{storage_id}/file-download-url/{path}'),
		({ status, body }) =>
			status === 404 ? /file/i.test(body) && !/route|path/i.test(body) : status === 200,
	),
	'nested-namespaces': all(
		(seen) =>
			seen
				.ok(NAMESPACES)
				.flatMap((page) => listIn(page, 'namespaces'))
				.filter(({ name }) => typeof name !== 'string' || LEVELS.test(name)),
		({ name }) => LEVELS.exec(text(name))?.[0] === '.',
	),
	'table-update-time': all(
		(seen) => [...tables(seen).filter((each) => each.table_type !== 'VIEW'), ...details(seen)],
		({ table_type: type, updateTime, snapshots }) =>
			Boolean(type) &&
			updateTime !== undefined &&
			(listIn(snapshots).length === 0 || Boolean(updateTime)),
	),
	'audit-export-path': all(
		(seen) => seen.of(EXPORT).filter(({ status }) => status !== 403),
		({ status }) => status === 200,
	),
	'audit-export-form': all(
		(seen) => seen.of(EXPORT, 'GET /audit-logs/export').filter(({ status }) => status === 200),
		({ body, headers }) =>
			/^text\/csv/.test(headers['content-type'] ?? '') &&
			headers['transfer-encoding'] === 'chunked' &&
			body.startsWith(HEADER) &&
			body.endsWith('\n') &&
			(body === HEADER || CSV_TIME.test(body)),
	),
	'task-list': all(
		pages('GET /tasks', 'GET /task-runs'),
		(page) => Number(page.total) >= listIn(page).length && Number(page.limit ?? 100) >= 100,
	),
	'task-log-end': all(pages('GET /task-runs/{taskRunId}/logs'), (page) => 'nextSince' in page),
	'sql-session-redirect': all(
		(seen) => seen.of('POST /sql/session'),
		({ headers }) => /^https?:/.test(headers.location ?? ''),
	),
	'sql-frames': all(
		({ frames }) => frames,
		({ isBinary, message: { kind, results } }) => {
			const { result_bytes: bytes, compression } = isRecord(results) ? results : {};
			const isRight = bytes === undefined ? !isBinary : isBinary && compression !== 'none';
			return isRight && KINDS.test(String(kind));
		},
	),
	'sql-states': (seen) => {
		const told = states(seen).map((each) => `${String(each.execution_id)} ${String(each.state)}`);
		const isRunning = told.some((each) => each.endsWith(' running'));
		return told.length === 0 ? undefined : isRunning && new Set(told).size === told.length;
	},
	'sql-stored-result': all(
		states,
		({ result_uri: uri, size }) =>
			uri === undefined || (typeof uri === 'string' && typeof size === 'number'),
	),
};

/** @returns undefined where nothing that was seen tells */
export const isAsGuessed = ({ name }: Guess, seen: Recorder) => HOLDS[name](seen);
