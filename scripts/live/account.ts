/** Executes operations and events against an account, each as a workflow in n8n's own engine. */
import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';

import { resources } from '../../nodes/Wherobots/actions';
import { clock } from '../../nodes/Wherobots/transport/clock';
import { NODE_TYPE, startNode, readResult, type NodeResult } from '../../test/engine/harness';
import { ActiveTrigger } from '../../test/engine/harness/polling';
import type { FileStore } from '../../test/support/files';
import { parseJson, Recorder } from './recorder';

export interface BuiltNodes {
	action: INodeType;
	trigger: INodeType;
}

export interface Connection {
	baseUrl: string;
	key: string;
	authentication?: 'apiKey' | 'bearerToken';
	signal: AbortSignal;
}

/** What an operation gave. */
export interface Done extends Pick<NodeResult, 'json' | 'hints' | 'error'> {
	/** The bytes of its first file. */
	file?: Buffer;
	ms: number;
	requests: number;
}

/** How long a plain request may take. */
const SILENCE_MS = 30_000;

/** All operations as `resource operation`. */
export const OPERATIONS = resources.flatMap(({ option, operations }) =>
	operations.map((operation) => `${String(option.value)} ${String(operation.option.value)}`),
);

export class Account {
	readonly recorder: Recorder;

	/** The nodes that were built; those of the sources where there are none. */
	nodes?: BuiltNodes;

	private readonly account: { baseUrl: string; credentials: Record<'admin', never> };

	constructor(
		private readonly connection: Connection,
		private readonly store: FileStore,
	) {
		const { baseUrl, key } = connection;
		this.recorder = new Recorder(baseUrl);
		const admin = { apiKey: key, bearerToken: key } as never;
		this.account = { baseUrl, credentials: { admin } };
	}

	/**
	 * Executes an operation. It is stopped when the whole is, unless it removes something.
	 *
	 * @param input one item for each record; one empty item if not given
	 */
	async execute(
		name: string,
		parameters: INodeParameters,
		input?: IDataObject[],
		removes = false,
	): Promise<Done> {
		const [resource, operation] = name.split(' ');
		const { signal } = this.connection;
		const running = startNode(
			this.account as never,
			{ resource, operation, ...parameters },
			{
				...{ input, credentials: this.credentials },
				...(this.nodes && { nodeTypes: { [NODE_TYPE]: this.nodes.action } }),
			},
		);
		const cancel = () => running.cancel();
		if (!removes) signal.addEventListener('abort', cancel);
		return await this.measure(name, async () => {
			const result = readResult(await running.result);
			signal.removeEventListener('abort', cancel);
			const [file] = Object.values(result.items[0]?.binary ?? {});
			return { ...result, file: file && (await this.store.read(file)) };
		});
	}

	/** A trigger for an event, which is not active yet. */
	trigger(event: string, parameters: INodeParameters): ActiveTrigger {
		return new ActiveTrigger(
			this.account as never,
			{ event, ...parameters },
			{ credentials: this.credentials, node: this.nodes?.trigger },
		);
	}

	/** What polls of a trigger give, or why they failed. */
	async poll(name: string, work: () => Promise<IDataObject[]>): Promise<Done> {
		return await this.measure(name, async () => {
			try {
				const json = await work();
				return { json, hints: [] };
			} catch (error) {
				const { message, description, httpCode } = error as Error & NodeResult['error'];
				return { json: [], hints: [], error: { message, description, httpCode } };
			}
		});
	}

	/**
	 * A plain request, for what no operation asks.
	 *
	 * @returns undefined where it is refused
	 * @throws when the service cannot be reached, is silent for too long, or everything is stopped
	 */
	async fetch(path: string): Promise<unknown> {
		const { baseUrl, key, authentication, signal } = this.connection;
		const isToken = authentication === 'bearerToken';
		const url = new URL(`${baseUrl}${path}`);
		const response = await fetch(url, {
			headers: isToken ? { authorization: `Bearer ${key}` } : { 'x-api-key': key },
			signal: AbortSignal.any([signal, AbortSignal.timeout(SILENCE_MS)]),
		});
		const [body, { status }] = [await response.text(), response];
		const headers = Object.fromEntries(response.headers);
		const seen = { method: 'GET', route: `GET ${path}`, url, status, headers, body, during: '' };
		this.recorder.exchanges.push(seen);
		return response.ok ? parseJson(body) : undefined;
	}

	private get credentials() {
		const { baseUrl, key, authentication = 'apiKey' } = this.connection;
		return { authentication, apiKey: key, bearerToken: key, baseUrl };
	}

	private async measure(
		name: string,
		work: () => Promise<Omit<Done, 'ms' | 'requests'>>,
	): Promise<Done> {
		const { recorder } = this;
		recorder.during = name;
		const [start, before] = [clock.now(), recorder.exchanges.length];
		const { json, hints, error, file } = await work();
		const requests = recorder.exchanges.length - before;
		return { ...{ json, hints, error, file }, ms: clock.now() - start, requests };
	}
}
