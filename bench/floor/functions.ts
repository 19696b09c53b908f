/**
 * The floors: the same work with no n8n around it, by the plainest code that does it with a
 * well-known library. They run in a process of their own on the Node that runs n8n.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { get as httpGet } from 'node:http';
import { pipeline } from 'node:stream/promises';

import axios from 'axios';
import Papa from 'papaparse';

import { inLanes } from '../lib/lanes';
import { GarbageWatch } from '../processes/garbage';
import { peakBytes, resetPeak } from '../processes/memory';
import { v8ThreadsMs } from '../processes/threads';

export interface Target {
	baseUrl: string;
	apiKey: string;
}

export interface FloorResult {
	ms: number;
	/** Processor time of this process meanwhile, in milliseconds. */
	cpuMs: number;
	/** Peak resident memory of this process meanwhile, in bytes. */
	peak: number;
	/** Processor time of V8's own threads meanwhile, in milliseconds. */
	v8Ms: number;
	/** How often it collected the garbage of its whole heap meanwhile. */
	collections: number;
	/** Records or bytes that came of it. */
	count: number;
}

interface Page {
	items: unknown[];
	next_page: string | null;
}

const garbage = new GarbageWatch();

async function timed(work: () => Promise<number>): Promise<FloorResult> {
	const { pid } = process;
	await resetPeak(pid);
	const before = await v8ThreadsMs(pid);
	garbage.take();
	const cpu = process.cpuUsage();
	const begun = performance.now();
	const count = await work();
	const ms = performance.now() - begun;
	const { user, system } = process.cpuUsage(cpu);
	return {
		ms,
		cpuMs: (user + system) / 1000,
		peak: await peakBytes(pid),
		v8Ms: (await v8ThreadsMs(pid)) - before,
		collections: garbage.take(),
		count,
	};
}

function client({ baseUrl, apiKey }: Target) {
	return axios.create({ baseURL: baseUrl, proxy: false, headers: { 'X-API-Key': apiKey } });
}

const exportPath = '/audit-log/export';

export const floorFunctions = {
	/** All runs, page after page, as objects. */
	async list(target: Target): Promise<FloorResult> {
		return await timed(async () => {
			const http = client(target);
			const all: unknown[] = [];
			let cursor: string | null | undefined;
			do {
				const { data } = await http.get<Page>('/runs', { params: { size: 100, cursor } });
				for (const run of data.items) all.push(run);
				cursor = data.next_page;
			} while (cursor);
			return all.length;
		});
	},

	/** Runs by their ids, so many at once. */
	async byId(target: Target, ids: string[], atOnce: number): Promise<FloorResult> {
		return await timed(async () => {
			const http = client(target);
			await inLanes(ids, atOnce, async (id) => void (await http.get(`/runs/${id}`)));
			return ids.length;
		});
	},

	/** An export, streamed into a file that is removed afterwards. */
	async exportToFile(target: Target, params: object, file: string): Promise<FloorResult> {
		try {
			return await timed(async () => {
				const { data } = await client(target).get<NodeJS.ReadableStream>(exportPath, {
					params,
					responseType: 'stream',
				});
				await pipeline(data, createWriteStream(file));
				return (await stat(file)).size;
			});
		} finally {
			await rm(file, { force: true });
		}
	},

	/** An export fetched into a file that stays, for `parse` and `hash`. */
	async keepExport(target: Target, params: object, file: string): Promise<void> {
		const { data } = await client(target).get<NodeJS.ReadableStream>(exportPath, {
			params,
			responseType: 'stream',
		});
		await pipeline(data, createWriteStream(file));
	},

	/** SHA-256 alone over a file. */
	async hash(file: string): Promise<FloorResult> {
		return await timed(async () => {
			const hash = createHash('sha256');
			let bytes = 0;
			for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
				hash.update(chunk);
				bytes += chunk.length;
			}
			hash.digest('hex');
			return bytes;
		});
	},

	/** papaparse alone over the text of a file that was read before, with a header row. */
	async parse(file: string): Promise<FloorResult> {
		const text = await readFile(file, 'utf8');
		return await timed(async () => {
			return Papa.parse(text, { header: true, skipEmptyLines: true }).data.length;
		});
	},

	/** The ceiling of the stand-in: bytes of so many equal responses, thrown away unread. */
	async ceiling(target: Target, path: string, times: number): Promise<FloorResult> {
		return await timed(async () => {
			let bytes = 0;
			for (let count = 0; count < times; count++) bytes += await drain(target, path);
			return bytes;
		});
	},
};

export type FloorFunctions = typeof floorFunctions;

async function drain({ baseUrl, apiKey }: Target, path: string): Promise<number> {
	return await new Promise((resolve, reject) => {
		let bytes = 0;
		const request = httpGet(`${baseUrl}${path}`, { headers: { 'X-API-Key': apiKey } });
		request.on('error', reject).on('response', (response) => {
			response
				.on('data', (chunk: Buffer) => (bytes += chunk.length))
				.on('end', () => resolve(bytes))
				.on('error', reject);
		});
	});
}
