import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import axios from 'axios';

import { findSessionId, Recorder, type Exchange } from '../../../scripts/live/recorder';

it('reads a compressed response, of which the client removes the header that says so', async () => {
	const server = createServer((_, response) => {
		const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
		response.writeHead(200, headers).end(gzipSync('{"items": []}'));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const recorder = new Recorder(baseUrl);
	try {
		await axios.get(`${baseUrl}/runs`);
		expect(recorder.of('GET /runs').map(({ json }) => json)).toEqual([{ items: [] }]);
	} finally {
		recorder.stop();
		server.close();
	}
});

describe('the SQL session that was made', () => {
	const answer = (headers: Exchange['headers'], body = ''): Exchange => ({
		...{ route: 'POST /sql/session', method: 'POST', status: 303 },
		...{ url: new URL('https://service.invalid/sql/session?force_new=true'), headers, body },
	});

	it.each([
		['a whole address', { location: 'https://service.invalid/sql/session/s1' }],
		['a path', { location: '/sql/session/s1' }],
		['an odd address', { location: 'https://service.invalid/sql/sessions/s1/?region=x' }],
	])('is where %s leads', (_, headers) => {
		expect(findSessionId(answer(headers))).toBe('s1');
	});

	it('is in the body without one, or nowhere', () => {
		expect(findSessionId(answer({}, '{"id": "s1", "status": "PENDING"}'))).toBe('s1');
		expect(findSessionId(answer({}, '{"errors": []}'))).toBeUndefined();
	});

	it('is none where the service hands out one that was there', () => {
		const headers = { location: '/sql/session/s1', 'x-wherobots-sql-session-fallback': 'quota' };
		expect(findSessionId(answer(headers))).toBeUndefined();
	});
});
