import { LoadOptionsContext } from 'n8n-core';
import {
	Workflow,
	type ICredentialDataDecryptedObject,
	type INode,
	type INodeListSearchResult,
	type INodeParameters,
	type INodePropertyOptions,
	type ResourceMapperFields,
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
	const context = editorContext(parameters, credentials);
	return await methods.listSearch[picker].call(context, filter, token);
}

/** Asks for the form of a resource mapper as n8n's editor does. */
export async function fieldsOf(
	sandbox: Sandbox,
	method: keyof typeof methods.resourceMapping,
	parameters: INodeParameters,
): Promise<ResourceMapperFields> {
	const context = editorContext(parameters, credentialsFor(sandbox));
	return await methods.resourceMapping[method].call(context);
}

/** Asks for the options of a field as n8n's editor does. */
export async function loadOptions(
	sandbox: Sandbox,
	method: keyof typeof methods.loadOptions,
	parameters: INodeParameters = {},
): Promise<INodePropertyOptions[]> {
	const context = editorContext(parameters, credentialsFor(sandbox));
	return await methods.loadOptions[method].call(context);
}

function editorContext(parameters: INodeParameters, credentials: ICredentialDataDecryptedObject) {
	const json = nodeWorkflow(parameters);
	const workflow = new Workflow({
		...json,
		id: 'w1',
		active: false,
		nodeTypes: packageNodeTypes(),
	});
	const data = { ...additionalData(undefined, credentials), currentNodeParameters: parameters };
	const node = workflow.getNode('Wherobots') as INode;
	return new LoadOptionsContext(workflow, node, data, 'parameters.any');
}
