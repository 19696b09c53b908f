import type { AddressInfo } from 'node:net';

import S3rver from '@20minutes/s3rver';
import axios from 'axios';

import { makeFolder } from '../../support/folder';

/** An S3-compatible server on loopback; its methods look at the first bucket. */
export async function startS3(bucket: string, ...others: string[]) {
	const { folder, remove } = await makeFolder('s3');
	const server = new S3rver({
		address: '127.0.0.1',
		port: 0,
		silent: true,
		directory: folder,
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
		/** What is stored: contents by key. */
		files: async () => {
			const list = Buffer.from(await get(`/${bucket}?list-type=2&max-keys=1000`)).toString();
			const keys = [...list.matchAll(/<Key>([^<]*)<\/Key>/g)].map((match) => match[1]);
			const files = new Map<string, Buffer>();
			for (const key of keys) files.set(key, Buffer.from(await get(`/${bucket}/${key}`)));
			return files;
		},
		put: async (key: string, content: Buffer) =>
			void (await axios.put(`${endpoint}/${bucket}/${key}`, content)),
		remove: async (key: string) => void (await axios.delete(`${endpoint}/${bucket}/${key}`)),
		stop: async () => {
			await server.close();
			await remove();
		},
	};
}
