import { type AxiosInstance, type Method } from 'axios';

import { until } from '../../support/until';
import { type ExecutionRecord, ExecutionResult } from './execution';
import type {
	Account,
	WorkflowJson,
	CredentialReference,
	CredentialData,
	CredentialTestResult,
} from './apiTypes';
import { API_KEY_SCOPES, client, type Session } from './session';

/**
 * What a person does in n8n, over the interfaces that n8n's own editor (`/rest`, with a session)
 * and its users' scripts (`/api/v1`, with an API key) use.
 */
export class N8nApi {
	private apiKey?: string;

	private constructor(
		private readonly http: AxiosInstance,
		/** `name=value` of the session cookie. */
		readonly sessionCookie: string,
	) {}

	/** Goes on with a session and a key that another process has got: n8n limits sign-ins. */
	static resume(baseURL: string, { sessionCookie, apiKey }: Session): N8nApi {
		const api = new N8nApi(client(baseURL), sessionCookie);
		api.use({ sessionCookie, apiKey });
		return api;
	}

	/** Makes the first person of a fresh n8n its owner, and signs in. */
	static async setUpOwner(baseURL: string, account: Account): Promise<N8nApi> {
		const person = { ...account, firstName: 'Wherobots', lastName: 'Tester' };
		return await N8nApi.signedIn(baseURL, '/rest/owner/setup', person);
	}

	static async signIn(baseURL: string, { email, password }: Account): Promise<N8nApi> {
		return await N8nApi.signedIn(baseURL, '/rest/login', { emailOrLdapLoginId: email, password });
	}

	private static async signedIn(baseURL: string, url: string, person: object): Promise<N8nApi> {
		const http = client(baseURL);
		const response = await http.post<unknown>(url, person);
		const cookie = response.headers['set-cookie']?.find((value) => value.startsWith('n8n-auth='));
		if (!cookie) throw new Error(`n8n refused ${url}: ${JSON.stringify(response.data)}`);
		const sessionCookie = cookie.split(';')[0];
		const api = new N8nApi(http, sessionCookie);
		api.use({ sessionCookie });
		return api;
	}

	/** A key for n8n's public API that can do what the methods below need. */
	async useNewApiKey(): Promise<void> {
		const offered = await this.rest<string[]>('GET', '/rest/api-keys/scopes');
		const label = `suite ${Date.now()} ${Math.random().toString(36).slice(2)}`;
		const key = await this.rest<{ rawApiKey: string }>('POST', '/rest/api-keys', {
			label,
			expiresAt: null,
			// An older n8n has no data tables.
			scopes: API_KEY_SCOPES.filter((scope) => offered.includes(scope)),
		});
		this.use({ sessionCookie: this.sessionCookie, apiKey: key.rawApiKey });
	}

	/** What `resume` needs. */
	get session(): Session {
		return { sessionCookie: this.sessionCookie, apiKey: this.apiKey };
	}

	private use({ sessionCookie, apiKey }: Session): void {
		this.apiKey = apiKey;
		const { common } = this.http.defaults.headers;
		common.cookie = sessionCookie;
		if (apiKey) common['X-N8N-API-KEY'] = apiKey;
	}

	async createCredential(credential: CredentialData): Promise<CredentialReference> {
		const { id, name } = await this.rest<CredentialReference>(
			'POST',
			'/rest/credentials',
			credential,
		);
		return { id, name };
	}

	async deleteCredential(id: string): Promise<void> {
		await this.rest('DELETE', `/rest/credentials/${id}`);
	}

	/** Removes all credentials: the editor chooses one for a new node when there is one. */
	async deleteCredentials(): Promise<void> {
		const all = await this.rest<CredentialReference[]>('GET', '/rest/credentials');
		for (const { id } of all) await this.deleteCredential(id);
	}

	/** Has n8n test a credential, which it does once it is saved, as the editor does. */
	async testCredential(credential: CredentialData): Promise<CredentialTestResult> {
		const { id } = await this.createCredential(credential);
		try {
			const credentials = { ...credential, id };
			return await this.rest('POST', '/rest/credentials/test', { credentials });
		} finally {
			await this.deleteCredential(id);
		}
	}

	/** @returns id of the new workflow */
	async createWorkflow({ name, nodes, connections, settings }: WorkflowJson): Promise<string> {
		const body = { name, nodes, connections, settings: settings ?? {} };
		return (await this.request<{ id: string }>('POST', '/api/v1/workflows', body)).id;
	}

	/** @returns id of the new tag, whose name n8n limits to 24 characters */
	async createTag(name: string): Promise<string> {
		return (await this.rest<{ id: string }>('POST', '/rest/tags', { name })).id;
	}

	async tag(workflowId: string, tagId: string): Promise<void> {
		await this.request('PUT', `/api/v1/workflows/${workflowId}/tags`, [{ id: tagId }]);
	}

	async activate(workflowId: string): Promise<void> {
		await this.request('POST', `/api/v1/workflows/${workflowId}/activate`, {});
	}

	async deactivate(workflowId: string): Promise<void> {
		await this.request('POST', `/api/v1/workflows/${workflowId}/deactivate`, {});
	}

	/**
	 * Presses "Execute workflow".
	 *
	 * @returns id of the execution, which goes on in the background
	 */
	async start(workflowId: string): Promise<string> {
		const { executionId } = await this.press(workflowId);
		if (!executionId) throw new Error('n8n waits for a form or a message first');
		return executionId;
	}

	/** @returns the trigger, and the id of the execution unless n8n waits for a request first */
	async press(workflowId: string, more: object = {}) {
		const workflowData = await this.rest<WorkflowJson>('GET', `/rest/workflows/${workflowId}`);
		const trigger = workflowData.nodes.find((node) => /trigger/i.test(node.type));
		if (!trigger) throw new Error(`The workflow "${workflowData.name}" has no trigger`);
		const { executionId } = await this.rest<{ executionId?: string }>(
			'POST',
			`/rest/workflows/${workflowId}/run`,
			{ workflowData, triggerToStartFrom: { name: trigger.name }, ...more },
		);
		return { trigger, executionId };
	}

	/** Starts a workflow and waits for its end. */
	async run(workflowId: string): Promise<ExecutionResult> {
		return await this.ended(await this.start(workflowId));
	}

	async execution(executionId: string): Promise<ExecutionResult> {
		const url = `/api/v1/executions/${executionId}?includeData=true`;
		return new ExecutionResult(await this.request<ExecutionRecord>('GET', url));
	}

	/** @throws Error when the execution has not ended in five minutes, or n8n does not know it */
	async ended(executionId: string): Promise<ExecutionResult> {
		const url = `/api/v1/executions/${executionId}`;
		const hasEnded = async () => new ExecutionResult(await this.request('GET', url)).hasEnded;
		await until(hasEnded, { timeoutMs: 300_000, everyMs: 150 });
		return await this.execution(executionId);
	}

	/**
	 * The executions of a workflow with their data, oldest first. n8n leaves out those that are
	 * running; one that has just been stored is shown for a moment before it runs.
	 */
	async executions(workflowId: string): Promise<ExecutionResult[]> {
		const results: ExecutionResult[] = [];
		let cursor = '';
		do {
			const url = `/api/v1/executions?workflowId=${workflowId}&includeData=true&limit=100${cursor}`;
			const page = await this.request<{ data: ExecutionRecord[]; nextCursor: string | null }>(
				'GET',
				url,
			);
			results.push(...page.data.map((record) => new ExecutionResult(record)));
			cursor = page.nextCursor ? `&cursor=${encodeURIComponent(page.nextCursor)}` : '';
		} while (cursor);
		return results.sort((one, other) => Number(one.id) - Number(other.id));
	}

	/** Stops a running execution from outside, as the stop button of the editor does. */
	async stop(executionId: string): Promise<void> {
		await this.rest('POST', `/rest/executions/${executionId}/stop`);
	}

	/**
	 * Runs an execution again that has ended badly, as its "Retry" button does.
	 *
	 * @returns id of the new execution
	 */
	async retry(executionId: string): Promise<string> {
		const url = `/rest/executions/${executionId}/retry`;
		const { id } = await this.rest<{ id: string }>('POST', url, { loadWorkflow: false });
		return String(id);
	}

	/** The bytes of a binary property that n8n keeps in its store. */
	async binary(id: string): Promise<Buffer> {
		const response = await this.http.get<ArrayBuffer>('/rest/binary-data', {
			params: { id, action: 'download' },
			responseType: 'arraybuffer',
		});
		if (response.status !== 200)
			throw new Error(`n8n has no binary data ${id} (${response.status})`);
		return Buffer.from(response.data);
	}

	/** A call of n8n's internal interface, whose responses are wrapped in `data`. */
	async rest<T>(method: Method, url: string, data?: unknown): Promise<T> {
		return (await this.request<{ data: T }>(method, url, data)).data;
	}

	/** @throws Error with n8n's own response, which axios would leave out of the message */
	async request<T>(method: Method, url: string, data?: unknown): Promise<T> {
		const response = await this.http.request<T>({ method, url, data });
		if (response.status < 400) return response.data;
		throw new Error(`${method} ${url}: ${response.status} ${JSON.stringify(response.data)}`);
	}
}
