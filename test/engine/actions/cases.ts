/**
 * One good and one bad use of every operation, for the tests that go over the whole table. The
 * sandbox has its demo data.
 */
import type { INodeParameters } from 'n8n-workflow';

import type { EndpointId, Sandbox } from '../../sandbox';
import { fileCases } from './cases.files';
import { sqlCases } from './cases.sql';
import { taskCases } from './cases.tasks';

export interface OperationCase {
	/** The request that the operation is about. */
	endpoint: EndpointId;
	good(sandbox: Sandbox): INodeParameters;
	/** Other uses, which reach other endpoints. */
	also?: Array<(sandbox: Sandbox) => INodeParameters>;
	/** Parameters that replace good ones, and what the node says about them. */
	bad: [change: INodeParameters, message: string];
	/** The operation waits while the service is out of order, and says so at the end. */
	waits?: boolean;
	/** What it requests where the service does not have that endpoint, not this record, or refuses. */
	instead?: EndpointId;
	/** One request serves many items. */
	shared?: boolean;
}

const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const byName = (value: string) => ({ __rl: true, mode: 'name', value });

const namespace = { catalogId: byId('cat-org'), namespace: byName('noaa') };
const table = { ...namespace, table: byName('hail') };
const connection = { connectionId: byId('conn-production') };

const aRun = (sandbox: Sandbox, status: string) => ({
	runId: byId(sandbox.store.createRun({ name: `case-${status}`, status }).id),
});
const aKey = (sandbox: Sandbox) => ({ apiKeyId: byId(sandbox.store.apiKeys.create().id) });
const aTable = ({ store }: Sandbox) => {
	const catalog = store.catalogs.get('cat-org');
	if (!catalog) throw new Error('The demo data has no catalog cat-org');
	const { name } = store.catalogs.addTable(catalog, 'noaa', { name: `t${Math.random()}` });
	return { ...namespace, table: byName(name) };
};
const aConnection = ({ store }: Sandbox) => ({
	connectionId: byId(store.cloudConnections.create({ name: `c${Math.random()}` }).id),
});

const storage = { stack: 'storage', bucket: 'acme-bucket', prefix: 'a/b', access: 'read-only' };
const otherStacks: INodeParameters[] = [
	{ stack: 'connection' },
	{ stack: 'glue', bindingName: 'lake', awsRegion: 'eu-west-1', access: 'read-write' },
	{
		stack: 's3tables',
		tableBucketArn: 'arn:aws:s3tables:us-west-2:123456789012:bucket/my-tables',
		access: 'read-only',
	},
];

const noLimit: OperationCase['bad'] = [
	{ returnAll: false, limit: 0 },
	"'Limit' must be at least 1",
];
const dots = (name: string, label: string): OperationCase['bad'] => [
	{ [name]: byId('..') },
	`'${label}' must not be ".."`,
];

export const cases: Record<string, OperationCase> = {
	'jobRun create': {
		endpoint: 'createRun',
		good: () => ({
			name: `case-${Math.random()}`,
			pythonUri: 's3://bucket/job.py',
			runtime: byName('tiny'),
			region: byName('aws-us-west-2'),
		}),
		bad: [{ name: 'short' }, "'Name' must be 8 to 255 characters long"],
	},
	'jobRun get': {
		endpoint: 'getRun',
		good: (sandbox) => aRun(sandbox, 'COMPLETED'),
		bad: dots('runId', 'Job Run'),
	},
	'jobRun getAll': { endpoint: 'listRuns', good: () => ({ limit: 5 }), bad: noLimit },
	'jobRun cancel': {
		endpoint: 'cancelRun',
		good: (sandbox) => aRun(sandbox, 'RUNNING'),
		bad: dots('runId', 'Job Run'),
	},
	'jobRun getCost': {
		endpoint: 'getCosts',
		instead: 'getRunMetrics',
		good: (sandbox) => aRun(sandbox, 'COMPLETED'),
		bad: dots('runId', 'Job Run'),
	},
	'jobRun getMetrics': {
		endpoint: 'getRunMetrics',
		good: (sandbox) => aRun(sandbox, 'COMPLETED'),
		bad: dots('runId', 'Job Run'),
	},
	'jobRun getLogs': {
		endpoint: 'getRunLogs',
		good: ({ store }) => ({
			runId: byId(store.createRun({ name: 'case-with-logs' }).id),
			lines: 'last',
			lineCount: 100,
			options: { follow: true },
		}),
		bad: [{ lineCount: 0 }, "'Number of Lines' must be at least 1"],
	},
	'jobRun rerun': {
		endpoint: 'createRun',
		good: ({ store }) => ({
			// Its program does not fail again, as one would that has the word in its name.
			runId: byId(store.createRun({ name: 'case-again', status: 'FAILED' }).id),
			changes: { name: `case-${Math.random()}` },
		}),
		bad: [{ changes: { name: 'short' } }, "'Name' must be 8 to 255 characters long"],
	},
	'jobRun waitForCompletion': {
		endpoint: 'getRun',
		good: (sandbox) => ({ ...aRun(sandbox, 'COMPLETED'), waitOptions: { maxWaitMinutes: 1 } }),
		bad: [{ waitOptions: { maxWaitMinutes: 0 } }, "'Max Wait (Minutes)' must be at least 1"],
		waits: true,
	},
	'auditLog export': {
		endpoint: 'exportAuditLog',
		good: () => ({
			timeRange: 'custom',
			start: '2026-11-19T00:00:00Z',
			end: '2026-11-20T00:00:00Z',
		}),
		bad: [{ end: '2026-11-18T00:00:00Z' }, "'Start' must be before 'End'"],
	},
	'auditLog getAll': {
		endpoint: 'queryAuditLog',
		good: () => ({ limit: 5, filters: { startTime: '2026-11-01T00:00:00Z' } }),
		bad: [{ filters: { startTime: 'soon' } }, "'Start Time' must be a date"],
	},
	'apiKey create': {
		endpoint: 'createApiKey',
		good: () => ({ name: 'case', expiry: 'inDays', expiresInDays: 30 }),
		bad: [{ name: 'n'.repeat(51) }, "'Name' must be at most 50 characters long"],
	},
	'apiKey getAll': { endpoint: 'listApiKeys', good: () => ({ limit: 3 }), bad: noLimit },
	'apiKey update': {
		endpoint: 'updateApiKey',
		good: (sandbox) => ({ ...aKey(sandbox), expiry: 'inDays', expiresInDays: 90 }),
		bad: [
			{ expiry: 'date', expiresAt: '2020-01-01T00:00:00Z' },
			"'Expiry Date' must be in the future",
		],
	},
	'apiKey revoke': { endpoint: 'revokeApiKey', good: aKey, bad: dots('apiKeyId', 'API Key') },
	'catalog create': {
		endpoint: 'createCatalog',
		good: () => ({
			name: `catalog_${Math.random()}`,
			options: { location: 's3://bucket/catalog' },
		}),
		bad: [{ options: { location: 'https://x' } }, "'Location' must be an S3 location"],
	},
	'catalog getAll': { endpoint: 'listCatalogs', good: () => ({ limit: 2 }), bad: noLimit },
	'catalog getHierarchy': {
		endpoint: 'getCatalogHierarchy',
		good: () => ({ output: 'tables', limit: 4 }),
		bad: noLimit,
	},
	'namespace getAll': {
		endpoint: 'listNamespaces',
		good: () => ({ catalogId: byId('cat-org') }),
		bad: dots('catalogId', 'Catalog'),
	},
	'table getAll': {
		endpoint: 'listTables',
		good: () => namespace,
		bad: dots('namespace', 'Namespace'),
	},
	'table get': { endpoint: 'getTable', good: () => table, bad: dots('table', 'Table') },
	'table delete': { endpoint: 'deleteTable', good: aTable, bad: dots('table', 'Table') },
	'table getCredentials': {
		endpoint: 'getTableCredentials',
		good: () => table,
		bad: dots('table', 'Table'),
	},
	'view get': {
		endpoint: 'getView',
		good: () => ({ ...namespace, view: byName('recent_hail') }),
		bad: dots('view', 'View'),
	},
	'cloudConnection create': {
		endpoint: 'createCloudConnection',
		good: () => ({ name: `case ${Math.random()}`, awsAccountId: '123456789012' }),
		bad: [{ awsAccountId: '12345' }, "'AWS Account ID' must be an AWS account ID of 12 digits"],
	},
	'cloudConnection get': {
		endpoint: 'getCloudConnection',
		good: () => connection,
		bad: dots('connectionId', 'Cloud Connection'),
	},
	'cloudConnection getAll': {
		endpoint: 'listCloudConnections',
		good: () => ({ limit: 2 }),
		bad: noLimit,
	},
	'cloudConnection delete': {
		endpoint: 'deleteCloudConnection',
		good: aConnection,
		bad: dots('connectionId', 'Cloud Connection'),
	},
	'cloudConnection verify': {
		endpoint: 'verifyCloudConnection',
		good: () => ({ ...connection, checkStorage: true, storagePath: 's3://acme-jobs' }),
		bad: [{ storagePath: 'bucket' }, "'Storage Path' must be an S3 location"],
	},
	'cloudConnection getCreateLink': {
		endpoint: 'getStorageCreateLink',
		good: () => ({ ...connection, ...storage }),
		also: otherStacks.map((stack) => () => ({ ...connection, ...stack })),
		bad: [{ bucket: 'My_Bucket' }, "'Bucket' must be a bucket name"],
	},
	'cloudConnection downloadTemplate': {
		endpoint: 'getStorageTemplate',
		good: () => ({ ...connection, ...storage }),
		also: otherStacks.map((stack) => () => ({ ...connection, ...stack })),
		bad: [{ prefix: 'a&b' }, "'Prefix' must not contain &"],
	},
	'usage getAll': { endpoint: 'getUsageHistory', good: () => ({ limit: 3 }), bad: noLimit },
	...taskCases,
	...fileCases,
	...sqlCases,
	'environmentOverridePreset delete': {
		endpoint: 'deletePreset',
		good: ({ store }) => ({
			presetId: byId(store.presets.upsert({ name: `preset ${Math.random()}` }).id),
		}),
		bad: dots('presetId', 'Preset'),
	},
	'environmentOverridePreset getAll': {
		endpoint: 'listPresets',
		good: () => ({ limit: 1 }),
		bad: noLimit,
	},
	'environmentOverridePreset upsert': {
		endpoint: 'upsertPreset',
		good: () => ({ name: 'case', options: { driverDiskSize: 200 } }),
		bad: [{ name: 'n'.repeat(51) }, "'Name' must be at most 50 characters long"],
	},
};
