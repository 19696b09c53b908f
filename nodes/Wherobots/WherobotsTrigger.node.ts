import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { methods } from './methods';
import { poll, properties, subtitle } from './trigger/poll';

export class WherobotsTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Wherobots Trigger',
		name: 'wherobotsTrigger',
		icon: {
			light: 'file:../../icons/wherobotsTrigger.svg',
			dark: 'file:../../icons/wherobotsTrigger.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle,
		// n8n lists both nodes as one entry and gives it this description.
		description:
			'Run Spark jobs and Spatial SQL, move files and export audit logs in Wherobots Cloud, or start a workflow on job run, task run, table and audit events',
		defaults: { name: 'Wherobots Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		polling: true,
		// For n8n's workflow builder, its agents and its MCP server: n8n evaluates no expression in it.
		builderHint: {
			searchHint:
				'Polls Wherobots Cloud and starts a workflow once for each event. Use it instead of a loop that reads statuses, and instead of waiting for job runs that take hours. Outputs one item for each event; eventId is unique.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-wherobots.wherobots',
					relationHint:
						'Acts on the event: reads the log of the run, submits another job run, queries its results',
				},
			],
		},
		credentials: [{ name: 'wherobotsApi', required: true, testedBy: 'testWherobotsApi' }],
		properties,
	};

	methods = methods;

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll.call(this);
	}
}
