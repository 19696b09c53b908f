import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { triggerHint } from './builderHints';
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
		builderHint: triggerHint,
		credentials: [{ name: 'wherobotsApi', required: true, testedBy: 'testWherobotsApi' }],
		properties,
	};

	methods = {
		credentialTest: methods.credentialTest,
		listSearch: methods.listSearch,
		loadOptions: methods.loadOptions,
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll.call(this);
	}
}
