import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import axios from 'axios';

import { findSessionId, Recorder } from '../../../scripts/live/recorder';

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

it('finds no SQL session that was made where the service hands out one that was there', () => {
	const headers = { location: '/sql/session/s1', 'x-wherobots-sql-session-fallback': 'quota' };
	const url = new URL('https://service.invalid/sql/session?force_new=true');
	const asked = { route: 'POST /sql/session', method: 'POST', url };
	expect(findSessionId({ ...asked, status: 303, headers, body: '' })).toBeUndefined();
});
