import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { properties, subtitle } from './actions';
import { execute } from './actions/execution/router';
import { nodeHint } from './builderHints';
import { methods } from './methods';

export class Wherobots implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Wherobots',
		name: 'wherobots',
		icon: { light: 'file:../../icons/wherobots.svg', dark: 'file:../../icons/wherobots.dark.svg' },
		group: ['transform'],
		// As a list, with a default: n8n then adds no entry "Custom API Call" to resources and operations.
		version: [1],
		defaultVersion: 1,
		subtitle,
		description:
			'Run Spark jobs and Spatial SQL, move files, export audit logs, and manage catalogs, cloud connections and API keys in Wherobots Cloud',
		defaults: { name: 'Wherobots' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		builderHint: nodeHint,
		credentials: [{ name: 'wherobotsApi', required: true, testedBy: 'testWherobotsApi' }],
		// The secret of a new API key and the temporary credentials of a table. n8n saves them with the
		// execution like any other output; newer versions omit them when they redact execution data.
		sensitiveOutputFields: ['key', 'accessKey', 'secretKey', 'sessionToken'],
		properties,
	};

	methods = methods;

	/** The router handles `continueOnFail` and pairing for each item. */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute.call(this);
	}
}
