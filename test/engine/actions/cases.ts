/**
 * One good and one bad use of every operation, for the tests that go over the whole table. The
 * sandbox has its demo data.
 */
import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';
import { by } from '../../support/files';
import { fileCases } from './cases.files';
import { sqlCases } from './cases.sql';
import { taskCases } from './cases.tasks';
import { dots, noLimit, use, type OperationCase } from './operationCase';
import { at } from './parameters';

const namespace = at('cat-org', 'noaa');
const table = at('cat-org', 'noaa', 'hail');
const connection = { connectionId: by('id', 'conn-production') };

const aRun = (status: string) => (sandbox: Sandbox) => ({
	runId: by('id', sandbox.store.createRun({ name: `case-${status}`, status }).id),
});
const aKey = (sandbox: Sandbox) => ({ apiKeyId: by('id', sandbox.store.apiKeys.create().id) });
const aTable = ({ store }: Sandbox) => {
	const catalog = store.catalogs.get('cat-org');
	if (!catalog) throw new Error('The demo data has no catalog cat-org');
	const { name } = store.catalogs.addTable(catalog, 'noaa', { name: `t${Math.random()}` });
	return { ...namespace, table: by('name', name) };
};
const aConnection = ({ store }: Sandbox) => ({
	connectionId: by('id', store.cloudConnections.create({ name: `c${Math.random()}` }).id),
});
const aPreset = ({ store }: Sandbox) => ({
	presetId: by('id', store.presets.upsert({ name: `preset ${Math.random()}` }).id),
});

const storage = { stack: 'storage', bucket: 'acme-bucket', prefix: 'a/b', access: 'read-only' };
const arn = 'arn:aws:s3tables:us-west-2:123456789012:bucket/my-tables';
const otherStacks = [
	{ stack: 'connection' },
	{ stack: 'glue', bindingName: 'lake', awsRegion: 'eu-west-1', access: 'read-write' },
	{ stack: 's3tables', tableBucketArn: arn, access: 'read-only' },
].map((stack) => (): INodeParameters => ({ ...connection, ...stack }));

const noRun = dots('runId', 'Job Run');
const noTable = dots('table', 'Table');
const noConnection = dots('connectionId', 'Cloud Connection');
const nameTooShort = "'Name' must be 8 to 255 characters long";
const nameTooLong: OperationCase['bad'] = [
	{ name: 'n'.repeat(51) },
	"'Name' must be at most 50 characters long",
];

export const cases: Record<string, OperationCase> = {
	'jobRun create': use(
		'createRun',
		() => ({
			...{ name: `case-${Math.random()}`, pythonUri: by('path', 's3://bucket/job.py') },
			...{ runtime: by('name', 'tiny'), region: by('name', 'aws-us-west-2') },
		}),
		[{ name: 'short' }, nameTooShort],
	),
	'jobRun get': use('getRun', aRun('COMPLETED'), noRun),
	'jobRun getAll': use('listRuns', { limit: 5 }, noLimit),
	'jobRun cancel': use('cancelRun', aRun('RUNNING'), noRun),
	'jobRun getCost': use('getCosts', aRun('COMPLETED'), noRun, { instead: 'getRunMetrics' }),
	'jobRun getMetrics': use('getRunMetrics', aRun('COMPLETED'), noRun),
	'jobRun getLogs': use(
		'getRunLogs',
		({ store }) => ({
			runId: by('id', store.createRun({ name: 'case-with-logs' }).id),
			...{ lines: 'last', lineCount: 100, options: { followMinutes: 60 } },
		}),
		[{ lineCount: 0 }, "'Number of Lines' must be at least 1"],
	),
	'jobRun rerun': use(
		'createRun',
		({ store }) => ({
			// Its program does not fail again, as one would that has the word in its name.
			runId: by('id', store.createRun({ name: 'case-again', status: 'FAILED' }).id),
			changes: { name: `case-${Math.random()}` },
		}),
		[{ changes: { name: 'short' } }, nameTooShort],
	),
	'jobRun waitForCompletion': use(
		'getRun',
		(sandbox) => ({ ...aRun('COMPLETED')(sandbox), waitOptions: { maxWaitMinutes: 1 } }),
		[{ waitOptions: { maxWaitMinutes: 0 } }, "'Max Wait (Minutes)' must be at least 1"],
		{ waits: true },
	),
	'auditLog export': use(
		'exportAuditLog',
		{ timeRange: 'custom', from: '2026-11-19T00:00:00Z', to: '2026-11-20T00:00:00Z' },
		[{ to: '2026-11-18T00:00:00Z' }, "'From' must be before 'To'"],
	),
	'auditLog getAll': use('queryAuditLog', { limit: 5, filters: { from: '2026-11-01T00:00:00Z' } }, [
		{ filters: { from: 'soon' } },
		"'From' must be a date",
	]),
	'apiKey create': use(
		'createApiKey',
		{ name: 'case', expiry: 'inDays', expiresInDays: 30 },
		nameTooLong,
	),
	'apiKey getAll': use('listApiKeys', { limit: 3 }, noLimit),
	'apiKey update': use(
		'updateApiKey',
		(sandbox) => ({ ...aKey(sandbox), expiry: 'inDays', expiresInDays: 90 }),
		[{ expiry: 'date', expiresAt: '2020-01-01T00:00:00Z' }, "'Expiry Date' must be in the future"],
	),
	'apiKey revoke': use('revokeApiKey', aKey, dots('apiKeyId', 'API Key')),
	'catalog create': use(
		'createCatalog',
		() => ({ name: `catalog_${Math.random()}`, options: { location: 's3://bucket/catalog' } }),
		[{ options: { location: 'https://x' } }, "'Location' must be an S3 location"],
	),
	'catalog getAll': use('listCatalogs', { limit: 2 }, noLimit),
	'catalog getHierarchy': use('getCatalogHierarchy', { output: 'tables', limit: 4 }, noLimit),
	'namespace getAll': use('listNamespaces', at('cat-org'), dots('catalogId', 'Catalog')),
	'table getAll': use('listTables', namespace, dots('namespace', 'Namespace')),
	'table get': use('getTable', table, noTable),
	'table delete': use('deleteTable', aTable, noTable),
	'table getCredentials': use('getTableCredentials', table, noTable),
	'view get': use(
		'getView',
		{ ...namespace, view: by('name', 'recent_hail') },
		dots('view', 'View'),
	),
	'cloudConnection create': use(
		'createCloudConnection',
		() => ({ name: `case ${Math.random()}`, awsAccountId: '123456789012' }),
		[{ awsAccountId: '12345' }, "'AWS Account ID' must be an AWS account ID of 12 digits"],
	),
	'cloudConnection get': use('getCloudConnection', connection, noConnection),
	'cloudConnection getAll': use('listCloudConnections', { limit: 2 }, noLimit),
	'cloudConnection delete': use('deleteCloudConnection', aConnection, noConnection),
	'cloudConnection verify': use(
		'verifyCloudConnection',
		{ ...connection, checkStorage: true, storagePath: 's3://acme-jobs' },
		[{ storagePath: 'bucket' }, "'Storage Path' must be an S3 location"],
	),
	'cloudConnection getCreateLink': use(
		'getStorageCreateLink',
		{ ...connection, ...storage },
		[
			{ bucket: 'My_Bucket' },
			"'Bucket' must be 3 to 63 characters long and contain only lowercase",
		],
		{ also: otherStacks },
	),
	'cloudConnection downloadTemplate': use(
		'getStorageTemplate',
		{ ...connection, ...storage },
		[{ prefix: 'a&b' }, "'Prefix' must be at most 1024 characters long and not contain &"],
		{ also: otherStacks },
	),
	'usage getAll': use('getUsageHistory', { limit: 3 }, noLimit),
	'api request': use(
		'getOrganization',
		{ apiRequest: by('path', 'GET /organization'), parametersFrom: 'json', allowChanges: true },
		[{ apiRequest: by('path', 'organization') }, "'API Request' must be a method and a path"],
	),
	...taskCases,
	...fileCases,
	...sqlCases,
	'environmentOverridePreset delete': use(
		'deletePreset',
		aPreset,
		dots('presetId', 'Environment Override Preset'),
	),
	'environmentOverridePreset getAll': use('listPresets', { limit: 1 }, noLimit),
	'environmentOverridePreset upsert': use(
		'upsertPreset',
		{ name: 'case', options: { driverDiskSize: 200 } },
		nameTooLong,
	),
};
