import type { IDataObject } from 'n8n-workflow';

import { MAX_CONNECTION_NAME } from '../../service/cloudConnections';
import * as rules from '../../service/rules';
import { readRecord } from '../../transport/records';
import { show, type Input } from '../../parameters/input';
import type { Operation } from '../operation';
import { shapeFields } from '../../parameters/shape';
import { connectionItems } from './fields';

export const create: Operation = {
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create cloud connection',
		description:
			'Create a connection to an AWS account. The account then runs the connection stack: see Get Create Link.',
	},
	fields: [
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. acme-production',
			description: `Name of the connection, at most ${MAX_CONNECTION_NAME} characters`,
		},
		{
			displayName: 'AWS Account ID',
			name: 'awsAccountId',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 123456789012',
			description: 'The account to connect to: 12 digits',
		},
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options: [
				{
					displayName: 'Allow SaaS',
					name: 'allowSaas',
					type: 'boolean',
					default: true,
					description:
						'Whether the compute that Wherobots Cloud manages may use the connection, besides your own',
				},
				{
					displayName: 'Trusted Account IDs',
					name: 'trustedAccountIds',
					type: 'string',
					typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Account' },
					default: [],
					placeholder: 'e.g. 210987654321',
					description: 'AWS accounts with compute of your own that may use the connection',
				},
			],
		},
		...shapeFields,
	],
	kind: 'write',
	async execute({ client, input }) {
		const body: IDataObject = {
			name: input.text('name', 'Name', rules.maxLength(MAX_CONNECTION_NAME)),
			awsAccountId: input.text('awsAccountId', 'AWS Account ID', rules.awsAccountId),
		};
		const trusted = readTrustedAccounts(input);
		if (trusted.length > 0) body.trustedAccountIds = trusted;
		if (input.raw('options.allowSaas', '') !== '') {
			body.allowSaas = input.flag('options.allowSaas', true);
		}
		const connection = await readRecord<IDataObject>(client, 'createCloudConnection', {
			body,
			lookFor: `a cloud connection named "${String(body.name)}" (Cloud Connection: Get Many)`,
		});
		return connectionItems(input, [connection]);
	},
};

function readTrustedAccounts(input: Input): string[] {
	const label = 'Trusted Account IDs';
	return input.list('options.trustedAccountIds', label).map((account) => {
		const what = rules.awsAccountId(account);
		if (what) throw input.problem(label, `has the entry ${show(account)}, which ${what}`);
		return account;
	});
}
