import fastify from 'fastify';

import type { CredentialData } from '../n8n/apiTypes';

interface ChatRequest {
	messages: Array<{ role: string; content: unknown }>;
	tools?: Array<{ function: { name: string } }>;
}

/** A call of a tool that the model makes. */
export interface ToolCall {
	/** Name of the tool's node, with underscores for what a function's name may not hold. */
	tool: string;
	/** @param heard what the tools said so far */
	parameters: (heard: string[]) => Record<string, unknown>;
}

/** A chat model on loopback that calls tools, one after the other, and repeats what the last said. */
export interface ChatModel {
	credential: CredentialData;
	/** What the user says, in the last conversation. */
	readonly told: string;
	/** What the tools said, as the model was told. */
	heard: string[];
	stop(): Promise<void>;
}

export async function startChatModel(calls: ToolCall[]): Promise<ChatModel> {
	const heard: string[] = [];
	let told = '';
	const server = fastify({ forceCloseConnections: true });
	server.post<{ Body: ChatRequest }>('/v1/chat/completions', async ({ body }) => {
		const last = body.messages.at(-1);
		told = String(body.messages.find(({ role }) => role === 'user')?.content);
		const said = JSON.stringify(last?.content);
		if (last?.role === 'tool') heard.push(said);
		const call = calls[heard.length];
		const message = call
			? { role: 'assistant', content: null, tool_calls: [toolCall(body, call, heard)] }
			: { role: 'assistant', content: said };
		return {
			id: 'chatcmpl-1',
			object: 'chat.completion',
			created: Math.floor(Date.now() / 1000),
			model: 'any',
			choices: [{ index: 0, message, finish_reason: call ? 'tool_calls' : 'stop' }],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
	});
	const url = await server.listen({ host: '127.0.0.1', port: 0 });
	return {
		credential: {
			name: 'Chat model',
			type: 'openAiApi',
			data: { apiKey: 'any', url: `${url}/v1`, header: false },
		},
		get told() {
			return told;
		},
		heard,
		stop: async () => await server.close(),
	};
}

/** @throws Error when the model was not offered that tool */
function toolCall({ tools = [] }: ChatRequest, { tool, parameters }: ToolCall, heard: string[]) {
	const offered = tools.map((each) => each.function.name);
	if (!offered.includes(tool)) throw new Error(`There is no tool ${tool}, only ${offered.join()}`);
	return {
		id: `call_${heard.length + 1}`,
		type: 'function',
		function: { name: tool, arguments: JSON.stringify(parameters(heard)) },
	};
}
