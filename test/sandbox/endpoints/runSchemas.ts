/** Rules of job run requests: interface.md "Run payload", "Run environment", "List Runs". */
import { z } from 'zod/v4';

import { integer, listOf, localTime, nullableText, recordOf } from '../server/validation';

export const RUN_STATUSES = [
	'PENDING',
	'RUNNING',
	'FAILED',
	'COMPLETED',
	'CANCELLED',
	'TIMED_OUT',
] as const;

export const RUNTIMES = [
	...['TINY', 'SMALL', 'MEDIUM', 'LARGE', 'XLARGE', 'XXLARGE'],
	...['micro', 'tiny', 'small', 'medium', 'large', 'x-large', '2x-large', '4x-large'],
	...['medium-himem', 'large-himem', 'x-large-himem', '2x-large-himem', '4x-large-himem'],
	...['x-large-hicpu', '2x-large-hicpu', 'x-large-matcher', '2x-large-matcher'],
	...['micro-a10-gpu', 'tiny-a10-gpu', 'small-a10-gpu', 'medium-a10-gpu', 'large-a10-gpu'],
	'x-large-a10-gpu',
];

const text = z.string();
const args = z.array(text).default([]);
const disk = z.int().min(0).nullish();
// A client of the vendor's sends one that begins with a space.
const s3Path = text.regex(/^\s*s3:\/\/[^/]+\/.+/);

/** Version specifiers: one or more comparisons, or a bare version. */
const VERSION =
	/^(\s*(===|==|~=|!=|<=|>=|<|>)?\s*[A-Za-z0-9*.+!_-]+)(\s*,\s*(===|==|~=|!=|<=|>=|<|>)\s*[A-Za-z0-9*.+!_-]+)*\s*$/;

const dependency = z.discriminatedUnion('sourceType', [
	z.strictObject({
		sourceType: z.literal('PYPI'),
		libraryName: text.regex(/^([A-Za-z0-9]|[A-Za-z0-9][A-Za-z0-9._-]*[A-Za-z0-9])$/),
		libraryVersion: text.regex(VERSION).nullish(),
	}),
	z.strictObject({
		sourceType: z.literal('FILE'),
		filePath: text.regex(/^\S.*\.(jar|whl|zip|json)$/),
		// As a response has it; without effect.
		fileType: nullableText,
	}),
]);

export const createRunBody = z.strictObject({
	runtime: nullableText,
	name: text
		.min(8)
		.max(255)
		.regex(/^[a-zA-Z0-9_.-]+$/),
	version: text.nullable().default('latest'),
	runPython: z.strictObject({ uri: s3Path, args }).nullish(),
	runJar: z.strictObject({ uri: s3Path, args, mainClass: text.min(1).nullish() }).nullish(),
	timeoutSeconds: z.int().min(1).default(3600),
	environment: z
		.strictObject({
			sparkDriverDiskGB: disk,
			sparkExecutorDiskGB: disk,
			sparkConfigs: recordOf(text).optional(),
			dependencies: z.array(dependency).optional(),
		})
		.default({}),
});

export const listRunsQuery = {
	region: text.optional(),
	name: text
		.max(255)
		.regex(/^[a-zA-Z0-9_.-]*\*?[a-zA-Z0-9_.-]*$/)
		.optional(),
	created_after: localTime.optional(),
	status: listOf(z.enum(RUN_STATUSES)),
	cursor: text.optional(),
	size: integer.min(0).max(100).default(50),
};

export type ListRunsQuery = z.infer<z.ZodObject<typeof listRunsQuery>>;

export const runLogsQuery = { cursor: text.optional(), size: integer.min(0).default(100) };
