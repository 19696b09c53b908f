/**
 * The least that any node of n8n can do: bare loops around n8n's own request helper, and axios without
 * it; no checks, pacing, retries or pairing. Loaded into n8n for the benchmarks only.
 */
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import axios from 'axios';
import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

type Task = (context: IExecuteFunctions) => Promise<INodeExecutionData[]>;

interface Page {
	items: IDataObject[];
	next_page: string | null;
}

async function get(context: IExecuteFunctions, options: IHttpRequestOptions): Promise<unknown> {
	return (await context.helpers.httpRequestWithAuthentication.call(
		context,
		'wherobotsApi',
		options,
	)) as unknown;
}

function exportUrl(context: IExecuteFunctions): string {
	return `${context.getNodeParameter('baseUrl', 0) as string}/audit-log/export`;
}

async function openExport(context: IExecuteFunctions): Promise<Readable> {
	const response = (await get(context, {
		url: exportUrl(context),
		qs: JSON.parse(context.getNodeParameter('items', 0) as string) as IDataObject,
		encoding: 'stream',
		returnFullResponse: true,
	})) as { body: Readable };
	return response.body;
}

const tasks: Record<string, Task> = {
	/** Gives out the items of a list; the input of the sides that are compared. */
	async items(context) {
		const list = JSON.parse(context.getNodeParameter('items', 0) as string) as IDataObject[];
		return list.map((json) => ({ json }));
	},

	/** All runs, page after page. */
	async list(context) {
		const url = `${context.getNodeParameter('baseUrl', 0) as string}/runs`;
		const all: INodeExecutionData[] = [];
		let cursor: string | null | undefined;
		do {
			const page = (await get(context, { url, qs: { size: 100, cursor }, json: true })) as Page;
			for (const json of page.items) all.push({ json });
			cursor = page.next_page;
		} while (cursor);
		return all;
	},

	/** The run of each input item, one after the other. */
	async oneByOne(context) {
		const baseUrl = context.getNodeParameter('baseUrl', 0) as string;
		const all: INodeExecutionData[] = [];
		for (const { json } of context.getInputData()) {
			const url = `${baseUrl}/runs/${json.runId as string}`;
			all.push({ json: (await get(context, { url, json: true })) as IDataObject });
		}
		return all;
	},

	/** An audit export, from the socket into n8n's store. */
	async export(context) {
		const body = await openExport(context);
		const data = await context.helpers.prepareBinaryData(body, 'audit.csv', 'text/csv');
		return [{ json: {}, binary: { data } }];
	},

	/** An audit export, read and thrown away: whatever one does with it comes on top. */
	async drain(context) {
		let bytes = 0;
		const body = await openExport(context);
		await new Promise((resolve, reject) => {
			body.on('data', (chunk: Buffer) => (bytes += chunk.length));
			body.on('end', resolve).on('error', reject);
		});
		return [{ json: { bytes } }];
	},

	/** What the floor does with axios, in the process of n8n; the file stays. */
	async axiosToFile(context) {
		const { query, file } = JSON.parse(context.getNodeParameter('items', 0) as string) as {
			query: object;
			file: string;
		};
		const { apiKey } = await context.getCredentials<{ apiKey: string }>('wherobotsApi');
		const { data } = await axios.get<Readable>(exportUrl(context), {
			params: query,
			proxy: false,
			headers: { 'X-API-Key': apiKey },
			responseType: 'stream',
		});
		await pipeline(data, createWriteStream(file));
		return [{ json: { bytes: (await stat(file)).size } }];
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
			{ displayName: 'Base URL', name: 'baseUrl', type: 'string', default: '' },
			{ displayName: 'Items', name: 'items', type: 'string', default: '[]' },
		],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await tasks[this.getNodeParameter('task', 0) as string](this)];
	}
}
