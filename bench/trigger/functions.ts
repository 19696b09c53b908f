/**
 * Polls of the trigger outside a whole n8n, which polls once a minute at most: in n8n-core's own
 * poll context, with its own request helper. In a process of its own, so that its processor time
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
import type { Target } from '../floor/functions';
import { inLanes } from '../lib/lanes';
import { paceModule } from '../lib/pace';

const TYPE = 'n8n-nodes-wherobots.wherobotsTrigger';

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
let published: number | undefined;

function current(): Polling {
	if (!polling) throw new Error('There is no trigger yet');
	return polling;
}

/** The trigger of the built package, its pace as it is or lifted. */
function loadTrigger(packageDir: string, paced: boolean): Trigger {
	const load = createRequire(path.join(packageDir, 'package.json'));
	const nodes = path.join(packageDir, 'dist', 'nodes', 'Wherobots');
	const { RATE_LIMIT } = load(paceModule(packageDir, 'rateLimit')) as {
		RATE_LIMIT: { requests: number };
	};
	const { forgetLimiters } = load(paceModule(packageDir, 'limiters')) as {
		forgetLimiters(): void;
	};
	published ??= RATE_LIMIT.requests;
	RATE_LIMIT.requests = paced ? published : 1e9;
	// Those that are there keep the pace that they were made with.
	forgetLimiters();
	const { WherobotsTrigger } = load(path.join(nodes, 'WherobotsTrigger.node.js')) as {
		WherobotsTrigger: new () => Trigger;
	};
	return new WherobotsTrigger();
}

function newContext(trigger: Trigger, account: Target, parameters: IDataObject): Polling {
	const node = {
		id: `trigger-${++count}`,
		name: 'Trigger',
		type: TYPE,
		typeVersion: 1,
		position: [0, 0],
		parameters,
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
	 * A trigger as it is after its activation, which is its first poll.
	 *
	 * @param packageDir the unpacked package
	 * @param paced false lifts the pace of the package
	 */
	async activate(
		packageDir: string,
		target: Target,
		parameters: IDataObject,
		paced: boolean,
	): Promise<PollResult> {
		const trigger = loadTrigger(packageDir, paced);
		polling = newContext(trigger, target, parameters);
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
			await inLanes(ids, 10, async (id) => void (await get({ url: `/runs/${id}` })));
			return read + ids.length;
		});
	},
};

export type TriggerFunctions = typeof triggerFunctions;
