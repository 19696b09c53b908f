/** Starting a workflow whose trigger waits for somebody to write something. */
import axios from 'axios';

import { until } from '../../support/until';
import { type N8nApi } from '../n8n/api';
import { IN_N8N } from './stage';

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

/** n8n takes no answer from a program that only looks at links, by its name. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/145.0';

/** Presses a button in a mail that asks for approval. @param html of the mail */
export async function pressInMail(html: string, button: 'Approve' | 'Decline'): Promise<void> {
	const [, link] = new RegExp(`href="([^"]+)"[^>]*>${button}<`).exec(html)!;
	const headers = { 'user-agent': BROWSER };
	await axios.get(link.replaceAll('&amp;', '&'), { headers, proxy: false });
}

/** Also one that is running, which the public API leaves out. */
async function newestExecution(n8n: N8nApi, workflowId: string): Promise<string> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	let found: Array<{ id: string }> = [];
	const isThere = async () => {
		const url = `/rest/executions?filter=${filter}&limit=1`;
		({ results: found } = await n8n.rest<{ results: typeof found }>('GET', url));
		return found.length > 0;
	};
	await until(isThere, IN_N8N);
	return found[0].id;
}
