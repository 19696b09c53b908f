/** Plays the responses of a report as a stand-in for the service. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { isRecord } from '../../nodes/Wherobots/service/records';
import { CUT, KEPT, type PlayedExchange, type Report } from './report';
import { decode, routeOf } from './recorder';

const pathOf = (path: string) => path.split('?')[0];

/** Starts it. What a report does not have is answered by 404. */
export async function startReplay({ exchanges }: Report): Promise<{
	baseUrl: string;
	stop(): Promise<void>;
}> {
	const left = [...exchanges];
	/** The responses to a request in their order, the last of them again and again. */
	const take = (isWanted: (each: PlayedExchange) => boolean) => {
		const found = left.filter(isWanted);
		if (found.length > 1) left.splice(left.indexOf(found[0]), 1);
		return found.at(0);
	};
	const server = createServer((request, response) => {
		const { method = 'GET', url = '/' } = request;
		const asked = decode(url);
		const path = pathOf(asked);
		const route = routeOf(method, path);
		const of = (isSame: (each: string) => boolean) =>
			take((each) => each.method === method && isSame(each.path));
		const played =
			of((each) => each === asked) ??
			of((each) => pathOf(each) === path) ??
			of((each) => route !== undefined && routeOf(method, pathOf(each)) === route) ??
			of((each) => each.endsWith(path) && each.startsWith('http'));
		request.resume();
		if (!played) return void response.writeHead(404).end('{"errors": [], "requestId": "none"}');
		const { status, headers, body = '' } = played;
		// Nothing can be played of the pages that follow.
		const whole = isRecord(body) && CUT in body ? { ...body, next_page: null, total: KEPT } : body;
		const { location, ...rest } = headers;
		const elsewhere = location?.replace(/^https?:\/\/[^/]+/, `http://${request.headers.host}`);
		response.writeHead(status, { ...rest, ...(elsewhere ? { location: elsewhere } : {}) });
		response.end(typeof whole === 'string' ? whole : JSON.stringify(whole));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		async stop() {
			server.closeAllConnections();
			await once(server.close(), 'close');
		},
	};
}
