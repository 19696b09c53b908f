import { switchField, textField } from '../../parameters/declarations';
import type { Input } from '../../parameters/input';
import {
	MAX_CONNECTION_NAME,
	MAX_TRUSTED_ACCOUNTS,
	simplifyConnection,
} from '../../service/cloudConnections';
import * as rules from '../../service/rules';
import {
	deleteOperation,
	getManyOperation,
	getOperation,
	writeOperation,
} from '../operations/declared';
import type { Resource } from '../operations/operation';
import { downloadTemplate, getCreateLink } from './stacks';
import { verify } from './verify.operation';

const nameField = textField({
	displayName: 'Name',
	name: 'name',
	required: true,
	placeholder: 'e.g. acme-production',
	description: `Name of the connection, up to ${MAX_CONNECTION_NAME} characters`,
	rule: rules.maxLength(MAX_CONNECTION_NAME),
});

const accountField = textField({
	displayName: 'AWS Account ID',
	name: 'awsAccountId',
	required: true,
	placeholder: 'e.g. 123456789012',
	description: 'AWS account to connect to: 12 digits, with or without dashes',
	rule: rules.awsAccountId,
});

const allowSaasField = switchField({
	displayName: 'Allow SaaS',
	name: 'allowSaas',
	default: true,
	description:
		'Whether compute managed by Wherobots Cloud may use the connection, in addition to your own',
});

const trustedAccountsField = textField({
	displayName: 'Trusted Account IDs',
	name: 'trustedAccountIds',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Account' },
	default: [],
	placeholder: 'e.g. 210987654321',
	description: 'AWS accounts whose compute may use the connection (bring your own compute)',
	rule: rules.awsAccountId,
});

const create = writeOperation({
	option: {
		action: 'Create cloud connection',
		description:
			'Create a connection to an AWS account. To finish it, create its stack in that account: see Get CloudFormation Link.',
	},
	endpoint: 'createCloudConnection',
	fields: [nameField, accountField],
	options: [allowSaasField, trustedAccountsField],
	body: (input, options) => ({
		name: input.text(nameField),
		awsAccountId: rules.plainAccountId(input.text(accountField)),
		trustedAccountIds: readTrustedAccounts(options),
		allowSaas: options.optionalFlag(allowSaasField),
	}),
	recoveryHint: (name) => `a cloud connection named "${name}" (Cloud Connection: Get Many)`,
	simplify: simplifyConnection,
});

/** Undefined when there are none. */
function readTrustedAccounts(options: Input): string[] | undefined {
	const accounts = options.list(trustedAccountsField).map(rules.plainAccountId);
	if (accounts.length > MAX_TRUSTED_ACCOUNTS) {
		throw options.problem(
			trustedAccountsField,
			`must have at most ${MAX_TRUSTED_ACCOUNTS} entries, not ${accounts.length}`,
		);
	}
	return accounts.length > 0 ? accounts : undefined;
}

const deleteConnection = deleteOperation({
	option: {
		action: 'Delete cloud connection',
		description: 'Permanently delete a connection. Its stacks in the AWS account are kept.',
	},
	endpoint: 'deleteCloudConnection',
	hint: 'This cannot be undone. Whatever uses the connection stops working; its stacks in the AWS account are kept.',
});

const get = getOperation({
	option: {
		action: 'Get cloud connection',
		description: 'Get a connection with its AWS account, role and bindings',
	},
	endpoint: 'getCloudConnection',
	simplify: simplifyConnection,
});

const getAll = getManyOperation({
	option: {
		action: 'Get many cloud connections',
		description: 'List the connections to AWS accounts',
	},
	endpoint: 'listCloudConnections',
	records: 'cloud connections',
	simplify: simplifyConnection,
});

export const cloudConnection: Resource = {
	option: {
		name: 'Cloud Connection',
		value: 'cloudConnection',
		description: 'A connection to your own AWS account or that of a customer',
	},
	operations: [create, deleteConnection, downloadTemplate, get, getCreateLink, getAll, verify],
	defaultOperation: 'getAll',
};
