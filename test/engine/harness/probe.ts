import {
	type NodeApiError,
	NodeConnectionTypes,
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type INode,
	type INodeType,
} from 'n8n-workflow';

import { Client } from '../../../nodes/Wherobots/transport/client';
import { clock } from '../../../nodes/Wherobots/transport/clock';
import { Failure, toNodeError } from '../../../nodes/Wherobots/transport/failure';
import type { Sandbox } from '../../sandbox';
import { startWorkflow } from './engine';
import { credentialsFor, nodeWorkflow } from './index';

const PROBE_TYPE = 'test.probe';

export interface ProbeOptions {
	credentials?: ICredentialDataDecryptedObject;
	/** The client's deadline, so many milliseconds after the node has begun. */
	withinMs?: number;
	/** Called with the way to stop the execution before it begins. */
	onStart?: (stop: () => void) => void;
}

/**
 * Runs `work` with a client inside a node that n8n's engine executes: its request helper, its
 * credential handling and its cancel signal are the real ones.
 */
export async function withClient<T>(
	sandbox: Pick<Sandbox, 'baseUrl' | 'credentials'>,
	work: (client: Client, context: IExecuteFunctions) => Promise<T>,
	{ credentials = credentialsFor(sandbox), withinMs = Infinity, onStart }: ProbeOptions = {},
): Promise<T> {
	let outcome: { value: T } | { error: unknown } | undefined;
	const probe = {
		description: {
			displayName: 'Probe',
			name: 'probe',
			group: ['transform'],
			version: 1,
			description: '',
			defaults: { name: 'Probe' },
			inputs: [NodeConnectionTypes.Main],
			outputs: [NodeConnectionTypes.Main],
			credentials: [{ name: 'wherobotsApi', required: true }],
			properties: [],
		},
		async execute(this: IExecuteFunctions) {
			try {
				const client = await Client.create(this, clock.monotonic() + withinMs);
				outcome = { value: await work(client, this) };
			} catch (error) {
				outcome = { error };
			}
			return [[]];
		},
	} as unknown as INodeType;

	const workflow = nodeWorkflow({});
	workflow.nodes[1].type = PROBE_TYPE;
	const running = startWorkflow(workflow, { credentials, nodeTypes: { [PROBE_TYPE]: probe } });
	onStart?.(() => running.cancel());
	const run = await running.result;
	// A stopped execution ends before its node does.
	while (!outcome && !run.data.resultData.error) {
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
	if (outcome && 'value' in outcome) return outcome.value;
	throw (outcome?.error ?? run.data.resultData.error) as Error;
}

/** The error that `work` ends with; fails when it ends well. */
export async function failureOf(work: Promise<unknown>): Promise<NodeApiError> {
	const outcome = await work.then(
		(value) => ({ value }),
		(error: unknown) => ({ error }),
	);
	if ('value' in outcome)
		throw new Error(`Expected a failure, got ${JSON.stringify(outcome.value)}`);
	const { error } = outcome;
	// As where a failure leaves the package.
	return (error instanceof Failure ? toNodeError({} as INode, error) : error) as NodeApiError;
}

/** Everything of an error that n8n may show, store or log. */
export function everythingIn(error: unknown): string {
	const seen = new Set<object>();
	const texts: string[] = [];
	const visit = (value: unknown) => {
		if (typeof value !== 'object' || value === null) {
			texts.push(String(value));
		} else if (!seen.has(value)) {
			seen.add(value);
			for (const key of Reflect.ownKeys(value)) {
				texts.push(String(key));
				visit((value as Record<string | symbol, unknown>)[key]);
			}
		}
	};
	visit(error);
	return texts.join('\n');
}
