/**
 * The least that any n8n node can do: bare loops around n8n's own request helper, without checks,
 * pacing, retries or pairing. It is loaded into n8n only for the benchmarks.
 */
import type { Readable } from 'node:stream';

import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

import { asJson, sqlRows } from '../sqlRows';

type Get = (path: string, options?: Partial<IHttpRequestOptions>) => Promise<unknown>;
type Task = (get: Get, input: IDataObject[], given: IDataObject[]) => Promise<IDataObject[]>;

interface Page {
	items: IDataObject[];
	next_page: string | null;
}

const tasks: Record<string, Task> = {
	/** Outputs the items of a list; the input of the sides that are compared. */
	items: async (_get, _input, given) => given,

	/** Outputs its input. */
	pass: async (_get, input) => input,

	/** The rows of a SQL result, made here: whatever reading them takes comes on top. */
	sqlRows: async (_get, _input, [{ count, bytes }]) => {
		const rows = Array.from(sqlRows(count as number), asJson);
		if (!bytes) return rows;
		return rows.map((row) => {
			const missing = (bytes as number) - JSON.stringify(Object.values(row)).length;
			return { ...row, city: `${row.city}${'x'.repeat(missing)}` };
		});
	},

	/** All runs, page after page. */
	async list(get) {
		const all: IDataObject[] = [];
		let cursor: string | null | undefined;
		do {
			const page = (await get('/runs', { qs: { size: 100, cursor }, json: true })) as Page;
			for (const run of page.items) all.push(run);
			cursor = page.next_page;
		} while (cursor);
		return all;
	},

	/** The run of each input item, one after the other. */
	async oneByOne(get, input) {
		const all: IDataObject[] = [];
		for (const { runId } of input) {
			all.push((await get(`/runs/${runId as string}`, { json: true })) as IDataObject);
		}
		return all;
	},

	/** An audit export, read and thrown away: whatever is done with it comes on top. */
	async drain(get, _input, [qs]) {
		const options = { qs, encoding: 'stream', returnFullResponse: true } as const;
		const { body } = (await get('/audit-log/export', options)) as { body: Readable };
		let bytes = 0;
		await new Promise((resolve, reject) => {
			body.on('data', (chunk: Buffer) => (bytes += chunk.length));
			body.on('end', resolve).on('error', reject);
		});
		return [{ bytes }];
	},
};

export class Floor implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Floor',
		name: 'floor',
		group: ['transform'],
		version: 1,
		description: "Bare loops around n8n's request helper",
		defaults: { name: 'Floor' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'wherobotsApi', required: false }],
		properties: [
			{ displayName: 'Task', name: 'task', type: 'string', default: '' },
			{ displayName: 'Items', name: 'items', type: 'string', default: '[]' },
		],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const get: Get = async (path, options) => {
			const { baseUrl } = await this.getCredentials<{ baseUrl: string }>('wherobotsApi');
			const request = { url: `${baseUrl}${path}`, ...options };
			const { httpRequestWithAuthentication } = this.helpers;
			return (await httpRequestWithAuthentication.call(this, 'wherobotsApi', request)) as unknown;
		};
		const given = JSON.parse(this.getNodeParameter('items', 0) as string) as IDataObject[];
		const input = this.getInputData().map(({ json }) => json);
		const output = await tasks[this.getNodeParameter('task', 0) as string](get, input, given);
		return [output.map((json) => ({ json }))];
	}
}
