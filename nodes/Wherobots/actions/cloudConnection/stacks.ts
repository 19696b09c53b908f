import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { STACK_ACCESS, STACKS, type Stack } from '../../service/cloudConnections';
import * as rules from '../../service/rules';
import type { Input } from '../../parameters/input';

const shownFor = (...stack: Stack[]) => ({ show: { stack } });

/**
 * Which stack, and what it needs (interface, "Query parameters of the link and template
 * operations").
 */
export const stackFields: INodeProperties[] = [
	{
		displayName: 'Stack',
		name: 'stack',
		type: 'options',
		options: [
			{
				name: 'Connection',
				value: 'connection',
				description: 'The role itself: the first stack that the account runs',
			},
			{ name: 'Glue', value: 'glue', description: 'Access to an AWS Glue Data Catalog' },
			{ name: 'S3 Tables', value: 's3tables', description: 'Access to a table bucket' },
			{ name: 'Storage', value: 'storage', description: 'Access to an S3 bucket or a part of it' },
		],
		default: 'connection',
		description: 'What the infrastructure template sets up in the AWS account',
	},
	{
		displayName: 'Binding Name',
		name: 'bindingName',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. acme_glue',
		description: 'Name of the catalog to bind; the recommended stack name is made of it',
		displayOptions: shownFor('glue'),
	},
	{
		displayName: 'AWS Region',
		name: 'awsRegion',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. us-west-2',
		description: 'AWS region of the Glue Data Catalog',
		displayOptions: shownFor('glue'),
	},
	{
		displayName: 'Table Bucket ARN',
		name: 'tableBucketArn',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. arn:aws:s3tables:us-west-2:123456789012:bucket/my-tables',
		description: 'ARN of the table bucket',
		displayOptions: shownFor('s3tables'),
	},
	{
		displayName: 'Bucket',
		name: 'bucket',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. my-bucket',
		description: 'Name of the S3 bucket, not its ARN or URL',
		displayOptions: shownFor('storage'),
	},
	{
		displayName: 'Prefix',
		name: 'prefix',
		type: 'string',
		default: '',
		placeholder: 'e.g. surveys/2026/',
		description: 'Part of the bucket to give access to. Leave empty for the whole bucket.',
		displayOptions: shownFor('storage'),
	},
	{
		displayName: 'Access',
		name: 'access',
		type: 'options',
		options: [
			{ name: 'Read Only', value: 'read-only' },
			{ name: 'Read and Write', value: 'read-write' },
		],
		default: 'read-only',
		description: 'What the binding may do',
		displayOptions: shownFor('glue', 's3tables', 'storage'),
	},
	{
		displayName: 'Glue Options',
		name: 'glueOptions',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		displayOptions: shownFor('glue'),
		options: [
			{
				displayName: 'AWS Account ID',
				name: 'awsAccountId',
				type: 'string',
				default: '',
				placeholder: 'e.g. 123456789012',
				description: "Account of the Glue Data Catalog. Leave empty for the connection's account.",
			},
			{
				displayName: 'Bucket',
				name: 'bucket',
				type: 'string',
				default: '',
				placeholder: 'e.g. my-bucket',
				description: 'S3 bucket to give access to as well',
			},
			{
				displayName: 'Prefix',
				name: 'prefix',
				type: 'string',
				default: '',
				placeholder: 'e.g. warehouse/',
				description: 'Part of that bucket. Leave empty for the whole bucket.',
			},
		],
	},
];

/**
 * The stack and its query, every rule of the interface checked. Parameters that are left empty are
 * left out.
 *
 * @throws NodeOperationError that names the field and the rule it breaks
 */
export function readStack(input: Input): { stack: Stack; query: IDataObject } {
	const stack = input.choice('stack', 'Stack', STACKS, 'connection');
	return { stack, query: queryOf(stack, input) };
}

function queryOf(stack: Stack, input: Input): IDataObject {
	const access = () => input.choice('access', 'Access', STACK_ACCESS, 'read-only');
	switch (stack) {
		case 'connection':
			return {};
		case 'storage':
			return {
				bucket: input.text('bucket', 'Bucket', rules.bucketName),
				prefix: input.optionalText('prefix', 'Prefix', rules.prefix),
				access: access(),
			};
		case 'glue':
			return {
				name: input.text('bindingName', 'Binding Name'),
				access: access(),
				region: input.text('awsRegion', 'AWS Region', rules.awsRegion),
				awsAccountId: input.optionalText(
					'glueOptions.awsAccountId',
					'AWS Account ID',
					rules.awsAccountId,
				),
				bucket: input.optionalText('glueOptions.bucket', 'Bucket', rules.bucketName),
				prefix: input.optionalText('glueOptions.prefix', 'Prefix', rules.prefix),
			};
		case 's3tables':
			return {
				tableBucketArn: input.text('tableBucketArn', 'Table Bucket ARN', rules.tableBucketArn),
				access: access(),
			};
	}
}
