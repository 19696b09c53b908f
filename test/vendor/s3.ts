/** What the vendor's Python SDK takes for S3: uploads by temporary credentials, not by presigned addresses. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A file that arrived: `bucket/key`, and the access key that signed for it. */
interface Upload {
	place: string;
	key: string | undefined;
	content: string;
}

export interface S3 {
	url: string;
	uploads: Upload[];
	stop(): Promise<void>;
}

export async function startS3(): Promise<S3> {
	const uploads: Upload[] = [];
	const server = createServer((request, response) => {
		void (async () => {
			const blocks: Buffer[] = [];
			for await (const block of request) blocks.push(block as Buffer);
			const [, key] = /Credential=(\w+)\//.exec(request.headers.authorization ?? '') ?? [];
			const place = decodeURIComponent(request.url?.split('?')[0].slice(1) ?? '');
			if (request.method === 'PUT') {
				uploads.push({ place, key, content: Buffer.concat(blocks).toString() });
			}
			response.writeHead(200, { etag: '"0"' }).end();
		})();
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		uploads,
		async stop() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
