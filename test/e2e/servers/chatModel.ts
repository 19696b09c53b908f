import type { AddressInfo } from 'node:net';

import fastify from 'fastify';

import type { CredentialData } from '../n8n/apiTypes';

interface ChatRequest {
	messages: Array<{ role: string; content: unknown }>;
	tools?: Array<{ function: { name: string } }>;
}

/** A chat model on loopback that calls the first tool once and repeats what the tool said. */
export interface ChatModel {
	credential: CredentialData;
	/** What the tool said, as the model was told. */
	heard: string[];
	stop(): Promise<void>;
}

/** @param parameters with which the tool is called */
export async function startChatModel(parameters: Record<string, unknown>): Promise<ChatModel> {
	const heard: string[] = [];
	const server = fastify({ forceCloseConnections: true });
	server.post<{ Body: ChatRequest }>('/v1/chat/completions', async ({ body }) => {
		const last = body.messages.at(-1);
		const said = JSON.stringify(last?.content);
		if (last?.role === 'tool') heard.push(said);
		const message =
			last?.role === 'tool'
				? { role: 'assistant', content: said }
				: { role: 'assistant', content: null, tool_calls: [toolCall(body, parameters)] };
		return {
			id: 'chatcmpl-1',
			object: 'chat.completion',
			created: Math.floor(Date.now() / 1000),
			model: 'any',
			choices: [
				{ index: 0, message, finish_reason: last?.role === 'tool' ? 'stop' : 'tool_calls' },
			],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
	});
	await server.listen({ host: '127.0.0.1', port: 0 });
	const { port } = server.server.address() as AddressInfo;
	return {
		credential: {
			name: 'Chat model',
			type: 'openAiApi',
			data: { apiKey: 'any', url: `http://127.0.0.1:${port}/v1`, header: false },
		},
		heard,
		stop: async () => await server.close(),
	};
}

function toolCall({ tools }: ChatRequest, parameters: Record<string, unknown>) {
	const name = tools?.[0].function.name;
	return {
		id: 'call_1',
		type: 'function',
		function: { name, arguments: JSON.stringify(parameters) },
	};
}
