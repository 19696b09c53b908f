import fastify from 'fastify';

import type { CredentialData } from '../n8n/apiTypes';

export interface ChatRequest {
	messages: Array<{
		role: string;
		content: unknown;
		tool_calls?: Array<{ function: { name: string } }>;
	}>;
	tools?: Array<{ function: { name: string } }>;
}

/** What a model says: a text, or that a tool is to be called. */
export type ChatAnswer = string | { tool: string; parameters: object };

/** A chat model on loopback, as n8n's OpenAI nodes know it. */
export async function serveChatModel(answer: (request: ChatRequest) => ChatAnswer) {
	let count = 0;
	const server = fastify({ forceCloseConnections: true });
	server.post<{ Body: ChatRequest }>('/v1/chat/completions', async ({ body }) => {
		const said = answer(body);
		const isText = typeof said === 'string';
		return {
			id: 'chatcmpl-1',
			object: 'chat.completion',
			created: Math.floor(Date.now() / 1_000),
			model: 'any',
			choices: [
				{
					index: 0,
					message: {
						role: 'assistant',
						...(isText
							? { content: said }
							: { content: null, tool_calls: [toToolCall(++count, body, said)] }),
					},
					finish_reason: isText ? 'stop' : 'tool_calls',
				},
			],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
	});
	const url = await server.listen({ host: '127.0.0.1', port: 0 });
	const credential: CredentialData = {
		name: 'Chat model',
		type: 'openAiApi',
		data: { apiKey: 'any', url: `${url}/v1`, header: false },
	};
	return { credential, stop: async () => await server.close() };
}

/** @throws Error when the model was not offered that tool */
function toToolCall(
	count: number,
	{ tools = [] }: ChatRequest,
	{ tool, parameters }: { tool: string; parameters: object },
) {
	const offered = tools.map((each) => each.function.name);
	if (!offered.includes(tool)) throw new Error(`There is no tool ${tool}, only ${offered.join()}`);
	return {
		id: `call_${count}`,
		type: 'function',
		function: { name: tool, arguments: JSON.stringify(parameters) },
	};
}

/** A call of a tool that the model makes. */
export interface ToolCall {
	/** Name of the tool's node, with underscores for what a function's name may not hold. */
	tool: string;
	/** @param heard what the tools said so far */
	parameters: (heard: string[]) => Record<string, unknown>;
}

/** A chat model on loopback that calls tools, one after the other, and repeats what the last said. */
export async function startChatModel(calls: ToolCall[]) {
	const heard: string[] = [];
	let told = '';
	const { credential, stop } = await serveChatModel(({ messages }) => {
		const last = messages.at(-1);
		told = String(messages.find(({ role }) => role === 'user')?.content);
		const said = JSON.stringify(last?.content);
		if (last?.role === 'tool') heard.push(said);
		const call = calls[heard.length];
		return call ? { tool: call.tool, parameters: call.parameters(heard) } : said;
	});
	return {
		credential,
		/** What the user says, in the last conversation. */
		get told() {
			return told;
		},
		/** What the tools said, as the model was told. */
		heard,
		stop,
	};
}
