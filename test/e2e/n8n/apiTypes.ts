/** What is exchanged with n8n's interfaces. */

export interface Account {
	email: string;
	password: string;
}

export interface WorkflowJson {
	name: string;
	nodes: WorkflowNode[];
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
}

interface WorkflowNode {
	name: string;
	type: string;
	parameters: Record<string, unknown>;
	credentials?: Record<string, CredentialReference>;
	/** Of nodes that are called over HTTP. */
	webhookId?: string;
	disabled?: boolean;
}

export interface CredentialReference {
	id: string;
	name: string;
}

export interface CredentialData {
	name: string;
	type: string;
	data: Record<string, unknown>;
}

/** n8n's response to the "Test" button of a credential. */
export interface CredentialTestResult {
	status: 'OK' | 'Error';
	message: string;
}
