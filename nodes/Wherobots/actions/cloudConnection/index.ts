import { connectionPart, readAddress } from '../../form/address';
import {
	defineChoiceField,
	defineCountField,
	defineSwitchField,
	defineTextField,
} from '../../form/declarations';
import type { Input } from '../../form/input';
import { toItem } from '../../form/output';
import { pollUntil } from '../../transport/concurrency';
import {
	type BindingAccess,
	MAX_CONNECTION_NAME,
	MAX_TRUSTED_ACCOUNTS,
	simplifyConnection,
	type Verification,
	findVerificationProblem,
} from '../../service/records/cloudConnection';
import * as rules from '../../service/rules';
import { Failure } from '../../transport/failure';
import { fetchRecord } from '../../transport/records';
import {
	defineDelete,
	defineGet,
	defineGetMany,
	defineWrite,
	type Operation,
	type Resource,
} from '../operations/operation';
import { downloadTemplate, getCreateLink } from './stacks';

const MAX_INTERVAL_MS = 30_000;

const checkStorageField = defineSwitchField({
	displayName: 'Check Storage Access',
	name: 'checkStorage',
	description: 'Whether to also check access to a storage location, even if it is not bound yet',
});

const storagePathField = defineTextField({
	displayName: 'Storage Path',
	name: 'storagePath',
	required: true,
	placeholder: 'e.g. s3://my-bucket/surveys',
	description: 'S3 location to check',
	displayOptions: { show: { checkStorage: [true] } },
	rule: rules.checkS3Location,
});

const accessTypeField = defineChoiceField<BindingAccess>({
	displayName: 'Access Type',
	name: 'accessType',
	options: { READ: 'Read Only', READ_WRITE: 'Read and Write' },
	default: 'READ',
	description: 'Access to check',
	displayOptions: { show: { checkStorage: [true] } },
});

const waitField = defineSwitchField({
	displayName: 'Wait Until Verified',
	name: 'waitUntilVerified',
	description:
		'Whether to repeat the check until it passes, for a stack that is still being created',
});

const maxWaitField = defineCountField({
	displayName: 'Max Wait (Minutes)',
	name: 'maxWaitMinutes',
	default: 30,
	description: 'How long to repeat the check. The execution keeps running in the meantime.',
	displayOptions: { show: { waitUntilVerified: [true] } },
});

const onFailureField = defineChoiceField({
	displayName: 'If Verification Fails',
	name: 'onFailure',
	options: {
		return: ['Return the Result', "Output the result with 'verified' set to false"],
		fail: ['Fail the Node', 'Stop with an error that gives the reason'],
	},
	default: 'return',
	description:
		"What to do when the connection does not pass verification, or not within 'Max Wait (Minutes)'",
});

const verify: Operation = {
	name: 'Verify',
	value: 'verify',
	action: 'Verify cloud connection',
	description:
		'Check that the role of a connection can be assumed and, optionally, that it has access to a storage location',
	fields: [
		connectionPart.field,
		checkStorageField,
		storagePathField,
		accessTypeField,
		waitField,
		maxWaitField,
		onFailureField,
	],
	requestFields: { path: storagePathField },
	kind: 'read',
	async execute({ client, input }) {
		const { path, names } = readAddress(input, [connectionPart]);
		const binding = input.flag(checkStorageField)
			? {
					type: 'storage',
					path: input.text(storagePathField),
					accessType: input.choice(accessTypeField),
				}
			: undefined;
		const failing = input.choice(onFailureField);
		const maxWaitMs = input.flag(waitField) ? 60_000 * input.integer(maxWaitField) : 0;
		const body = binding ? { binding } : {};
		const polled = await pollUntil(
			client,
			() => fetchRecord<Verification>(client, 'verifyCloudConnection', { path, body }),
			(result) => findVerificationProblem(result, binding !== undefined) === undefined,
			{ maxWaitMs, maxIntervalMs: MAX_INTERVAL_MS },
		);
		const result = polled.done ? polled.value : polled.last;
		if (result instanceof Error) throw result;
		const reason = findVerificationProblem(result, binding !== undefined);
		if (reason !== undefined && failing === 'fail') {
			const { roleAssumption, bindingAccess } = result;
			throw new Failure({
				message: `The cloud connection did not pass verification: ${reason}`,
				description: [
					`Role assumption: ${String(roleAssumption?.status)}`,
					...(bindingAccess ? [`Storage access: ${String(bindingAccess.status)}`] : []),
					`Connection ID: ${names.id}`,
					'Check that the stack was created in the AWS account. Cloud Connection: Get CloudFormation Link returns a link for that.',
				].join('\n'),
			});
		}
		const verified = reason === undefined;
		return [toItem({ connectionId: names.id, verified, reason: reason ?? null, ...result })];
	},
};

const nameField = defineTextField({
	displayName: 'Name',
	name: 'name',
	required: true,
	placeholder: 'e.g. acme-production',
	description: `Name of the connection, up to ${MAX_CONNECTION_NAME} characters`,
	rule: rules.limitLength(MAX_CONNECTION_NAME),
});

const accountField = defineTextField({
	displayName: 'AWS Account ID',
	name: 'awsAccountId',
	required: true,
	placeholder: 'e.g. 123456789012',
	description: 'AWS account to connect to: 12 digits, with or without dashes',
	rule: rules.checkAwsAccountId,
});

const allowSaasField = defineSwitchField({
	displayName: 'Allow Managed Compute',
	name: 'allowSaas',
	default: true,
	description:
		'Whether compute managed by Wherobots Cloud may use the connection, in addition to your own',
});

const trustedAccountsField = defineTextField({
	displayName: 'Trusted Account IDs',
	name: 'trustedAccountIds',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add account' },
	default: [],
	placeholder: 'e.g. 210987654321',
	description: 'AWS accounts whose compute may use the connection (bring your own compute)',
	rule: rules.checkAwsAccountId,
});

const create = defineWrite({
	action: 'Create cloud connection',
	description:
		'Create a connection to an AWS account. To finish it, create its stack in that account: see Get CloudFormation Link.',
	endpoint: 'createCloudConnection',
	fields: [nameField, accountField],
	options: [allowSaasField, trustedAccountsField],
	body: (input, options) => ({
		name: input.text(nameField),
		awsAccountId: rules.toPlainAccountId(input.text(accountField)),
		trustedAccountIds: readTrustedAccounts(options),
		allowSaas: options.optionalFlag(allowSaasField),
	}),
	recoveryHint: (name) => `a cloud connection named "${name}" (Cloud Connection: Get Many)`,
	simplify: simplifyConnection,
});

/** Undefined when there are none. */
function readTrustedAccounts(options: Input): string[] | undefined {
	const accounts = options.list(trustedAccountsField).map(rules.toPlainAccountId);
	if (accounts.length > MAX_TRUSTED_ACCOUNTS) {
		throw options.problem(
			trustedAccountsField,
			`must have at most ${MAX_TRUSTED_ACCOUNTS} entries, not ${accounts.length}`,
		);
	}
	return accounts.length > 0 ? accounts : undefined;
}

const deleteConnection = defineDelete({
	action: 'Delete cloud connection',
	description: 'Permanently delete a connection. Its stacks in the AWS account are kept.',
	endpoint: 'deleteCloudConnection',
	picker: {
		description: 'The cloud connection to delete',
		hint: 'This cannot be undone. Whatever uses the connection stops working; its stacks in the AWS account are kept.',
	},
});

const get = defineGet({
	action: 'Get cloud connection',
	description: 'Get a connection with its AWS account, role and bindings',
	endpoint: 'getCloudConnection',
	simplify: simplifyConnection,
});

const getAll = defineGetMany({
	action: 'Get many cloud connections',
	description: 'List the connections to AWS accounts',
	endpoint: 'listCloudConnections',
	records: 'cloud connections',
	simplify: simplifyConnection,
});

export const cloudConnection: Resource = {
	name: 'Cloud Connection',
	value: 'cloudConnection',
	description: "A connection to your own AWS account or a customer's",
	operations: [create, deleteConnection, downloadTemplate, get, getCreateLink, getAll, verify],
};
