/** What the vendor's Python SDK takes for S3: uploads by temporary credentials, not by presigned addresses. */
import fastify from 'fastify';

/** A file that arrived: `bucket/key`, and the access key that signed for it. */
interface Upload {
	place: string;
	key: string | undefined;
	content: string;
}

export type S3 = Awaited<ReturnType<typeof startS3>>;

export async function startS3() {
	const uploads: Upload[] = [];
	const server = fastify({ forceCloseConnections: true });
	server.removeAllContentTypeParsers();
	server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
		done(null, body),
	);
	server.all('/*', async ({ method, url, headers, body }, reply) => {
		const [, key] = /Credential=(\w+)\//.exec(headers.authorization ?? '') ?? [];
		const place = decodeURIComponent(url.split('?')[0].slice(1));
		if (method === 'PUT') uploads.push({ place, key, content: String(body ?? '') });
		return await reply.header('etag', '"0"').send();
	});
	const url = await server.listen({ host: '127.0.0.1', port: 0 });
	return { url, uploads, stop: async () => await server.close() };
}
