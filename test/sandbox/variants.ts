/**
 * Where the interface leaves something open, or where descriptions of the service differ, the
 * sandbox has a switch. The defaults are what all of the vendor's own clients work with, and the
 * strictest reading of the interface beyond that. Every switch may be changed while the sandbox runs.
 */
import type { EndpointId } from './server/route';
import { defaultSqlVariants, type SqlVariants } from './sql/variants';

export type ListOrder = 'newestFirst' | 'oldestFirst' | 'shuffled';

export interface RateLimit {
	requests: number;
	windowMs: number;
}

export interface Variants extends SqlVariants {
	/** Success status by endpoint where it differs from the interface; 204 leaves the body out. */
	successStatus: Partial<Record<EndpointId, number>>;
	/** The published limit, on real time; `false` switches it off. */
	rateLimit: false | RateLimit;
	/** `GET /organization` and the hints about regions and runtimes: readable, refused or missing. */
	accountEndpoints: 'available' | 'forbidden' | 'missing';
	/** Regions in which the organization may compute. */
	regions: string[];

	/** `POST /runs` requires the `region` parameter. */
	requireRegion: boolean;
	/** `POST /runs` requires `runtime` in the body. */
	requireRuntime: boolean;
	/** `environment.sparkConfigs` requires `environment.dependencies`. */
	requireDependenciesWithSparkConfigs: boolean;
	/** What cancel returns. */
	cancelBody: 'run' | 'null' | 'empty';
	kubeApp: 'present' | 'null' | 'absent';
	runOrder: ListOrder;
	/** What `created_after` is compared with: the creation time as it is, or cut to whole seconds. */
	createdAfterPrecision: 'microseconds' | 'seconds';
	/** `created_after` has no effect, as behind a proxy that drops it. */
	ignoresCreatedAfter: boolean;
	/** From the creation of a run to the moment lists show it, in milliseconds of the sandbox clock. */
	runListLagMs: number;
	/** The same to the moment the run can be read by its ID. */
	runReadLagMs: number;
	/** Responses carry a `Date` header. */
	dateHeader: boolean;

	/** Cursors of `/runs` and `/audit-log`: by item, or by offset (pages shift as items arrive). */
	pageCursors: 'keyset' | 'offset';
	/** The `path` of an error: the address of the request, or where the value is in it (`query.region`). */
	errorPaths: 'address' | 'value';

	/**
	 * A log cursor is the position after the last line, which no client reads twice, or the time of the
	 * last line, with which the lines of that time come again.
	 */
	logCursor: 'position' | 'time';
	/** As numbers, or as digits in a text. */
	logCursorType: 'integer' | 'string';
	logTimestampType: 'integer' | 'string';
	logTimestampUnit: 'ms' | 'us' | 'ns';
	/** `next_page` of a page without lines; one with lines always names the next. */
	logNextPageAtEnd: 'null' | 'cursor';
	logsWhilePending: 'empty' | 'notFound';

	/** The unit of a run's metrics' times. */
	metricTimestampUnit: 's' | 'ms' | 'us' | 'ns';
	/** Usage in series and costs as instant values (split), usage in both groups, or one group only. */
	metricGroups: 'split' | 'both' | 'instant' | 'series';
	/** A point of a series is an object or a pair of time and value. */
	metricPoints: 'objects' | 'pairs';
	/** Metrics have the cost of a run before it has ended. */
	metricCostWhileRunning: boolean;
	metricsWhilePending: 'empty' | 'notFound';

	auditOrder: ListOrder;
	/** Whether `/audit-log` exists. */
	auditQuery: 'available' | 'missing';
	exportPath: 'both' | 'singular' | 'plural';
	exportBom: boolean;
	/** Columns after the ten documented ones, each filled with a constant. */
	exportAddedColumns: Record<string, string>;
	/** Puts a line break into each `user_agent`. */
	exportQuotedNewlines: boolean;
	exportContentType: string;
	/** What marks the end of an export's body: chunks, its length, or only the end of the connection. */
	exportFraming: 'chunked' | 'length' | 'close';
	/** Exports are compressed whether or not the client accepts that, as some proxies do. */
	exportGzip: boolean;
	exportLineEnd: '\n' | '\r\n';
	/** The last line has a line end, too; RFC 4180 leaves this open. */
	exportLastLineEnd: boolean;
	/** What an export without events consists of. */
	exportWithoutEvents: 'header' | 'nothing';

	/** What the details of a table contain of its snapshots. */
	tableSnapshots: 'all' | 'withoutRefs' | 'null';
	/** Where the update time of a table is. */
	tableUpdateTime: 'both' | 'list' | 'none';

	/** Headers of a template download; what the service sends isn't documented. */
	templateHeaders: Record<string, string>;

	/** How long the address of a file is valid, in seconds of the sandbox's clock. */
	presignedSeconds: number;
	/** The caller's own files: available, also in the list of storages, or not enabled. */
	myFiles: 'available' | 'listed' | 'missing';
	/** Whether a new folder requires the one above it, or implies it. */
	folderParents: 'required' | 'implied';
	/** The listing of a folder that does not exist. */
	missingFolder: 'notFound' | 'empty';
	/** A file that does not exist: reported by the service, or only by the storage to which it redirects. */
	missingFile: 'notFound' | 'redirect';
	/** Creating a folder that exists: refused with 409, or a success. */
	existingFolder: 'conflict' | 'success';
	/** Listings show the object that represents an empty folder. */
	folderMarkers: boolean;
	/** The name of a folder in a listing, with a slash at the end or without. */
	folderNames: 'plain' | 'slash';
	/** The path of an entry: relative to the storage, with a prefix that no request accepts, or none. */
	entryPaths: 'relative' | 'prefixed' | 'absent';
	/** A download is a redirect, or the file itself. */
	fileDownload: 'redirect' | 'body';
	fileRedirectStatus: 302 | 303 | 307;
	/** The newer endpoint for a download URL with its expiry. */
	fileDownloadUrl: 'available' | 'missing';

	/** The path for running a task, according to the service's description. */
	taskRunPath: `/tasks/{${string}}/${'runs' | 'run'}`;
	/** The service's own description. */
	description: 'whole' | 'withoutTasks' | 'missing';
	/** How far the state of a task run is behind, in milliseconds of the sandbox clock. */
	taskStateLagMs: number;
	/** Whether a task run that succeeded says when it ended. */
	taskEndedAt: 'present' | 'null';
	/** How often a task run that succeeded has to be read before its results are there. */
	taskReadsWithoutResults: number;
	/** The property in which a task describes its inputs. */
	taskSchemaName: 'inputSchema' | 'inputs' | 'none';
	taskCancelBody: 'empty' | 'null';
	/** The maximum size of pages of tasks and their runs, whatever was requested; then, whether `limit` hides it. */
	taskPageMax: number;
	taskPageEchoesLimit: boolean;
	/** Whether `total` counts the records of the list, or something else, of which there are none. */
	taskTotal: 'exact' | 'other';
	/** The maximum number of lines in a page of a task run's log; then, `nextSince` at the end of the log. */
	taskLogPage: number;
	taskLogEnd: 'null' | 'absent';
	/** The submission time of a run that its schedule missed. */
	taskMissedTime: 'due' | 'recorded';
	/** How many task runs are submitted whenever a page of them has been read. */
	taskRunsPerPage: number;
}

export const defaultVariants: Variants = {
	successStatus: {},
	rateLimit: false,
	accountEndpoints: 'available',
	regions: [
		'aws-us-west-2',
		'aws-us-east-1',
		'aws-us-east-2',
		'aws-eu-west-1',
		'aws-ap-south-1',
		'byoc-acme-us-east-1',
	],
	requireRegion: false,
	requireRuntime: false,
	requireDependenciesWithSparkConfigs: false,
	cancelBody: 'run',
	kubeApp: 'present',
	runOrder: 'newestFirst',
	createdAfterPrecision: 'microseconds',
	ignoresCreatedAfter: false,
	runListLagMs: 0,
	runReadLagMs: 0,
	dateHeader: true,
	pageCursors: 'keyset',
	errorPaths: 'address',
	logCursor: 'position',
	logCursorType: 'string',
	logTimestampType: 'integer',
	logTimestampUnit: 'ms',
	logNextPageAtEnd: 'null',
	logsWhilePending: 'empty',
	metricTimestampUnit: 'ms',
	metricGroups: 'split',
	metricPoints: 'objects',
	metricCostWhileRunning: false,
	metricsWhilePending: 'empty',
	auditOrder: 'newestFirst',
	auditQuery: 'available',
	exportPath: 'both',
	exportBom: false,
	exportAddedColumns: {},
	exportQuotedNewlines: false,
	exportContentType: 'text/csv; charset=utf-8',
	exportFraming: 'chunked',
	exportGzip: false,
	exportLineEnd: '\n',
	exportLastLineEnd: true,
	exportWithoutEvents: 'header',
	tableSnapshots: 'all',
	tableUpdateTime: 'both',
	templateHeaders: { 'content-type': 'application/x-yaml' },
	presignedSeconds: 60,
	myFiles: 'available',
	folderParents: 'required',
	missingFolder: 'notFound',
	missingFile: 'notFound',
	existingFolder: 'conflict',
	folderMarkers: true,
	folderNames: 'plain',
	entryPaths: 'relative',
	fileDownload: 'redirect',
	fileRedirectStatus: 307,
	fileDownloadUrl: 'available',
	taskRunPath: '/tasks/{task_name}/runs',
	description: 'whole',
	taskStateLagMs: 0,
	taskEndedAt: 'present',
	taskReadsWithoutResults: 0,
	taskSchemaName: 'inputSchema',
	taskCancelBody: 'empty',
	taskPageMax: 100,
	taskPageEchoesLimit: false,
	taskTotal: 'exact',
	taskLogPage: 100,
	taskLogEnd: 'null',
	taskMissedTime: 'recorded',
	taskRunsPerPage: 0,
	...defaultSqlVariants,
};
