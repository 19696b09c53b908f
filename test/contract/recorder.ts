/** Stands before Prism and notes what it objects to: in a header of each response. */
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

interface Violation {
	location: string[];
	message: string;
}

/** Objections that do not fit into a header are a text, and cut off. */
function violationsIn(header: string): Violation[] {
	if (!header.startsWith('[')) return [{ location: [], message: header }];
	return JSON.parse(header) as Violation[];
}

/** A request that went through, and what is wrong with it or its response. */
export interface Passage {
	method: string;
	path: string;
	query: URLSearchParams;
	headers: Record<string, string | string[] | undefined>;
	body: string;
	status: number;
	violations: Violation[];
}

export type Recorder = Awaited<ReturnType<typeof startRecorder>>;

/**
 * A description has no way to say that a value of a path may have slashes in it, as the path of a
 * file has: there it stands for one segment. Prism gets it as one.
 */
function asOneSegment(url: string): string {
	return url.replace(
		/^(\/storage\/[^/]+\/(?:file-rename|file-upload-url|files|directories)\/)([^?]*)/,
		(_, start: string, path: string) => start + path.replaceAll('/', '%2F'),
	);
}

export async function startRecorder(upstream: string) {
	const passages: Passage[] = [];
	const server = createServer((request, response) => {
		void buffer(request).then((body) => {
			const { method = 'GET', headers } = request;
			const url = asOneSegment(request.url ?? '/');
			const onward = send(upstream + url, { method, headers }, (reply) => {
				const found = reply.headers['sl-violations'];
				const { pathname, searchParams } = new URL(url, upstream);
				passages.push({
					method,
					path: pathname,
					query: searchParams,
					headers,
					body: body.toString(),
					status: reply.statusCode ?? 0,
					violations: found === undefined ? [] : violationsIn(String(found)),
				});
				response.writeHead(reply.statusCode ?? 502, reply.headers);
				reply.pipe(response);
			});
			onward.on('error', () => response.destroy());
			onward.end(body);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		baseUrl: `http://127.0.0.1:${port}`,
		/** What went through since the last call. */
		take: () => passages.splice(0),
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
