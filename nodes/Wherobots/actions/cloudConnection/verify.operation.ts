import { connectionPart, readAddress } from '../../parameters/address';
import { choiceField, countField, switchField, textField } from '../../parameters/declarations';
import { item } from '../../parameters/items';
import {
	verificationProblem,
	type BindingAccess,
	type Verification,
} from '../../service/cloudConnections';
import * as rules from '../../service/rules';
import { pollUntil } from '../../transport/polling';
import { readRecord } from '../../transport/records';
import type { Operation } from '../operations/operation';
import { Failure } from '../../transport/failure';

const MAX_INTERVAL_MS = 30_000;

const checkStorageField = switchField({
	displayName: 'Check Storage Access',
	name: 'checkStorage',
	description: 'Whether to also check access to a storage location, even if it is not bound yet',
});

const storagePathField = textField({
	displayName: 'Storage Path',
	name: 'storagePath',
	required: true,
	placeholder: 'e.g. s3://my-bucket/surveys',
	description: 'S3 location to check',
	displayOptions: { show: { checkStorage: [true] } },
	rule: rules.s3Location,
});

const accessTypeField = choiceField<BindingAccess>({
	displayName: 'Access Type',
	name: 'accessType',
	options: [
		{ name: 'Read', value: 'READ' },
		{ name: 'Read and Write', value: 'READ_WRITE' },
	],
	default: 'READ',
	description: 'Access to check',
	displayOptions: { show: { checkStorage: [true] } },
});

const waitField = switchField({
	displayName: 'Wait Until Verified',
	name: 'waitUntilVerified',
	description:
		'Whether to repeat the check until it passes, for a stack that is still being created',
});

const maxWaitField = countField({
	displayName: 'Max Wait (Minutes)',
	name: 'maxWaitMinutes',
	default: 30,
	description: 'How long to repeat the check. The workflow execution keeps running meanwhile.',
	displayOptions: { show: { waitUntilVerified: [true] } },
});

const onFailureField = choiceField({
	displayName: 'If Verification Fails',
	name: 'onFailure',
	options: [
		{
			name: 'Return the Result',
			value: 'return',
			description: "Output the result with 'verified' set to false",
		},
		{ name: 'Fail the Node', value: 'fail', description: 'Stop with the reason' },
	],
	default: 'return',
	description: 'What to do when the connection does not pass verification',
});

export const verify: Operation = {
	option: {
		name: 'Verify',
		value: 'verify',
		action: 'Verify cloud connection',
		description:
			'Check that the role of a connection can be assumed and, optionally, that it has access to a storage location',
	},
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
			() => readRecord<Verification>(client, 'verifyCloudConnection', { path, body }),
			(result) => verificationProblem(result, binding !== undefined) === undefined,
			{ maxWaitMs, maxIntervalMs: MAX_INTERVAL_MS },
		);
		const result = polled.done ? polled.value : polled.last;
		if (result instanceof Error) throw result;
		const reason = verificationProblem(result, binding !== undefined);
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
		return [item({ connectionId: names.id, verified, reason: reason ?? null, ...result })];
	},
};
