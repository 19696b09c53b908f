import type { IDataObject } from 'n8n-workflow';

import type { EndpointId } from '../../nodes/Wherobots/service/endpoints';
import type { CallOptions, Client } from '../../nodes/Wherobots/transport/client';
import { clock } from '../../nodes/Wherobots/transport/clock';
import type { SqlSocket } from '../../nodes/Wherobots/transport/socket';
import { clientWith, KEY } from './clientWith';

/** When each client begins, by the clock of the service. */
const START = Date.parse('2026-11-21T12:00:00Z');

/** A session that takes statements. */
export const ready: IDataObject = { status: 'READY', appMeta: { url: 'wss://sql.example.com/s' } };

/** A request for a session takes this long, in milliseconds. */
const REQUEST_MS = 1_000;

/** Each in turn, the last one again and again; an error is thrown. */
interface Answers {
	/** What a session is when it is read. */
	sessions?: unknown[];
	/** Responses to requests for a session. */
	created?: unknown[];
	/** Connections; undefined is none. */
	sockets?: Array<Pick<SqlSocket, 'send' | 'receive' | 'close'> | Error | undefined>;
	baseUrl?: string;
	signal?: AbortSignal;
}

/** What one process has created must not be known to the next test. */
let addresses = 0;

function inTurn(answers: unknown[] = []): () => Promise<never> {
	let asked = 0;
	return async () => {
		const answer = answers[Math.min(asked++, answers.length - 1)];
		return (await (answer instanceof Error
			? Promise.reject(answer)
			: Promise.resolve(answer))) as never;
	};
}

/** A client of a service with SQL sessions, without a network, and what was asked of it. */
export async function sqlClient({ signal, ...answers }: Answers) {
	const { baseUrl = `https://example.com/own/${++addresses}` } = answers;
	const { client } = await clientWith({ credential: { apiKey: KEY, baseUrl }, signal });
	const asked: Array<CallOptions & { id: EndpointId }> = [];
	const connectedTo: string[] = [];
	const began = clock.monotonic();
	const [session, created, socket] = [answers.sessions, answers.created, answers.sockets].map(
		inTurn,
	);
	const service: Partial<Client> = {
		serviceNow: () => START + clock.monotonic() - began,
		async call(id, options) {
			asked.push({ id, ...options });
			return await session();
		},
		async locate(id, options) {
			asked.push({ id, ...options });
			options?.onSend?.();
			await clock.pause(REQUEST_MS);
			return await created();
		},
		async connect(url) {
			connectedTo.push(url);
			return await socket();
		},
	};
	Object.assign(client, service);
	Object.defineProperty(client, 'knowsServiceTime', { value: true });
	return { client, asked, connectedTo };
}
