/** Cloud connections. Record: CloudConnectionRead. */
import type { SandboxClock } from '../clock';
import type { Ids } from '../ids';
import { recordTime } from '../time';
import type { Timings } from '../timings';

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
	/** Buckets whose access is denied although the role can be assumed. */
	deniedBuckets: string[];
}

export class CloudConnectionStore {
	private readonly connections = new Map<string, CloudConnectionRecord>();

	constructor(
		private readonly clock: SandboxClock,
		private readonly timings: Timings,
		private readonly ids: Ids,
	) {}

	all(): CloudConnectionRecord[] {
		return [...this.connections.values()];
	}

	get(id: string): CloudConnectionRecord | undefined {
		return this.connections.get(id);
	}

	create(draft: Partial<CloudConnectionRecord> & { name: string }): CloudConnectionRecord {
		const now = this.clock.now();
		const id = draft.id ?? this.ids.next('connection');
		const awsAccountId = draft.awsAccountId ?? '123456789012';
		const connection: CloudConnectionRecord = {
			id,
			managedBy: 'CLOUDFORMATION',
			roleArn: `arn:aws:iam::${awsAccountId}:role/sandbox-${id}`,
			awsAccountId,
			trustedAccountIds: [],
			allowSaas: true,
			stackName: null,
			createdAt: now,
			bindings: [],
			verifiesAt: now + this.timings.verifyMs,
			reason: 'The stack has not been created yet: the role can not be assumed.',
			deniedBuckets: [],
			...draft,
		};
		this.connections.set(id, connection);
		return connection;
	}

	delete(id: string): boolean {
		return this.connections.delete(id);
	}

	view(connection: CloudConnectionRecord): Record<string, unknown> {
		return {
			id: connection.id,
			name: connection.name,
			cloudProvider: 'AWS',
			managedBy: connection.managedBy,
			roleArn: connection.roleArn,
			awsAccountId: connection.awsAccountId,
			trustedAccountIds: connection.trustedAccountIds,
			allowSaas: connection.allowSaas,
			stackName: connection.stackName,
			createdAt: recordTime(connection.createdAt),
			bindings: connection.bindings,
		};
	}
}
