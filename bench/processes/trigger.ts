/**
 * Polls of the trigger outside a whole n8n, which polls at most once a minute: in n8n-core's own poll
 * context, with its own request helper. They run in a process of their own, so that its processor time
 * is that of the polls.
 */
import { createRequire } from 'node:module';
import path from 'node:path';

import { PollContext } from 'n8n-core';
import {
	Workflow,
	type IDataObject,
	type IHttpRequestOptions,
	type INode,
	type INodeExecutionData,
	type INodeType,
	type INodeTypes,
	type IPollFunctions,
} from 'n8n-workflow';

import { additionalData } from '../../test/engine/harness/engine';
import type { Target } from './service';
import { serve } from './remote';

const TYPE = 'n8n-nodes-wherobots.wherobotsTrigger';
const PARAMETERS = { event: 'runStatusChanged', statuses: [], simplify: true };
/** The same number as in the package itself. */
const AT_ONCE = 10;

interface Trigger extends INodeType {
	poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null>;
}

export interface PollResult {
	ms: number;
	/** Processor time of the whole process. */
	cpuMs: number;
	items: number;
	/** Length of the state as JSON, in bytes. */
	stateBytes: number;
}

interface Polling {
	context: PollContext;
	trigger: Trigger;
	staticData: IDataObject;
}

let polling: Polling | undefined;
let count = 0;

function current(): Polling {
	if (!polling) throw new Error('There is no trigger yet');
	return polling;
}

function loadTrigger(packageDir: string): Trigger {
	const load = createRequire(path.join(packageDir, 'package.json'));
	const { WherobotsTrigger } = load('./dist/nodes/Wherobots/WherobotsTrigger.node.js') as {
		WherobotsTrigger: new () => Trigger;
	};
	return new WherobotsTrigger();
}

function newContext(trigger: Trigger, account: Target): Polling {
	const node = {
		id: `trigger-${++count}`,
		name: 'Trigger',
		type: TYPE,
		typeVersion: 1,
		position: [0, 0],
		parameters: PARAMETERS,
		credentials: { wherobotsApi: { id: 'c', name: 'c' } },
	} as INode;
	const nodeTypes: INodeTypes = {
		getByName: () => trigger,
		getByNameAndVersion: () => trigger as INodeType,
		getKnownTypes: () => ({}),
	};
	const workflow = new Workflow({
		id: `workflow-${count}`,
		nodes: [node],
		connections: {},
		nodeTypes,
		active: true,
		settings: { timezone: 'UTC' },
	});
	const credentials = { authentication: 'apiKey', ...account };
	const context = new PollContext(
		workflow,
		workflow.getNode('Trigger') as INode,
		additionalData(undefined, credentials),
		'trigger',
		'update',
	);
	return { context, trigger, staticData: context.getWorkflowStaticData('node') };
}

async function timed(work: () => Promise<number>): Promise<PollResult> {
	const cpu = process.cpuUsage();
	const begun = performance.now();
	const items = await work();
	const ms = performance.now() - begun;
	const { user, system } = process.cpuUsage(cpu);
	const stateBytes = Buffer.byteLength(JSON.stringify(polling?.staticData ?? {}));
	return { ms, cpuMs: (user + system) / 1000, items, stateBytes };
}

export const triggerFunctions = {
	/**
	 * A trigger after its activation, which is its first poll.
	 *
	 * @param packageDir the unpacked package
	 */
	async activate(packageDir: string, target: Target): Promise<PollResult> {
		polling = newContext(loadTrigger(packageDir), target);
		return await triggerFunctions.poll();
	},

	async poll(): Promise<PollResult> {
		const { context, trigger } = current();
		return await timed(async () => (await trigger.poll.call(context))?.[0]?.length ?? 0);
	},

	/**
	 * The same requests in bare loops around n8n's request helper: the pages of each list one after
	 * the other, then single runs, ten at once.
	 *
	 * @param lists query parameters of each list
	 */
	async bare(lists: IDataObject[], ids: string[]): Promise<PollResult> {
		const { context } = current();
		const { baseUrl } = await context.getCredentials('wherobotsApi');
		const get = async (options: Partial<IHttpRequestOptions> & { url: string }) =>
			(await context.helpers.httpRequestWithAuthentication.call(context, 'wherobotsApi', {
				json: true,
				arrayFormat: 'repeat',
				...options,
				url: `${baseUrl as string}${options.url}`,
			})) as { items: unknown[]; next_page: string | null };
		return await timed(async () => {
			let read = 0;
			for (const query of lists) {
				let cursor: string | null | undefined;
				do {
					const page = await get({ url: '/runs', qs: { ...query, size: 100, cursor } });
					read += page.items.length;
					cursor = page.next_page;
				} while (cursor);
			}
			const rest = ids.values();
			const lane = async () => {
				for (const id of rest) await get({ url: `/runs/${id}` });
			};
			await Promise.all(Array.from({ length: AT_ONCE }, lane));
			return read + ids.length;
		});
	},
};

export type TriggerFunctions = typeof triggerFunctions;

serve(triggerFunctions);
