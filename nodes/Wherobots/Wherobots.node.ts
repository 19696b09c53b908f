import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { properties, subtitle } from './actions';
import { execute } from './actions/execution/router';
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
		// For n8n's workflow builder, its agents and its MCP server: n8n evaluates no expression in it.
		builderHint: {
			searchHint:
				'Acts in Wherobots Cloud; to start a workflow on what happens there, use the Wherobots Trigger. Three ways to wait for a job run: Job Run: Create with Wait for Completion for runs of minutes; Job Run: Create without it and a second workflow with the Wherobots Trigger for runs of hours; Job Run: Wait for Completion for a run that another node submitted. Job runs, task runs and SQL sessions cost money while they run: set a timeout and a spending limit.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-wherobots.wherobotsTrigger',
					relationHint:
						'Starts a workflow when a job run or task run ends, takes too long or costs too much, when a table has new data, or when an audit event is recorded',
				},
				{
					nodeType: 'n8n-nodes-base.scheduleTrigger',
					relationHint: 'Starts nightly job runs and daily archives of the audit log',
				},
			],
		},
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
