/** Cloud connections. Record: CloudConnectionRead. */
import { recordTime } from '../time';
import { Records } from './records';

interface Binding {
	kind: 'storage_integration' | 'glue_catalog' | 's3tables_catalog';
	id: string;
	name: string;
}

export interface CloudConnectionRecord {
	id: string;
	name: string;
	managedBy: 'CLOUDFORMATION' | null;
	roleArn: string | null;
	awsAccountId: string;
	trustedAccountIds: string[];
	allowSaas: boolean;
	stackName: string | null;
	createdAt: number;
	bindings: Binding[] | null;
	/** Sandbox time from which the role can be assumed; Infinity never passes. */
	verifiesAt: number;
	/** Why the role can't be assumed. */
	reason: string;
}

export class CloudConnectionStore extends Records<CloudConnectionRecord> {
	create(draft: Partial<CloudConnectionRecord> & { name: string }): CloudConnectionRecord {
		const { clock, ids, timings } = this.parts;
		const now = clock.now();
		const id = draft.id ?? ids.next('connection');
		const awsAccountId = draft.awsAccountId ?? '123456789012';
		return this.add({
			id,
			managedBy: 'CLOUDFORMATION',
			roleArn: `arn:aws:iam::${awsAccountId}:role/sandbox-${id}`,
			awsAccountId,
			trustedAccountIds: [],
			allowSaas: true,
			stackName: null,
			createdAt: now,
			bindings: [],
			verifiesAt: now + timings.verifyMs,
			reason: 'The stack has not been created yet: the role can not be assumed.',
			...draft,
		});
	}

	view(connection: CloudConnectionRecord): Record<string, unknown> {
		const hidden = { verifiesAt: undefined, reason: undefined };
		const createdAt = recordTime(connection.createdAt);
		return { ...connection, ...hidden, cloudProvider: 'AWS', createdAt };
	}
}
