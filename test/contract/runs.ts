/** Interface, "Job runs". */
import {
	anything,
	filled,
	integer,
	listOf,
	mapOf,
	nullable,
	object,
	oneOf,
	text,
	textOf,
	time,
	utcTime,
	type Contracts,
	type Schema,
} from './schema';
import { cursorPage, customer, pageQuery } from './shared';

const STATUSES = ['PENDING', 'RUNNING', 'FAILED', 'COMPLETED', 'CANCELLED', 'TIMED_OUT'];

const runName = textOf(8, 255, '^[A-Za-z0-9_.-]+$');
const namePattern = textOf(1, 255, '^[A-Za-z0-9_.-]*\\*?[A-Za-z0-9_.-]*$');
const s3Path = textOf(1, 4096, '^s3a?://[^/]+/.+');
const disk = { type: 'integer', minimum: 1 };

const sentDependency: Schema = {
	oneOf: [
		object({
			sourceType: { const: 'PYPI' },
			libraryName: filled,
			'libraryVersion?': nullable(filled),
		}),
		object({
			sourceType: { const: 'FILE' },
			filePath: textOf(1, 4096, '\\.(jar|whl|zip|json)$'),
		}),
	],
};

const sentPayload: Schema = {
	...object({
		// An open enum: organizations may have runtimes that the interface does not list.
		'runtime?': filled,
		name: runName,
		'version?': nullable(filled),
		'runPython?': object({ uri: s3Path, 'args?': listOf(text) }),
		'runJar?': object({ uri: s3Path, 'args?': listOf(text), 'mainClass?': nullable(filled) }),
		'timeoutSeconds?': { type: 'integer', minimum: 1 },
		'environment?': {
			...object({
				'sparkDriverDiskGB?': disk,
				'sparkExecutorDiskGB?': disk,
				'sparkConfigs?': mapOf(text),
				'dependencies?': listOf(sentDependency),
			}),
			// "Required when sparkConfigs is added."
			dependencies: { sparkConfigs: ['dependencies'] },
		},
	}),
	// "Exactly one of runPython or runJar."
	oneOf: [{ required: ['runPython'] }, { required: ['runJar'] }],
};

const shownPayload = object({
	'runtime?': nullable(text),
	name: text,
	'version?': nullable(text),
	'runPython?': nullable(object({ uri: text, args: listOf(text) })),
	'runJar?': nullable(object({ uri: text, args: listOf(text), 'mainClass?': nullable(text) })),
	'timeoutSeconds?': integer,
	'environment?': object({
		'sparkDriverDiskGB?': nullable(integer),
		'sparkExecutorDiskGB?': nullable(integer),
		'sparkConfigs?': nullable(mapOf(text)),
		'dependencies?': nullable(listOf({ type: 'object', required: ['sourceType'] })),
	}),
});

const kubeEvent = object({
	id: filled,
	createTime: time,
	updateTime: time,
	'code?': nullable(text),
	'message?': nullable(text),
	'eventMeta?': nullable({ type: 'object' }),
});

const kubeApp = object({
	id: filled,
	createTime: time,
	updateTime: time,
	instanceId: text,
	appType: oneOf('JUPYTER', 'SQL_SESSION', 'RUN'),
	status: filled,
	createdById: nullable(text),
	'apiPayload?': nullable({ type: 'object' }),
	'appMeta?': nullable(
		object({
			'spark_ui_url?': text,
			'spark_eventlogs_url?': text,
			'resolved_version?': nullable(text),
		}),
	),
	'events?': listOf(kubeEvent),
	cpuUsage: integer,
	regionName: text,
	message: nullable(text),
});

/** An unknown status is allowed: the service may learn new ones. */
const run = object({
	id: filled,
	createTime: time,
	updateTime: time,
	name: text,
	status: textOf(1, 50, '^[A-Z_]+$'),
	triggeredBy: customer,
	payload: shownPayload,
	'startTime?': nullable(time),
	'completeTime?': nullable(time),
	'kubeApp?': nullable(kubeApp),
});

/** Integers in the interface, texts in newer descriptions; either is opaque. */
const position: Schema = { type: ['integer', 'string'] };

export const runContracts = {
	createRun: { query: { region: filled }, body: sentPayload, response: run },
	getRun: { response: run },
	listRuns: {
		query: {
			region: filled,
			name: namePattern,
			created_after: utcTime,
			status: listOf(oneOf(...STATUSES)),
			...pageQuery,
		},
		response: cursorPage(run),
	},
	// No body shape is stated: the run, nothing, or null.
	cancelRun: { response: anything },
	getRunLogs: {
		query: { cursor: text, size: { type: 'integer', minimum: 1 } },
		response: object({
			items: listOf(object({ timestamp: position, raw: text })),
			current_page: position,
			'next_page?': nullable(position),
		}),
	},
} satisfies Contracts;
