/** Every operation with as few parameters as it takes, and with as many as it has. */
import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { resources } from '../../nodes/Wherobots/actions';
import { cases } from '../engine/actions/cases';
import type { Sandbox } from '../sandbox';
import { by } from '../support/files';
import { ORGANIZATION_ID, people } from '../sandbox/model/people';

export interface OutsideUse {
	name: string;
	parameters(sandbox: Sandbox): INodeParameters;
}

/** Values for everything that is optional, by operation; an operation without an entry has nothing optional that is sent. */
const MOST: Record<string, INodeParameters[]> = {
	'jobRun create': [
		{
			arguments: ['--date=2026-01-31', ''],
			environment: {
				pypiDependencies: { package: [{ libraryName: 'rasterio', libraryVersion: '1.4.3' }] },
				sparkDriverDiskGB: 100,
				sparkExecutorDiskGB: 200,
				fileDependencies: ['s3://bucket/libs/helpers.whl'],
				sparkConfigs: { config: [{ key: 'spark.sql.shuffle.partitions', value: '200' }] },
			},
			options: { timeoutMinutes: 120, version: 'preview' },
		},
		{ runType: 'jar', jarUri: 's3://bucket/job.jar', mainClass: 'com.example.Job' },
	],
	'jobRun rerun': [
		{
			changes: {
				name: 'case-again',
				arguments: ['--date=2026-01-31', ''],
				region: by('name', 'aws-us-west-2'),
				runtime: by('name', 'small'),
				timeoutMinutes: 120,
				version: 'preview',
			},
		},
	],
	'jobRun getAll': [
		{
			returnAll: true,
			filters: {
				createdAfter: '2026-01-01T00:00:00',
				name: 'case-*',
				region: 'aws-us-west-2',
				statuses: ['PENDING', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED'],
			},
		},
	],
	'jobRun cancel': [{ waitUntilCancelled: true }],
	'auditLog export': [{ searchTerm: 'ada@example.com', split: 'hour' }],
	'auditLog getAll': [
		{
			returnAll: true,
			filters: {
				from: '2026-11-01T00:00:00Z',
				to: '2026-11-21T00:00:00Z',
				searchTerm: 'CREATE',
			},
		},
	],
	'apiKey create': [{ options: { ownedById: people.user.id } }],
	'apiKey getAll': [{ filters: { customerId: people.user.id } }],
	'catalog create': [{ options: { location: 's3://bucket/c', organizationId: ORGANIZATION_ID } }],
	'table delete': [{ options: { force: true } }],
	'cloudConnection create': [
		{
			options: {
				allowSaas: false,
				trustedAccountIds: Array.from({ length: 20 }, (_, at) => String(100_000_000_000 + at)),
			},
		},
	],
	'file getAll': [{ returnAll: true }],
	'usage getAll': [
		{
			filters: {
				from: '2026-11-01T00:00:00Z',
				to: '2026-11-21T00:00:00Z',
				workloadType: 'RUN',
			},
		},
	],
	'file upload': [{ ifFileExists: 'replace' }],
	'sql executeQuery': [
		{
			region: { __rl: true, mode: 'name', value: 'aws-us-west-2' },
			runtime: { __rl: true, mode: 'id', value: 'tiny' },
			sessionOptions: { sessionType: 'new', unusedTimeoutMinutes: 5 },
		},
		{ sessionOptions: { sessionType: 'single' } },
	],
	'sqlSession getAll': [{ filters: { region: 'aws-us-west-2' } }],
	'cloudConnection verify': [{ accessType: 'READ_WRITE' }],
	'environmentOverridePreset upsert': [
		{
			options: { driverDiskSize: 200, executorDiskSize: 300 },
			sparkConfiguration: { config: [{ key: 'spark.executor.memory', value: '8g' }] },
		},
	],
};

const GLUE: INodeParameters = {
	glueOptions: { awsAccountId: '123456789012', bucket: 'acme-bucket', prefix: 'a/b' },
};

/** The root of a storage has an empty path, for which a description has no words. */
const ELSEWHERE: Record<string, INodeParameters> = {
	'file getAll': { folder: by('path', 'jobs') },
};

function usesOf(key: string, fields: INodeProperties[]): OutsideUse[] {
	const { good, also = [] } = cases[key];
	const [resource, operation] = key.split(' ');
	const used = (name: string, parameters: OutsideUse['parameters']): OutsideUse => ({
		name: `${key}, ${name}`,
		parameters: (sandbox) => ({
			resource,
			operation,
			...parameters(sandbox),
			...ELSEWHERE[key],
		}),
	});
	const others = also.flatMap((other, at) => [
		used(`use ${at + 2}, least`, other),
		used(`use ${at + 2}, most`, (sandbox) => ({ ...other(sandbox), ...GLUE })),
	]);
	const isRaw = fields.some(({ name }) => name === 'simplify') ? { simplify: false } : {};
	const most = (MOST[key] ?? [{}]).map((more, at) =>
		used(at === 0 ? 'most' : `most (${at + 1})`, (sandbox) => ({
			...good(sandbox),
			...isRaw,
			...more,
		})),
	);
	return [used('least', good), ...most, ...others];
}

/** What is newer than the description. */
const NEWER = /^(task |taskRun |file getLink$)/;

export const outsideUses: OutsideUse[] = resources.flatMap((resource) =>
	resource.operations.flatMap(({ value, fields }) => {
		const key = `${resource.value} ${value}`;
		return cases[key] && !NEWER.test(key) ? usesOf(key, fields) : [];
	}),
);
