import type {
	ExecutionError,
	IBinaryKeyData,
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	IRun,
} from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';
import { withBytes } from './binaries';
import {
	NODE_TYPE,
	START_TYPE,
	startWorkflow,
	type EngineOptions,
	type Running,
	type WorkflowJson,
} from './engine';

export * from './engine';
export * from './time';

const NODE_NAME = 'Wherobots';

export interface NodeOptions {
	/** Input items; the JSON objects alone will do. */
	input?: IDataObject[];
	/** The files of the input items, in their order. */
	files?: IBinaryKeyData[];
	/** n8n's "On Error" setting of the node. */
	onError?: INode['onError'];
	/** n8n's "Retry On Fail": how often the node is tried, a millisecond apart. */
	maxTries?: number;
	/** Whose key to use (default: the admin's). */
	credentials?: ICredentialDataDecryptedObject;
	timezone?: string;
	egressFilter?: EngineOptions['egressFilter'];
	/** Nodes in place of the sources' (those that were built). */
	nodeTypes?: EngineOptions['nodeTypes'];
}

export interface NodeResult {
	/** Items of the first output. */
	items: INodeExecutionData[];
	/** The JSON of `items`. */
	json: IDataObject[];
	/** Items of the error output, where the node has one. */
	errors: INodeExecutionData[];
	/** What made the node fail. */
	error?: {
		message: string;
		/** As plain text. */
		description?: string | null;
		/** As the error panel gets it: HTML. */
		panelDescription?: string | null;
		httpCode?: string | null;
		context?: IDataObject;
	};
	hints: string[];
	run: IRun;
}

/** Where the service is, and who may use it. */
export type Account = Pick<Sandbox, 'baseUrl' | 'credentials'>;

/** The credential data for one of the sandbox's accounts. */
export function credentialsFor(
	sandbox: Account,
	who: keyof Sandbox['credentials'] = 'admin',
	authentication: 'apiKey' | 'bearerToken' = 'apiKey',
): ICredentialDataDecryptedObject {
	const { apiKey, bearerToken } = sandbox.credentials[who];
	return { authentication, apiKey, bearerToken, baseUrl: sandbox.baseUrl };
}

/** A workflow of a start node and one Wherobots node with these parameters. */
export function nodeWorkflow(
	parameters: INodeParameters,
	{ onError, maxTries }: Pick<NodeOptions, 'onError' | 'maxTries'> = {},
): WorkflowJson {
	return {
		nodes: [
			{
				id: 'start',
				name: 'Start',
				type: START_TYPE,
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
			{
				id: 'node',
				name: NODE_NAME,
				type: NODE_TYPE,
				typeVersion: 1,
				position: [200, 0],
				parameters,
				onError,
				...(maxTries ? { retryOnFail: true, maxTries, waitBetweenTries: 1 } : {}),
				credentials: { wherobotsApi: { id: 'c1', name: 'Wherobots' } },
			},
		],
		connections: { Start: { main: [[{ node: NODE_NAME, type: 'main', index: 0 }]] } },
	};
}

/** Starts a Wherobots node on its own, so that it can be stopped. */
export function startNode(
	sandbox: Account,
	parameters: INodeParameters,
	options: NodeOptions = {},
): Running {
	return startWorkflow(nodeWorkflow(parameters, options), {
		input: inputOf(options),
		credentials: options.credentials ?? credentialsFor(sandbox),
		timezone: options.timezone,
		egressFilter: options.egressFilter,
		nodeTypes: options.nodeTypes,
	});
}

function inputOf({ input, files }: NodeOptions): INodeExecutionData[] | undefined {
	const records = input ?? files?.map(() => ({}));
	return records?.map((json, index) => ({ json, binary: files?.[index] }));
}

/** Runs a Wherobots node to its end. */
export async function runNode(
	sandbox: Account,
	parameters: INodeParameters,
	options?: NodeOptions,
): Promise<NodeResult> {
	const result = readResult(await startNode(sandbox, parameters, options).result);
	return { ...result, items: await withBytes(result.items) };
}

/** The result of a node that must not have failed. */
export function ok<T extends Pick<NodeResult, 'error'>>(result: T): T {
	expect(result.error).toBeUndefined();
	return result;
}

/** What one node of a finished workflow gave. */
export function readResult(run: IRun, node = NODE_NAME): NodeResult {
	const data = run.data.resultData.runData[node]?.at(-1);
	const [items, errors] = data?.data?.main ?? [];
	const error = data?.error ?? run.data.resultData.error;
	return {
		items: items ?? [],
		json: (items ?? []).map(({ json }) => json),
		errors: errors ?? [],
		error: error && readError(error),
		hints: (data?.hints ?? []).map((hint) => hint.message),
		run,
	};
}

/** What an error item says, or nothing for any other item. */
export function errorOf({
	json,
}: INodeExecutionData): (IDataObject & { message: string }) | undefined {
	return json.error as (IDataObject & { message: string }) | undefined;
}

/** The file of an item that `runNode` has given, as text. */
export function textOf({ binary }: INodeExecutionData, field = 'data'): string {
	return Buffer.from(binary?.[field].data ?? '', 'base64').toString();
}

/** The error with its description as plain text, as error items carry it. */
function readError(error: ExecutionError): NodeResult['error'] {
	const { message, description } = error;
	const httpCode = 'httpCode' in error ? error.httpCode : undefined;
	return {
		message,
		description: description && fromPanel(description),
		panelDescription: description,
		httpCode,
		context: error.context,
	};
}

/** What a person reads in the panel, which shows HTML. */
function fromPanel(html: string): string {
	return html
		.replaceAll('<br>', '\n')
		.replaceAll('&nbsp;', ' ')
		.replaceAll('&lt;', '<')
		.replaceAll('&gt;', '>')
		.replaceAll('&amp;', '&');
}
