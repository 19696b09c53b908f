/**
 * Runs workflow JSON through n8n-core's own engine: real expression resolution, credential
 * handling, HTTP helpers, pairing and error routing; only the server around it is missing.
 */
import 'reflect-metadata';

import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	NodeHelpers,
	Workflow,
	type IConnections,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type IDataObject,
	type IHttpRequestOptions,
	type INode,
	type INodeExecutionData,
	type INodeType,
	type INodeTypes,
	type IRun,
	type IWorkflowExecuteAdditionalData,
	type NodeEgressFilter,
} from 'n8n-workflow';

import { WherobotsApi } from '../../../credentials/WherobotsApi.credentials';
import { Wherobots } from '../../../nodes/Wherobots/Wherobots.node';
import './notes';

export const NODE_TYPE = 'n8n-nodes-wherobots.wherobots';
export const START_TYPE = 'n8n-nodes-base.manualTrigger';

/** Stands for the Manual Trigger: gives its input on. */
class Start implements INodeType {
	description = {
		displayName: 'Start',
		name: 'manualTrigger',
		group: ['trigger' as const],
		version: 1,
		description: '',
		defaults: { name: 'Start' },
		inputs: [],
		outputs: ['main' as const],
		properties: [],
	} as unknown as INodeType['description'];

	async execute(this: { getInputData(): INodeExecutionData[] }): Promise<INodeExecutionData[][]> {
		return [this.getInputData()];
	}
}

export interface WorkflowJson {
	nodes: INode[];
	connections: IConnections;
	settings?: IDataObject;
}

export interface EngineOptions {
	/** Input items of the first node (default: one empty item). */
	input?: INodeExecutionData[];
	credentials: ICredentialDataDecryptedObject;
	/** More node types by full name. */
	nodeTypes?: Record<string, INodeType>;
	timezone?: string;
	/** What decides which addresses may be connected to (default: n8n without such a filter). */
	egressFilter?: NodeEgressFilter;
}

export interface Running {
	result: Promise<IRun>;
	/** Stops the execution, as the Stop button does. */
	cancel(): void;
}

/** All node types of the package, and the start node. */
export function packageNodeTypes(more: Record<string, INodeType> = {}): INodeTypes {
	const types: Record<string, INodeType> = { [START_TYPE]: new Start(), ...more };
	// Made only where no other was given: a program may have no sources that can be loaded.
	const typeOf = (name: string) =>
		(types[name] ??= name === NODE_TYPE ? new Wherobots() : types[name]);
	return {
		getByName: (name) => typeOf(name),
		getByNameAndVersion: (name, version) => NodeHelpers.getVersionedNodeType(typeOf(name), version),
		getKnownTypes: () => ({}),
	};
}

/** Credentials as n8n hands them out, with the package's own way of authenticating. */
function credentialsHelper(
	data: ICredentialDataDecryptedObject,
): IWorkflowExecuteAdditionalData['credentialsHelper'] {
	const type: ICredentialType = new WherobotsApi();
	return {
		getParentTypes: () => [],
		preAuthentication: async () => undefined,
		getDecrypted: async () => ({ ...data }),
		getCredentialsProperties: () => type.properties,
		isCredentialUsableByNode: () => true,
		authenticate: async (
			credentials: ICredentialDataDecryptedObject,
			_type: string,
			request: IHttpRequestOptions,
		) =>
			typeof type.authenticate === 'function'
				? await type.authenticate(credentials, request)
				: request,
	} as unknown as IWorkflowExecuteAdditionalData['credentialsHelper'];
}

export function additionalData(
	hooks: ExecutionLifecycleHooks | undefined,
	credentials: ICredentialDataDecryptedObject,
	egressFilter?: NodeEgressFilter,
): IWorkflowExecuteAdditionalData {
	return {
		hooks,
		ssrfBridge: egressFilter,
		credentialsHelper: credentialsHelper(credentials),
		executionId: '1',
		restApiUrl: 'http://n8n.invalid/rest',
		instanceBaseUrl: 'http://n8n.invalid/',
		webhookBaseUrl: 'http://n8n.invalid/webhook',
		webhookTestBaseUrl: 'http://n8n.invalid/webhook-test',
		webhookWaitingBaseUrl: 'http://n8n.invalid/webhook-waiting',
		formWaitingBaseUrl: 'http://n8n.invalid/form-waiting',
		currentNodeParameters: undefined,
		variables: {},
		userId: 'user',
		setExecutionStatus: () => undefined,
		logAiEvent: () => undefined,
	} as unknown as IWorkflowExecuteAdditionalData;
}

const observers = new Set<(run: IRun) => void>();

/** Calls `observer` with every execution of this process that ends from now on. Returns the way to stop. */
export function observeRuns(observer: (run: IRun) => void): () => void {
	observers.add(observer);
	return () => observers.delete(observer);
}

/** Starts a workflow at its first node. */
export function startWorkflow(json: WorkflowJson, options: EngineOptions): Running {
	const workflow = new Workflow({
		id: 'w1',
		name: 'Test',
		nodes: json.nodes,
		connections: json.connections,
		nodeTypes: packageNodeTypes(options.nodeTypes),
		active: false,
		settings: { executionOrder: 'v1', timezone: options.timezone ?? 'UTC', ...json.settings },
	});
	const hooks = new ExecutionLifecycleHooks('manual', '1', {
		...json,
		id: 'w1',
		name: 'Test',
	} as unknown as ConstructorParameters<typeof ExecutionLifecycleHooks>[2]);
	const result = new Promise<IRun>((resolve) => {
		hooks.addHandler('workflowExecuteAfter', (run) => {
			for (const observe of observers) observe(run);
			resolve(run);
		});
	});

	const start = workflow.getNode(json.nodes[0].name) as INode;
	const data = createRunExecutionData({
		executionData: {
			contextData: {},
			metadata: {},
			nodeExecutionStack: [
				{ node: start, data: { main: [options.input ?? [{ json: {} }]] }, source: null },
			],
			waitingExecution: {},
			waitingExecutionSource: null,
		},
	});
	const { credentials, egressFilter } = options;
	const more = additionalData(hooks, credentials, egressFilter);
	const engine = new WorkflowExecute(more, 'manual', data);
	const execution = engine.processRunExecutionData(workflow);
	execution.catch(() => undefined);
	return { result, cancel: () => execution.cancel() };
}
