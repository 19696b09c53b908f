/** Executes operations and events against an account, each as a workflow in n8n's own engine. */
import { setMaxListeners } from 'node:events';

import axios from 'axios';
import type { IBinaryKeyData, IDataObject, INodeParameters, INodeType } from 'n8n-workflow';

import { resources } from '../../nodes/Wherobots/actions';
import { clock } from '../../nodes/Wherobots/transport/clock';
import * as harness from '../../test/engine/harness';
import { ActiveTrigger } from '../../test/engine/harness/polling';
import type { FileStore } from '../../test/support/files';
import { type Exchange, Recorder } from './recorder';

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
export interface Done extends Pick<harness.NodeResult, 'json' | 'hints' | 'error'> {
	/** The bytes of its first file. */
	file?: Buffer;
	ms: number;
	exchanges: Exchange[];
}

/** All operations as `resource operation`. */
export const OPERATIONS = resources.flatMap((resource) =>
	resource.operations.map(({ value }) => `${resource.value} ${value}`),
);

export class Account {
	readonly recorder: Recorder;

	/** The nodes that were built; those of the sources where there are none. */
	nodes?: BuiltNodes;

	private readonly account: harness.Account;

	private readonly credentials: ReturnType<typeof harness.credentialsFor>;

	/** Those of active workflows, by their events. */
	private readonly active = new Map<string, ActiveTrigger>();

	constructor(
		readonly connection: Connection,
		private readonly store: FileStore,
	) {
		const { baseUrl, key, authentication, signal } = connection;
		this.recorder = new Recorder(baseUrl);
		// Many requests at once may be stopped.
		setMaxListeners(0, signal);
		const admin = { apiKey: key, bearerToken: key };
		this.account = { baseUrl, credentials: { admin } as never };
		this.credentials = harness.credentialsFor(this.account, 'admin', authentication);
	}

	/** A plain request, before there are nodes: it gives the response, or the entries of a list. */
	async fetch(path: string): Promise<Done> {
		const { baseUrl, key, authentication, signal } = this.connection;
		const isToken = authentication === 'bearerToken';
		const headers = isToken ? { authorization: `Bearer ${key}` } : { 'x-api-key': key };
		return await this.measure(async () => {
			const options = { headers, signal, timeout: 30_000 };
			const { data } = await axios.get<IDataObject | IDataObject[]>(`${baseUrl}${path}`, options);
			return { json: [data].flat(), hints: [] };
		});
	}

	/**
	 * Executes an operation. It is stopped when the whole is, unless it removes something.
	 *
	 * @param input one item for each record; one empty item if not given
	 */
	async execute(
		name: string,
		parameters: INodeParameters,
		{
			removes,
			...given
		}: { input?: IDataObject[]; files?: IBinaryKeyData[]; removes?: boolean } = {},
	): Promise<Done> {
		const [resource, operation] = name.split(' ');
		const { nodes, credentials, connection } = this;
		return await this.measure(async () => {
			const running = harness.startNode(
				this.account,
				{ resource, operation, ...parameters },
				{ ...given, credentials, nodeTypes: nodes && { [harness.NODE_TYPE]: nodes.action } },
			);
			const cancel = () => running.cancel();
			if (!removes) connection.signal.addEventListener('abort', cancel);
			const { json, hints, error, items } = harness.readResult(await running.result);
			connection.signal.removeEventListener('abort', cancel);
			const [file] = Object.values(items[0]?.binary ?? {});
			return { json, hints, error, file: file && (await this.store.read(file)) };
		});
	}

	/** What Fetch Test Event gives, or the next poll of an active workflow, which stays active. */
	async poll(event: string, parameters: INodeParameters, isTest: boolean): Promise<Done> {
		const { account, active, credentials, nodes } = this;
		const known = active.get(event);
		const trigger =
			known ??
			new ActiveTrigger(account, { event, ...parameters }, { credentials, node: nodes?.trigger });
		return await this.measure(async () => {
			if (isTest) return { json: await trigger.test(), hints: [] };
			if (!known) await trigger.activate();
			active.set(event, trigger);
			await trigger.poll();
			const [failure] = trigger.errors.splice(0);
			if (failure) throw failure;
			return { json: trigger.take(), hints: [] };
		});
	}

	private async measure(work: () => Promise<Omit<Done, 'ms' | 'exchanges'>>): Promise<Done> {
		const { exchanges } = this.recorder;
		const [start, before] = [clock.now(), exchanges.length];
		const given = await work().catch((failure: NonNullable<Done['error']>) => {
			const { message, description, httpCode } = failure;
			return { json: [], hints: [], error: { message, description, httpCode } };
		});
		return { ...given, ms: clock.now() - start, exchanges: exchanges.slice(before) };
	}
}
