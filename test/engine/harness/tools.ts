/** The node as the tool of an AI agent, in both ways in which n8n runs tools. */
import { SupplyDataContext } from 'n8n-core';
import { makeHandleToolInvocation } from 'n8n-core/dist/execution-engine/node-execution-context/utils/get-input-connection-data';
import {
	createRunExecutionData,
	NodeConnectionTypes,
	Workflow,
	type INode,
	type INodeParameters,
} from 'n8n-workflow';

import { Wherobots } from '../../../nodes/Wherobots/Wherobots.node';
import { additionalData, NODE_TYPE, packageNodeTypes } from './engine';
import { credentialsFor, nodeWorkflow, type Account, type NodeOptions } from './index';

/** The node as n8n makes a tool of it. */
export function toolNodeTypes() {
	const tool = new Wherobots();
	tool.description = { ...tool.description, name: 'wherobotsTool' };
	return { [`${NODE_TYPE}Tool`]: tool };
}

export function toolWorkflow(parameters: INodeParameters, options?: NodeOptions) {
	const json = nodeWorkflow(parameters, options);
	json.nodes[1].type = `${NODE_TYPE}Tool`;
	return json;
}

/** A tool inside an agent: its node, and its context in each run. */
export function toolOfAgent(
	account: Account,
	parameters: INodeParameters,
	{ execution, ...options }: NodeOptions & { execution?: AbortSignal } = {},
) {
	const nodeTypes = packageNodeTypes(toolNodeTypes());
	const json = toolWorkflow(parameters, options);
	const workflow = new Workflow({ ...json, id: 'w1', active: false, nodeTypes });
	const node = workflow.getNode('Wherobots') as INode;
	const data = createRunExecutionData({});
	const input = [{ json: {} }];
	const contextOf = (runIndex: number) =>
		new SupplyDataContext(
			workflow,
			node,
			additionalData(undefined, credentialsFor(account)),
			'manual',
			data,
			runIndex,
			input,
			{},
			NodeConnectionTypes.AiTool,
			{ data: { main: [input] }, node, source: null },
			[],
			execution,
		);
	return { node, data, contextOf };
}

/** Calls a tool inside an agent, as the agent does: n8n tries again where Retry On Fail is on. */
export function callsOf(
	account: Account,
	parameters: INodeParameters,
	options: NodeOptions,
): () => Promise<unknown> {
	const execution = new AbortController().signal;
	const { node, data, contextOf } = toolOfAgent(account, parameters, { ...options, execution });
	const call = makeHandleToolInvocation(contextOf, node, new Wherobots(), data);
	return async () => JSON.parse((await call({})) as string) as unknown;
}
