import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { choiceField, collectionField, textField } from '../../parameters/declarations';
import { connectionPart, readAddress } from '../../parameters/address';
import { item } from '../../parameters/items';
import { STACK_ENDPOINTS, type Stack, type StackAccess } from '../../service/cloudConnections';
import { readRecord } from '../../transport/records';
import * as rules from '../../service/rules';
import type { Input } from '../../parameters/input';
import type { Operation, RequestFields } from '../operation';

const shownFor = (...stack: Stack[]) => ({ show: { stack } });

const stackField = choiceField<Stack>({
	displayName: 'Stack',
	name: 'stack',
	options: [
		{
			name: 'Connection',
			value: 'connection',
			description: 'The role itself: the first stack to create in the account',
		},
		{ name: 'Glue', value: 'glue', description: 'Access to an AWS Glue Data Catalog' },
		{ name: 'S3 Tables', value: 's3tables', description: 'Access to a table bucket' },
		{
			name: 'Storage',
			value: 'storage',
			description: 'Access to an S3 bucket, or to a part of it',
		},
	],
	default: 'connection',
	description: 'What the CloudFormation template sets up in the AWS account',
});

const bindingNameField = textField({
	displayName: 'Binding Name',
	name: 'bindingName',
	required: true,
	placeholder: 'e.g. acme_glue',
	description: 'Name of the catalog to bind. The recommended stack name is derived from it.',
	displayOptions: shownFor('glue'),
});

const awsRegionField = textField({
	displayName: 'AWS Region',
	name: 'awsRegion',
	required: true,
	placeholder: 'e.g. us-west-2',
	description: 'AWS region of the Glue Data Catalog',
	displayOptions: shownFor('glue'),
});

const tableBucketField = textField({
	displayName: 'Table Bucket ARN',
	name: 'tableBucketArn',
	required: true,
	placeholder: 'e.g. arn:aws:s3tables:us-west-2:123456789012:bucket/my-tables',
	description: 'ARN of the table bucket',
	displayOptions: shownFor('s3tables'),
});

const bucketField = textField({
	displayName: 'Bucket',
	name: 'bucket',
	required: true,
	placeholder: 'e.g. my-bucket',
	description: 'Name of the S3 bucket, not its ARN or URL',
	displayOptions: shownFor('storage'),
});

const prefixField = textField({
	displayName: 'Prefix',
	name: 'prefix',
	placeholder: 'e.g. surveys/2026/',
	description: 'Part of the bucket to grant access to. Leave empty for the whole bucket.',
	displayOptions: shownFor('storage'),
});

const accessField = choiceField<StackAccess>({
	displayName: 'Access',
	name: 'access',
	options: [
		{ name: 'Read Only', value: 'read-only' },
		{ name: 'Read and Write', value: 'read-write' },
	],
	default: 'read-only',
	description: 'Access to grant',
	displayOptions: shownFor('glue', 's3tables', 'storage'),
});

const glueAccountField = textField({
	displayName: 'AWS Account ID',
	name: 'awsAccountId',
	placeholder: 'e.g. 123456789012',
	description: "AWS account of the Glue Data Catalog. Leave empty for the connection's account.",
});

const glueBucketField = textField({
	displayName: 'Bucket',
	name: 'bucket',
	placeholder: 'e.g. my-bucket',
	description: 'S3 bucket to grant access to as well',
});

const gluePrefixField = textField({
	displayName: 'Prefix',
	name: 'prefix',
	placeholder: 'e.g. warehouse/',
	description: 'Part of that bucket. Leave empty for the whole bucket.',
});

const glueOptionsField = collectionField(
	'Glue Options',
	[glueAccountField, glueBucketField, gluePrefixField],
	{ displayOptions: shownFor('glue') },
);

/** Which stack, and what it needs (interface, "Query parameters of the link and template operations"). */
export const stackFields: INodeProperties[] = [
	stackField,
	bindingNameField,
	awsRegionField,
	tableBucketField,
	bucketField,
	prefixField,
	accessField,
	glueOptionsField,
];

/** The fields whose values have other names in a stack's query. */
export const stackRequestFields: RequestFields = {
	name: bindingNameField,
	region: awsRegionField,
};

/**
 * The stack and its query, checked against every rule of the interface. Empty parameters are left out.
 *
 * @throws NodeOperationError that names the field and the rule it breaks
 */
export function readStack(input: Input): { stack: Stack; query: IDataObject } {
	const stack = input.choice(stackField);
	if (stack === 'connection') return { stack, query: {} };
	const access = input.choice(accessField);
	if (stack === 's3tables') {
		const tableBucketArn = input.text(tableBucketField, rules.tableBucketArn);
		return { stack, query: { tableBucketArn, access } };
	}
	if (stack === 'storage') {
		const bucket = input.text(bucketField, rules.bucketName);
		return {
			stack,
			query: { bucket, prefix: input.optionalText(prefixField, rules.prefix), access },
		};
	}
	const glue = input.within(glueOptionsField);
	const account = glue.optionalText(glueAccountField, rules.awsAccountId);
	return {
		stack,
		query: {
			name: input.text(bindingNameField),
			access,
			region: input.text(awsRegionField, rules.awsRegion),
			awsAccountId: account && rules.plainAccountId(account),
			bucket: glue.optionalText(glueBucketField, rules.bucketName),
			prefix: glue.optionalText(gluePrefixField, rules.prefix),
		},
	};
}

export const getCreateLink: Operation = {
	option: {
		name: 'Get CloudFormation Link',
		value: 'getCreateLink',
		action: 'Get cloud connection CloudFormation link',
		description:
			'Get a link that opens the AWS console with the stack ready to create, to send to the owner of the account',
	},
	fields: [connectionPart.field, ...stackFields],
	requestFields: stackRequestFields,
	kind: 'read',
	async execute({ client, input }) {
		const { path, names } = readAddress(input, [connectionPart]);
		const { stack, query } = readStack(input);
		const link = await readRecord(client, STACK_ENDPOINTS[stack].link, { path, query });
		return [item({ connectionId: names.id, stack, ...link })];
	},
};
