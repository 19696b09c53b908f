import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { connectionPart, readAddress } from '../../form/address';
import { defineChoiceField, defineCollection, defineTextField } from '../../form/declarations';
import { binaryFieldOption, defineOptions } from '../../form/fields';
import type { Input } from '../../form/input';
import { toItem } from '../../form/output';
import { parseLeadingJson } from '../../service/json';
import { isErrorBody } from '../../service/records';
import {
	type Stack,
	STACK_ENDPOINTS,
	type StackAccess,
} from '../../service/records/cloudConnection';
import * as rules from '../../service/rules';
import { fetchRecord } from '../../transport/records';
import { fetchSmallFile } from '../../transport/transfer';
import type { Operation, RequestFields } from '../operations/operation';

/**
 * The kind of an infrastructure template by its content, because the interface does not state a
 * content type or format. Undefined for nothing, a web page and an error body of the service.
 *
 * @returns extension with its dot, and the media type
 */
function detectTemplateKind(text: string): { extension: string; mimeType: string } | undefined {
	const json = parseLeadingJson(text);
	const isPage = /^\s*<(!doctype\s+html|html)/i.test(text);
	if (text === '' || isPage || isErrorBody(json)) return undefined;
	return json === undefined
		? { extension: '.yaml', mimeType: 'application/yaml' }
		: { extension: '.json', mimeType: 'application/json' };
}

const showFor = (...stack: Stack[]) => ({ show: { stack } });

const stackField = defineChoiceField<Stack>({
	displayName: 'Stack',
	name: 'stack',
	options: {
		connection: ['Connection', 'The role itself: the first stack to create in the account'],
		glue: ['Glue', 'Access to an AWS Glue Data Catalog'],
		s3tables: ['S3 Tables', 'Access to a table bucket'],
		storage: ['Storage', 'Access to an S3 bucket, or to a part of it'],
	},
	default: 'connection',
	description: 'What the CloudFormation template sets up in the AWS account',
});

const bindingNameField = defineTextField({
	displayName: 'Binding Name',
	name: 'bindingName',
	required: true,
	placeholder: 'e.g. acme_glue',
	description: 'Name of the catalog to bind. The recommended stack name is derived from it.',
	displayOptions: showFor('glue'),
});

const awsRegionField = defineTextField({
	displayName: 'AWS Region',
	name: 'awsRegion',
	required: true,
	placeholder: 'e.g. us-west-2',
	description: 'AWS region of the Glue Data Catalog',
	displayOptions: showFor('glue'),
	rule: rules.checkAwsRegion,
});

const tableBucketField = defineTextField({
	displayName: 'Table Bucket ARN',
	name: 'tableBucketArn',
	required: true,
	placeholder: 'e.g. arn:aws:s3tables:us-west-2:123456789012:bucket/my-tables',
	description: 'ARN of the table bucket',
	displayOptions: showFor('s3tables'),
	rule: rules.checkTableBucketArn,
});

const bucketField = defineTextField({
	displayName: 'Bucket',
	name: 'bucket',
	required: true,
	placeholder: 'e.g. my-bucket',
	description: 'Name of the S3 bucket, not its ARN or URL',
	displayOptions: showFor('storage'),
	rule: rules.checkBucketName,
});

const prefixField = defineTextField({
	displayName: 'Prefix',
	name: 'prefix',
	placeholder: 'e.g. surveys/2026/',
	description: 'Part of the bucket to grant access to. Leave empty for the whole bucket.',
	displayOptions: showFor('storage'),
	rule: rules.checkPrefix,
});

const accessField = defineChoiceField<StackAccess>({
	displayName: 'Access Type',
	name: 'access',
	options: {
		'read-only': 'Read Only',
		'read-write': 'Read and Write',
	},
	default: 'read-only',
	description: 'Access to grant',
	displayOptions: showFor('glue', 's3tables', 'storage'),
});

const glueAccountField = defineTextField({
	displayName: 'AWS Account ID',
	name: 'awsAccountId',
	placeholder: 'e.g. 123456789012',
	description: "AWS account of the Glue Data Catalog. Leave empty for the connection's account.",
	rule: rules.checkAwsAccountId,
});

const ofGlue = { required: undefined, displayOptions: undefined };

const glueBucketField = {
	...bucketField,
	...ofGlue,
	description: 'S3 bucket to grant access to as well',
};

const gluePrefixField = {
	...prefixField,
	...ofGlue,
	placeholder: 'e.g. warehouse/',
	description: 'Part of that bucket. Leave empty for the whole bucket.',
};

const glueOptionsField = defineCollection(
	'Glue Options',
	[glueAccountField, glueBucketField, gluePrefixField],
	{ displayOptions: showFor('glue') },
);

/** Which connection and stack, and what it needs (interface, "Query parameters of the link and template operations"). */
const stackFields: INodeProperties[] = [
	connectionPart.field,
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
const stackRequestFields: RequestFields = {
	name: bindingNameField,
	region: awsRegionField,
};

/** The query of each stack, checked against every rule of the interface. */
const QUERIES: Record<Stack, (input: Input) => IDataObject> = {
	connection: () => ({}),
	storage: (input) => ({
		bucket: input.text(bucketField),
		prefix: input.optionalText(prefixField),
		access: input.choice(accessField),
	}),
	s3tables: (input) => ({
		tableBucketArn: input.text(tableBucketField),
		access: input.choice(accessField),
	}),
	glue(input) {
		const options = input.within(glueOptionsField);
		const account = options.optionalText(glueAccountField);
		return {
			name: input.text(bindingNameField),
			access: input.choice(accessField),
			region: input.text(awsRegionField),
			awsAccountId: account && rules.toPlainAccountId(account),
			bucket: options.optionalText(glueBucketField),
			prefix: options.optionalText(gluePrefixField),
		};
	},
};

/**
 * The connection, the stack and its query.
 *
 * @throws Failure that names the field and the rule it breaks
 */
function readStack(input: Input) {
	const { path, names } = readAddress(input, [connectionPart]);
	const stack = input.choice(stackField);
	return { stack, request: { path, query: QUERIES[stack](input) }, connectionId: names.id };
}

export const getCreateLink: Operation = {
	name: 'Get CloudFormation Link',
	value: 'getCreateLink',
	action: 'Get cloud connection CloudFormation link',
	description:
		'Get a link that opens the AWS console with the stack ready to create, to send to the owner of the account',
	fields: stackFields,
	requestFields: stackRequestFields,
	kind: 'read',
	async execute({ client, input }) {
		const { stack, request, connectionId } = readStack(input);
		const link = await fetchRecord(client, STACK_ENDPOINTS[stack].link, request);
		return [toItem({ connectionId, stack, ...link })];
	},
};

/** Templates are a few kilobytes; the provider takes none above one megabyte. */
const MAX_TEMPLATE_BYTES = 5 * 1024 * 1024;

const fileNameField = defineTextField({
	displayName: 'File Name',
	name: 'fileName',
	placeholder: 'e.g. acme-storage.yaml',
	description: 'Name of the file. Defaults to the ID of the connection and the name of the stack.',
});

const optionsField = defineOptions(fileNameField, binaryFieldOption);

export const downloadTemplate: Operation = {
	name: 'Download Template',
	value: 'downloadTemplate',
	action: 'Download cloud connection template',
	description: 'Download the CloudFormation template of a stack as a file',
	fields: [...stackFields, optionsField],
	requestFields: stackRequestFields,
	kind: 'read',
	async execute({ client, context, input }) {
		const { stack, request, connectionId } = readStack(input);
		const options = input.within(optionsField);
		const wanted = options.optionalText(fileNameField);
		const field = options.text(binaryFieldOption);

		const endpoint = STACK_ENDPOINTS[stack].template;
		const bytes = await fetchSmallFile(client, endpoint, request, MAX_TEMPLATE_BYTES);
		const text = new TextDecoder().decode(bytes);
		const kind = detectTemplateKind(text);
		if (!kind) throw client.unreadable(endpoint, { status: 200, contentType: '', text });
		const fileName = wanted ?? `${connectionId}-${stack}${kind.extension}`;
		const file = await context.helpers.prepareBinaryData(bytes, fileName, kind.mimeType);
		const facts = { connectionId, stack, fileName, mimeType: kind.mimeType };
		return [{ json: { ...facts, fileSize: bytes.length }, binary: { [field]: file } }];
	},
};
