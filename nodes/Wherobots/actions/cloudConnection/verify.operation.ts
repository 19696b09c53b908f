import type { INodeExecutionData } from 'n8n-workflow';

import { choiceField, countField, switchField, textField } from '../../parameters/declarations';
import {
	isVerified,
	verificationProblem,
	type BindingAccess,
	type Verification,
} from '../../service/cloudConnections';
import * as rules from '../../service/rules';
import { readRecord } from '../../transport/records';
import type { Input } from '../../parameters/input';
import { item } from '../../parameters/items';
import { connectionPart, readAddress } from '../../parameters/address';
import type { Call, Operation } from '../operation';
import { pollUntil } from '../../transport/polling';

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
	kind: 'write',
	async execute(call) {
		const { client, input } = call;
		const {
			path,
			names: { id: connectionId },
		} = readAddress(input, [connectionPart]);
		const binding = readBinding(input);
		const failing = input.choice(onFailureField);
		const wait = input.flag(waitField);
		const maxWaitMs = wait ? 60_000 * input.integer(maxWaitField) : 0;
		const check = async () =>
			await readRecord<Verification>(client, 'verifyCloudConnection', {
				path,
				body: binding ? { binding } : {},
			});
		const output = (result: Verification) =>
			outcome(call, connectionId, result, { binding: binding !== undefined, failing });

		if (!wait) return output(await check());
		const finish = async () => {
			const passes = (result: Verification) => isVerified(result, binding !== undefined);
			const polled = await pollUntil(client, check, passes, {
				maxWaitMs,
				maxIntervalMs: MAX_INTERVAL_MS,
			});
			const last = polled.done ? polled.value : polled.last;
			if (last instanceof Error) throw last;
			return output(last);
		};
		return { finish };
	},
};

function readBinding(input: Input) {
	if (!input.flag(checkStorageField)) return undefined;
	return {
		type: 'storage',
		path: input.text(storagePathField, rules.s3Location),
		accessType: input.choice(accessTypeField),
	};
}

function outcome(
	{ client }: Call,
	connectionId: string,
	result: Verification,
	{ binding, failing }: { binding: boolean; failing: 'return' | 'fail' },
): INodeExecutionData[] {
	const verified = isVerified(result, binding);
	const reason = verified ? null : verificationProblem(result, binding);
	if (!verified && failing === 'fail') {
		throw client.error({
			message: `The cloud connection did not pass verification: ${reason}`,
			description: [
				`Role assumption: ${String(result.roleAssumption?.status)}`,
				...(result.bindingAccess ? [`Storage access: ${String(result.bindingAccess.status)}`] : []),
				`Connection ID: ${connectionId}`,
				'Check that the stack was created in the AWS account. Cloud Connection: Get CloudFormation Link returns a link for that.',
			].join('\n'),
			codes: [],
		});
	}
	return [item({ connectionId, verified, reason, ...result })];
}
