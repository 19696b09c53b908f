import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';

import type { CredentialData } from '../../test/e2e/n8n/apiTypes';

/** How much of what it heard last it repeats, in characters. */
const REPEATED = 300;

interface Message {
	role: string;
	content: unknown;
	tool_calls?: Array<{ function: { name: string } }>;
}

interface Conversation {
	messages: Message[];
	tools?: Array<{ function: { name: string } }>;
}

const toDate = (said: string) => ({
	date: /\d{4}-\d\d-\d\d/.exec(said)?.[0] ?? '2026-01-31',
});

const wantsLarge = (said: string) => /on a large runtime/i.test(said);

/**
 * The tools of the recipes' agents in the order in which they are called, with what they are asked for;
 * a tool is left out when there is nothing.
 */
const CALLS: Record<string, (said: string) => object | undefined> = {
	Run_job: toDate,
	Run_small_job: (said) => (wantsLarge(said) ? undefined : toDate(said)),
	// A person has to approve it, so n8n puts what it is asked for into an envelope.
	Run_large_job: (said) =>
		wantsLarge(said) ? { toolParameters: toDate(said), hitlParameters: {} } : undefined,
	Read_log: (said) => ({ run_id: /\bid\W+([\da-f]{12,})/i.exec(said)?.[1] ?? '' }),
	List_catalogs: () => ({}),
	Get_table: () => ({ catalog_id: 'cat-org', namespace: 'noaa', table: 'hail' }),
	Query: () => ({
		query:
			'SELECT state, MAX(size) AS largest FROM org_catalog.noaa.hail GROUP BY state ORDER BY largest DESC LIMIT 3',
	}),
};

/**
 * Takes the place of a chat model, so that agents can be published and tried without one. It understands
 * nothing: it has each tool called once, and repeats what the last one said.
 */
export async function startStandInModel() {
	const server = http.createServer((request, response) => {
		void json(request).then((body) => {
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify(toCompletion(body as Conversation)));
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
	const credential: CredentialData = {
		name: 'Stand-in for a chat model',
		type: 'openAiApi',
		data: { apiKey: 'any', url, header: false },
	};
	const stop = async () => {
		server.closeAllConnections();
		await promisify(server.close.bind(server))();
	};
	return { credential, stop };
}

function toCompletion({ messages, tools = [] }: Conversation) {
	const called = messages.flatMap((message) => message.tool_calls ?? []);
	const [has, had] = [tools, called].map((all) => all.map((each) => each.function.name));
	const heard = messages.filter(({ role }) => role !== 'system').map(({ content }) => content);
	const [call] = Object.entries(CALLS).flatMap(([name, ask]) => {
		const asked = has.includes(name) && !had.includes(name) && ask(JSON.stringify(heard));
		return asked ? [toCall(name, asked)] : [];
	});
	const last = String(heard.at(-1)).slice(0, REPEATED);
	const message = call
		? { content: null, tool_calls: [call] }
		: { content: `A stand-in for a chat model repeats what it heard last: ${last}` };
	return {
		id: 'chatcmpl-1',
		object: 'chat.completion',
		created: Math.floor(Date.now() / 1_000),
		model: 'stand-in',
		choices: [
			{
				index: 0,
				message: { role: 'assistant', ...message },
				finish_reason: call ? 'tool_calls' : 'stop',
			},
		],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

const toCall = (name: string, parameters: object) => ({
	id: `call_${name}`,
	type: 'function',
	function: { name, arguments: JSON.stringify(parameters) },
});
