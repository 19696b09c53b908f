/** Interface, "Cloud connections" and "Query parameters of the link and template operations". */
import {
	filled,
	flag,
	listOf,
	nullable,
	object,
	oneOf,
	text,
	textOf,
	time,
	type Contracts,
	type EndpointContract,
	type Schema,
} from './schema';

const accountId = textOf(12, 12, '^[0-9]{12}$');

const connection = object({
	id: filled,
	name: filled,
	cloudProvider: oneOf('AWS'),
	managedBy: nullable(oneOf('CLOUDFORMATION')),
	'roleArn?': nullable(text),
	'awsAccountId?': nullable(text),
	trustedAccountIds: listOf(text),
	'allowSaas?': flag,
	'stackName?': nullable(text),
	createdAt: time,
	'bindings?': nullable(
		listOf(
			object({
				kind: oneOf('storage_integration', 'glue_catalog', 's3tables_catalog'),
				id: filled,
				name: filled,
			}),
		),
	),
});

const verification = object({
	roleAssumption: object({ status: oneOf('OK', 'FAILED'), 'reason?': nullable(text) }),
	bindingAccess: nullable(
		object({
			status: oneOf('OK', 'DENIED', 'FAILED'),
			'reason?': nullable(text),
			checks: nullable(object({ list: flag, get: flag, put: flag, delete: flag })),
		}),
	),
});

const link = object({ url: { type: 'string', format: 'uri' }, stackName: filled });

const bucket = textOf(3, 63, '^[a-z0-9.-]+$');
/* eslint-disable-next-line no-control-regex -- the interface forbids control characters */
const prefix = textOf(1, 1024, /^[^&#\x00-\x1f\x7f]*$/.source);
const access = oneOf('read-only', 'read-write');

type Query = Pick<EndpointContract, 'query' | 'requiredQuery'>;

const storage: Query = { query: { bucket, prefix, access }, requiredQuery: ['bucket', 'access'] };
const glue: Query = {
	query: {
		name: filled,
		access,
		region: textOf(1, 50, '^[a-z]{2}(-[a-z]+)+-[0-9]$'),
		awsAccountId: accountId,
		bucket,
		prefix,
	},
	requiredQuery: ['name', 'access', 'region'],
};
const tableBucketArn: Schema = textOf(
	1,
	200,
	'^arn:aws[a-z-]*:s3tables:[a-z0-9-]+:[0-9]{12}:bucket/[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$',
);
const s3Tables: Query = {
	query: { tableBucketArn, access },
	requiredQuery: ['tableBucketArn', 'access'],
};

export const cloudConnectionContracts = {
	listCloudConnections: { response: listOf(connection) },
	createCloudConnection: {
		body: object({
			name: textOf(1, 100),
			awsAccountId: accountId,
			'trustedAccountIds?': listOf(accountId),
			'allowSaas?': flag,
		}),
		response: connection,
	},
	getCloudConnection: { response: connection },
	deleteCloudConnection: { response: 'none' },
	verifyCloudConnection: {
		body: object({
			'binding?': object({
				type: { const: 'storage' },
				path: filled,
				accessType: oneOf('READ', 'READ_WRITE'),
			}),
		}),
		response: verification,
	},
	getConnectionCreateLink: { response: link },
	getConnectionTemplate: { response: 'file' },
	getStorageCreateLink: { ...storage, response: link },
	getStorageTemplate: { ...storage, response: 'file' },
	getGlueCreateLink: { ...glue, response: link },
	getGlueTemplate: { ...glue, response: 'file' },
	getS3TablesCreateLink: { ...s3Tables, response: link },
	getS3TablesTemplate: { ...s3Tables, response: 'file' },
} satisfies Contracts;
