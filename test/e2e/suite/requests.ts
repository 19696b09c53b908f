/** Starting a workflow whose trigger waits for somebody to write something. */
import { setTimeout as sleep } from 'node:timers/promises';

import { type N8nApi } from '../n8n/api';

const LOOK_AGAIN_MS = 150;

/**
 * Presses "Execute workflow" and fills in the form that it starts with.
 *
 * @param answers in the order of the fields
 * @returns id of the execution, which goes on in the background
 */
export async function fillIn(n8n: N8nApi, workflow: string, answers: string[]): Promise<string> {
	const { trigger } = await n8n.press(workflow);
	const form = new FormData();
	answers.forEach((answer, index) => form.append(`field-${index}`, answer));
	await n8n.request('POST', `/form-test/${trigger.webhookId}`, form);
	return await newestExecution(n8n, workflow);
}

/**
 * Sends a message in the chat of the editor.
 *
 * @returns id of the execution
 */
export async function chat(n8n: N8nApi, workflow: string, chatInput: string): Promise<string> {
	const sessionId = `session-${workflow}`;
	await n8n.press(workflow, { chatSessionId: sessionId });
	const message = { action: 'sendMessage', sessionId, chatInput };
	await n8n.request('POST', `/webhook-test/${workflow}/${sessionId}`, message);
	return await newestExecution(n8n, workflow);
}

/** Also one that is running, which the public API leaves out. */
async function newestExecution(n8n: N8nApi, workflowId: string): Promise<string> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	for (;;) {
		const { results } = await n8n.rest<{ results: Array<{ id: string }> }>(
			'GET',
			`/rest/executions?filter=${filter}&limit=1`,
		);
		if (results.length > 0) return results[0].id;
		await sleep(LOOK_AGAIN_MS);
	}
}
