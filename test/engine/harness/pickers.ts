import { LoadOptionsContext } from 'n8n-core';
import {
	Workflow,
	type ICredentialDataDecryptedObject,
	type INode,
	type INodeListSearchResult,
	type INodeParameters,
} from 'n8n-workflow';

import { methods } from '../../../nodes/Wherobots/methods';
import type { Sandbox } from '../../sandbox';
import { additionalData, packageNodeTypes } from './engine';
import { credentialsFor, nodeWorkflow } from './index';

export type Picker = keyof typeof methods.listSearch;

export interface PickOptions {
	/** What the person typed. */
	filter?: string;
	/** For the next page. */
	token?: string;
	/** The form as far as it is filled in. */
	parameters?: INodeParameters;
	credentials?: ICredentialDataDecryptedObject;
}

/** Opens a picker of the node as n8n's editor does. */
export async function pick(
	sandbox: Sandbox,
	picker: Picker,
	{ filter, token, parameters = {}, credentials = credentialsFor(sandbox) }: PickOptions = {},
): Promise<INodeListSearchResult> {
	const json = nodeWorkflow(parameters);
	const workflow = new Workflow({
		...json,
		id: 'w1',
		active: false,
		nodeTypes: packageNodeTypes(),
	});
	const data = { ...additionalData(undefined, credentials), currentNodeParameters: parameters };
	const node = workflow.getNode('Wherobots') as INode;
	const context = new LoadOptionsContext(workflow, node, data, 'parameters.any');
	return await methods.listSearch[picker].call(context, filter, token);
}
