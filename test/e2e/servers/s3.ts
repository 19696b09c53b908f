import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import S3rver from '@20minutes/s3rver';
import axios from 'axios';

import type { CredentialData } from '../n8n/apiTypes';

/** An S3-compatible server on loopback; its methods look at the first bucket. */
export interface S3Server {
	credential: CredentialData;
	/** What is stored: contents by key. */
	files(): Promise<Map<string, Buffer>>;
	put(key: string, content: Buffer): Promise<void>;
	remove(key: string): Promise<void>;
	stop(): Promise<void>;
}

export async function startS3(bucket: string, ...others: string[]): Promise<S3Server> {
	const directory = await mkdtemp(path.join(tmpdir(), 's3-'));
	const server = new S3rver({
		address: '127.0.0.1',
		port: 0,
		silent: true,
		directory,
		configureBuckets: [bucket, ...others].map((name) => ({ name })),
	});
	const { port } = (await server.run()) as AddressInfo;
	const endpoint = `http://127.0.0.1:${port}`;
	const get = async (url: string) =>
		(await axios.get<ArrayBuffer>(endpoint + url, { responseType: 'arraybuffer' })).data;
	return {
		credential: {
			name: 'S3 archive',
			type: 's3',
			data: {
				...{ endpoint, region: 'us-east-1', forcePathStyle: true, ignoreSSLIssues: false },
				// The keys that the server knows.
				...{ accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
			},
		},
		files: async () => {
			const list = Buffer.from(await get(`/${bucket}?list-type=2&max-keys=1000`)).toString();
			const keys = [...list.matchAll(/<Key>([^<]*)<\/Key>/g)].map((match) => match[1]);
			const files = new Map<string, Buffer>();
			for (const key of keys) files.set(key, Buffer.from(await get(`/${bucket}/${key}`)));
			return files;
		},
		put: async (key, content) => {
			await axios.put(`${endpoint}/${bucket}/${key}`, content);
		},
		remove: async (key) => {
			await axios.delete(`${endpoint}/${bucket}/${key}`);
		},
		stop: async () => {
			await server.close();
			await rm(directory, { recursive: true, force: true });
		},
	};
}
