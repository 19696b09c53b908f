import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { REPOSITORY } from '../../../scripts/lib/paths';
import type { CredentialData, CredentialReference, WorkflowJson } from './apiTypes';

/** Type of the package's credential, and prefix of the types of its nodes. */
export const CREDENTIAL_TYPE = 'wherobotsApi';
const PACKAGE_PREFIX = 'n8n-nodes-wherobots.';

/** The fields of the Wherobots API credential for an API key. */
export function credentialData(apiKey: string, baseUrl: string): CredentialData {
	return {
		name: 'Wherobots account',
		type: CREDENTIAL_TYPE,
		data: { authentication: 'apiKey', apiKey, bearerToken: '', baseUrl },
	};
}

/** n8n's own credential, with which its nodes call its public API. */
export const n8nCredential = (url: string, apiKey?: string): CredentialData => ({
	name: 'n8n account',
	type: 'n8nApi',
	data: { apiKey, baseUrl: `${url}/api/v1` },
});

/** @param file path of an exported workflow, from the root of the repository */
export async function readWorkflow(file: string): Promise<WorkflowJson> {
	return JSON.parse(await readFile(path.join(REPOSITORY, file), 'utf8')) as WorkflowJson;
}

/** The type of credential that nodes of n8n take, by the type of the node. */
const CREDENTIAL_OF: Record<string, string> = {
	'n8n-nodes-base.s3': 's3',
	'n8n-nodes-base.ftp': 'sftp',
	'n8n-nodes-base.postgres': 'postgres',
	'n8n-nodes-base.emailSend': 'smtp',
	'n8n-nodes-base.emailSendHitlTool': 'smtp',
	'@n8n/n8n-nodes-langchain.lmChatOpenAi': 'openAiApi',
	'@n8n/n8n-nodes-langchain.mcpTrigger': 'httpBearerAuth',
};

/**
 * Chooses a credential in every node that can use one, as a person does after an import: nodes that take
 * one of its type, and HTTP Request nodes that name the type.
 *
 * @param type of the credential; by default that of the package
 */
export function withCredential(
	workflow: WorkflowJson,
	credential: CredentialReference,
	type = CREDENTIAL_TYPE,
): WorkflowJson {
	const nodes = workflow.nodes.map((node) => {
		const own = node.type.startsWith(PACKAGE_PREFIX) ? CREDENTIAL_TYPE : CREDENTIAL_OF[node.type];
		if ((own ?? node.parameters.nodeCredentialType) !== type) return node;
		return { ...node, credentials: { ...node.credentials, [type]: credential } };
	});
	return { ...workflow, nodes };
}

/** Changes parameters of nodes, by the names of the nodes. */
export function withParameters(
	workflow: WorkflowJson,
	changes: Record<string, Record<string, unknown>>,
): WorkflowJson {
	const unknown = Object.keys(changes).filter(
		(name) => !workflow.nodes.some((node) => node.name === name),
	);
	if (unknown.length > 0) throw new Error(`"${workflow.name}" has no node ${unknown.join(', ')}`);
	const nodes = workflow.nodes.map((node) => ({
		...node,
		parameters: { ...node.parameters, ...changes[node.name] },
	}));
	return { ...workflow, nodes };
}

/** Puts a webhook with this path in the place of the manual trigger; without a path, nothing. */
export function startedByWebhook(workflow: WorkflowJson, hook: string | undefined): WorkflowJson {
	if (hook === undefined) return workflow;
	const nodes = workflow.nodes.map((node) => {
		if (node.type !== 'n8n-nodes-base.manualTrigger') return node;
		const parameters = { httpMethod: 'POST', path: hook, responseMode: 'onReceived', options: {} };
		return { ...node, type: 'n8n-nodes-base.webhook', typeVersion: 2, webhookId: hook, parameters };
	});
	return { ...workflow, nodes };
}
