/** Rules of job run requests: interface.md "Run payload", "Run environment", "List Runs". */
import { RUN_STATUSES } from '../model/runTypes';
import type { Schema } from '../server/route';
import { strictObject } from '../server/validation';

export const RUNTIMES = [
	...['TINY', 'SMALL', 'MEDIUM', 'LARGE', 'XLARGE', 'XXLARGE'],
	...['micro', 'tiny', 'small', 'medium', 'large', 'x-large', '2x-large', '4x-large'],
	...['medium-himem', 'large-himem', 'x-large-himem', '2x-large-himem', '4x-large-himem'],
	...['x-large-hicpu', '2x-large-hicpu', 'x-large-matcher', '2x-large-matcher'],
	...['micro-a10-gpu', 'tiny-a10-gpu', 'small-a10-gpu', 'medium-a10-gpu', 'large-a10-gpu'],
	'x-large-a10-gpu',
];

const string: Schema = { type: 'string' };
const args: Schema = { type: 'array', items: string, default: [] };
const disk: Schema = { type: ['integer', 'null'], minimum: 0 };
// A client of the vendor's sends one that begins with a space.
const s3Path: Schema = { type: 'string', pattern: '^\\s*s3://[^/]+/.+' };

/** Version specifiers: one or more comparisons, or a bare version. */
const VERSION =
	'^\\s*(===|==|~=|!=|<=|>=|<|>)?\\s*[A-Za-z0-9*.+!_-]+' +
	'(\\s*,\\s*(===|==|~=|!=|<=|>=|<|>)\\s*[A-Za-z0-9*.+!_-]+)*\\s*$';

const dependency: Schema = {
	type: 'object',
	required: ['sourceType'],
	discriminator: { propertyName: 'sourceType' },
	oneOf: [
		strictObject(
			{
				sourceType: { const: 'PYPI' },
				libraryName: {
					type: 'string',
					pattern: '^([A-Za-z0-9]|[A-Za-z0-9][A-Za-z0-9._-]*[A-Za-z0-9])$',
				},
				libraryVersion: { type: ['string', 'null'], pattern: VERSION },
			},
			['sourceType', 'libraryName'],
		),
		strictObject(
			{
				sourceType: { const: 'FILE' },
				filePath: { type: 'string', pattern: '^\\S.*\\.(jar|whl|zip|json)$' },
				// As a response has it; without effect.
				fileType: { type: ['string', 'null'] },
			},
			['sourceType', 'filePath'],
		),
	],
};

export const createRunBody: Schema = strictObject(
	{
		runtime: { type: ['string', 'null'] },
		name: { type: 'string', minLength: 8, maxLength: 255, pattern: '^[a-zA-Z0-9_.-]+$' },
		version: { type: ['string', 'null'], default: 'latest' },
		runPython: { ...strictObject({ uri: s3Path, args }, ['uri']), nullable: true },
		runJar: {
			...strictObject(
				{ uri: s3Path, args, mainClass: { type: ['string', 'null'], minLength: 1 } },
				['uri'],
			),
			nullable: true,
		},
		timeoutSeconds: { type: 'integer', minimum: 1, default: 3600 },
		environment: {
			...strictObject({
				sparkDriverDiskGB: disk,
				sparkExecutorDiskGB: disk,
				sparkConfigs: { type: 'object', additionalProperties: string },
				dependencies: { type: 'array', items: dependency },
			}),
			default: {},
		},
	},
	['name'],
);

export const listRunsQuery: Record<string, Schema> = {
	region: { type: 'string' },
	name: { type: 'string', maxLength: 255, pattern: '^[a-zA-Z0-9_.-]*\\*?[a-zA-Z0-9_.-]*$' },
	created_after: { type: 'string', format: 'iso-date-time' },
	status: { type: 'array', items: { type: 'string', enum: RUN_STATUSES } },
	cursor: { type: 'string' },
	size: { type: 'integer', minimum: 0, maximum: 100, default: 50 },
};

export const runLogsQuery: Record<string, Schema> = {
	cursor: { type: 'string' },
	size: { type: 'integer', minimum: 0, default: 100 },
};
