/**
 * What is taken for granted of the live service and shows in no operation, but in the responses that
 * operations got. docs/live-checks.md is written from this list.
 */
import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../nodes/Wherobots/service/records';
import { AUDIT_COLUMNS } from '../../nodes/Wherobots/service/records/auditEvent';
import type { Exchange, Recorder } from './recorder';

/**
 * As on the page, but for the guesses: a name, which stays the same, so that reports of different years
 * can be compared; the first file to look at if it is otherwise; and what is assumed.
 */
const PAGE = `
### Every request

date-header | transport/client.ts | Responses have a \`Date\` header, the service’s clock.
error-body | transport/explain.ts | A refused request is answered with \`errors\` and \`requestId\`, also in \`X-Request-Id\`.
error-path | transport/explain.ts | The \`path\` of an error is the request’s route, not the name of a field.
organization-defaults | methods/lists.ts | \`GET /organization\` and \`GET /me/jupyter/lab/config-hint\` are readable with any key.

### Job runs

log-cursor-digits | useCases/runs/logs.ts | \`next_page\` of a log is a number of lines, as a text of digits: that of the next line, on each page with lines and on no other.
log-timestamps | service/runs/logLines.ts | A line of a log has a \`timestamp\`, a number in milliseconds since 1970.
metrics-groups | service/runs/costs.ts | CPU and memory are in \`series_metrics\` only, cost and Spatial Units in \`instant_metrics\` only.
metrics-points | service/runs/costs.ts | A point of a metric is an object with \`value\` and \`timestamp\`.

### Files

storage-list | service/files.ts | \`GET /storage\` has one managed storage; My Files, \`user_files::\`, is not in it.
entry-path | useCases/files/files.ts | An entry has the \`path\` with which it is requested, and a name without a slash.
download-redirect | service/files.ts | A download is a redirect to an address that is valid for about a minute.
download-link | useCases/files/files.ts | \`GET …/file-download-url/{path}\` exists.

### Audit log

audit-export-path | useCases/auditLog/auditExport.ts | The export is at \`/audit-log/export\`; \`/audit-logs/export\` is tried after that.
audit-export-form | service/records/auditEvent.ts | The export is \`text/csv\` in chunks, with the ten documented columns, also without events, lines end with a line feed, and there is no byte order mark.

### Tasks

task-list | useCases/runs/taskRuns.ts | \`GET /tasks\` and \`GET /task-runs\` have the \`total\` of the list, and pages of up to 100.
task-log-end | useCases/runs/taskRuns.ts | A page of a task run’s log has \`nextSince\`, which is null at the end.

### SQL

sql-session-redirect | useCases/sql/session.ts | A request for a session is answered by 303 with the session’s whole address in \`Location\`.
sql-frames | transport/socket.ts | Messages with bytes, compressed as requested, come as CBOR in binary frames, others as JSON text, all of the known kinds.
sql-states | service/sql/protocol.ts | A statement is reported running, then in the state of its end, each once.
sql-stored-result | service/sql/protocol.ts | A stored result has \`result_uri\` and \`size\`; states of other statements do not name them.

### Shown by nothing

- The address of a job run’s page in the console, so nodes return none.
- Whether a lost connection to a SQL session can be replaced while its statement goes on (\`attach\`).
- Whether a service short of quota hands out another session, and says so in a header.
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
const bodyOf = ({ json }: Exchange) => (isRecord(json) ? json : {});

const logs = pages('GET /runs/{run_id}/logs');
const entries = (seen: Recorder) =>
	seen.ok('GET /storage/{storage_id}/directories/{path}').flatMap((page) => listIn(page));
const messages = ({ frames }: Recorder) => frames.map(({ message }) => message);
const states = (seen: Recorder) => messages(seen).filter(({ kind }) => kind === 'state_updated');

const metrics = pages('GET /runs/{run_id}/metrics');

const EXPORT = 'GET /audit-log/export';
const HEADER = `${AUDIT_COLUMNS.join()}\n`;
const KINDS = /^(state_updated|execution_result|execution_progress|error)$/;

/** Whether a guess holds, by its name; undefined where nothing that was seen tells. */
const HOLDS: Record<string, (seen: Recorder) => boolean | undefined> = {
	'date-header': all(own, ({ headers }) => headers.date !== undefined),
	'error-body': all(refused, (error) => {
		const { errors, requestId } = bodyOf(error);
		return Array.isArray(errors) && requestId === error.headers['x-request-id'];
	}),
	'error-path': all(
		(seen) => refused(seen).flatMap((error) => listIn(bodyOf(error), 'errors')),
		({ path }) => !path || String(path).startsWith('/'),
	),
	'organization-defaults': all(
		(seen) => seen.of('GET /organization', 'GET /me/jupyter/lab/config-hint'),
		({ status }) => status === 200,
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
		if (metrics(seen).length === 0) return undefined;
		const has = (name: string, metric: string) =>
			metrics(seen).some(({ [name]: group }) => isRecord(group) && metric in group);
		const [cpu, cost] = ['CPU_UTILIZATION_PERCENT', 'COST_USD'];
		const isSplit = has('series_metrics', cpu) && has('instant_metrics', cost);
		return isSplit && !has('series_metrics', cost) && !has('instant_metrics', cpu);
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
		entries,
		({ path, name }) =>
			typeof path === 'string' && !/^(s3:|\/)/.test(path) && !String(name).includes('/'),
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
			body.endsWith('\n'),
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
