/**
 * Where the interface leaves something open, or where descriptions of the service differ, the
 * sandbox has a switch. The defaults are what all of the vendor's own clients work with, and the
 * strictest reading of the interface beyond that. Every switch may be changed while the sandbox runs.
 */
import type { EndpointId } from './server/route';
import { defaultSqlVariants } from './sql/variants';

export interface RateLimit {
	requests: number;
	windowMs: number;
}

export const defaultVariants = {
	/** Success status by endpoint where it differs from the interface; 204 leaves the body out. */
	successStatus: {} as Partial<Record<EndpointId, number>>,
	/** The published limit, on real time; `false` switches it off. */
	rateLimit: false as false | RateLimit,
	/** `GET /organization` and the hints about regions and runtimes: readable, refused or missing. */
	accountEndpoints: 'available' as 'available' | 'forbidden' | 'missing',
	/** Regions in which the organization may compute. */
	regions: [
		'aws-us-west-2',
		'aws-us-east-1',
		'aws-us-east-2',
		'aws-eu-west-1',
		'aws-ap-south-1',
		'byoc-acme-us-east-1',
	],

	/** `POST /runs` requires the `region` parameter. */
	requireRegion: false,
	/** `POST /runs` requires `runtime` in the body. */
	requireRuntime: false,
	/** What cancel returns. */
	cancelBody: 'run' as 'run' | 'null' | 'empty',
	kubeApp: 'present' as 'present' | 'null' | 'absent',
	runOrder: 'newestFirst' as 'newestFirst' | 'oldestFirst',
	/** `created_after` has no effect, as behind a proxy that drops it. */
	ignoresCreatedAfter: false,
	/** From the creation of a run to the moment lists show it, in milliseconds of the sandbox clock. */
	runListLagMs: 0,
	/** The same to the moment the run can be read by its ID. */
	runReadLagMs: 0,
	/** Responses carry a `Date` header. */
	dateHeader: true,

	/** Cursors of `/runs` and `/audit-log`: by item, or by offset (pages shift as items arrive). */
	pageCursors: 'keyset' as 'keyset' | 'offset',

	/**
	 * A log cursor is the position after the last line, which no client reads twice, or the time of the
	 * last line, with which the lines of that time come again.
	 */
	logCursor: 'position' as 'position' | 'time',
	/** As numbers, or as digits in a text. */
	logCursorType: 'string' as 'integer' | 'string',
	logTimestampType: 'integer' as 'integer' | 'string',
	logTimestampUnit: 'ms' as 'ms' | 'ns',
	/** `next_page` of a page without lines; one with lines always names the next. */
	logNextPageAtEnd: 'null' as 'null' | 'cursor',
	logsWhilePending: 'empty' as 'empty' | 'notFound',

	/** Usage in series and costs as instant values (split), usage in both groups, or one group only. */
	metricGroups: 'split' as 'split' | 'both' | 'instant' | 'series',
	/** A point of a series is an object or a pair of time and value. */
	metricPoints: 'objects' as 'objects' | 'pairs',
	/** Metrics have the cost of a run before it has ended. */
	metricCostWhileRunning: false,
	metricsWhilePending: 'empty' as 'empty' | 'notFound',

	auditOrder: 'newestFirst' as 'newestFirst' | 'oldestFirst' | 'shuffled',
	/** Whether `/audit-log` exists. */
	auditQuery: 'available' as 'available' | 'missing',
	exportPath: 'both' as 'both' | 'singular' | 'plural',
	exportBom: false,
	/** Columns after the ten documented ones, each filled with a constant. */
	exportAddedColumns: {} as Record<string, string>,
	/** Puts a line break into each `user_agent`. */
	exportQuotedNewlines: false,
	exportContentType: 'text/csv; charset=utf-8',
	/** What marks the end of an export's body: chunks, its length, or only the end of the connection. */
	exportFraming: 'chunked' as 'chunked' | 'length' | 'close',
	exportLineEnd: '\n' as '\n' | '\r\n',
	/** The last line has a line end, too; RFC 4180 leaves this open. */
	exportLastLineEnd: true,
	/** What an export without events consists of. */
	exportWithoutEvents: 'header' as 'header' | 'nothing',

	/** What the details of a table contain of its snapshots. */
	tableSnapshots: 'all' as 'all' | 'withoutRefs' | 'null',
	/** Where the update time of a table is. */
	tableUpdateTime: 'both' as 'both' | 'list' | 'none',

	/** Headers of a template download; what the service sends isn't documented. */
	templateHeaders: { 'content-type': 'application/x-yaml' } as Record<string, string>,

	/** How long the address of a file is valid, in seconds of the sandbox's clock. */
	presignedSeconds: 60,
	/** The caller's own files: available, also in the list of storages, or not enabled. */
	myFiles: 'available' as 'available' | 'listed' | 'missing',
	/** Whether a new folder requires the one above it, or implies it. */
	folderParents: 'required' as 'required' | 'implied',
	/** The listing of a folder that does not exist. */
	missingFolder: 'notFound' as 'notFound' | 'empty',
	/** A file that does not exist: reported by the service, or only by the storage to which it redirects. */
	missingFile: 'notFound' as 'notFound' | 'redirect',
	/** Creating a folder that exists: refused with 409, or a success. */
	existingFolder: 'conflict' as 'conflict' | 'success',
	/** Listings show the object that represents an empty folder. */
	folderMarkers: true,
	/** The name of a folder in a listing, with a slash at the end or without. */
	folderNames: 'plain' as 'plain' | 'slash',
	/** The path of an entry: relative to the storage, with a prefix that no request accepts, or none. */
	entryPaths: 'relative' as 'relative' | 'prefixed' | 'absent',
	/** A download is a redirect, or the file itself. */
	fileDownload: 'redirect' as 'redirect' | 'body',
	/** The newer endpoint for a download URL with its expiry. */
	fileDownloadUrl: 'available' as 'available' | 'missing',

	/** The path for running a task, according to the service's description. */
	taskRunPath: '/tasks/{task_name}/runs' as `/tasks/{${string}}/${'runs' | 'run'}`,
	/** The service's own description. */
	description: 'whole' as 'whole' | 'withoutTasks' | 'missing',
	/** How far the state of a task run is behind, in milliseconds of the sandbox clock. */
	taskStateLagMs: 0,
	/** Whether a task run that succeeded says when it ended. */
	taskEndedAt: 'present' as 'present' | 'null',
	/** How often a task run that succeeded has to be read before its results are there. */
	taskReadsWithoutResults: 0,
	/** The property in which a task describes its inputs. */
	taskSchemaName: 'inputSchema' as 'inputSchema' | 'inputs' | 'none',
	taskCancelBody: 'empty' as 'empty' | 'null',
	/** The maximum size of pages of tasks and their runs, whatever was requested; then, whether `limit` hides it. */
	taskPageMax: 100,
	taskPageEchoesLimit: false,
	/** Whether `total` counts the records of the list, or something else, of which there are none. */
	taskTotal: 'exact' as 'exact' | 'other',
	/** The maximum number of lines in a page of a task run's log; then, `nextSince` at the end of the log. */
	taskLogPage: 100,
	taskLogEnd: 'null' as 'null' | 'absent',
	/** The submission time of a run that its schedule missed. */
	taskMissedTime: 'recorded' as 'due' | 'recorded',
	/** How many task runs are submitted whenever a page of them has been read. */
	taskRunsPerPage: 0,
	...defaultSqlVariants,
};

export type Variants = typeof defaultVariants;
