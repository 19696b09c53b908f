import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { ok } from '../../../engine/harness';
import { SOCKET_LIMITS } from '../../../../nodes/Wherobots/transport/socket';
import { suiteWithSandbox } from '../../../engine/harness/suite';
import { againstSession, CITIES, READ, sent, WRITE } from './againstSession';

const suite = suiteWithSandbox({ seed: 'empty' });
const { against, query, done } = againstSession(suite);

const STATUSES = [400, 401, 403, 404, 409, 429, 500, 503];

describe('a socket that does not open', () => {
	it.each(STATUSES)('is tried again when the handshake is refused once with %i', async (status) => {
		const fault = { kind: 'refuse', status } as const;
		const { json } = ok(await against({ at: 'handshake', times: 1, fault }, READ));
		expect(json).toEqual(CITIES);
		expect(sent(suite.sandbox)).toEqual({ [READ]: 1 });
	});

	it.each(STATUSES)('is a clear error when it is always refused with %i', async (status) => {
		const { error } = await against({ at: 'handshake', fault: { kind: 'refuse', status } }, WRITE);
		expect(error?.message).toBe('Could not connect to the SQL session');
		expect(error?.description).toMatch(/The statement was not sent/);
		// The platform repeats a request that is refused with 401, as browsers do.
		const keys = suite.sql.handshakes.map(({ headers }) => headers['sec-websocket-key']);
		expect(new Set(keys).size).toBe(5);
		expect([sent(suite.sandbox), done.writes]).toEqual([{}, 0]);
	});

	it('is a clear error when it is never answered', async () => {
		jest.replaceProperty(SOCKET_LIMITS, 'openMs', 150);
		const { error } = await against({ at: 'handshake', fault: { kind: 'hang' } }, READ);
		expect(error?.message).toBe('Could not connect to the SQL session');
	});

	it('does not make the client follow a redirect', async () => {
		const seen: unknown[] = [];
		const other = createServer((request, response) => {
			seen.push(request.headers);
			response.end();
		});
		other.on('upgrade', (request, socket) => {
			seen.push(request.headers);
			socket.destroy();
		});
		await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
		const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/1.0.0`;
		const fault = { kind: 'refuse', status: 302, headers: { location } } as const;
		const { error } = await against({ at: 'handshake', fault }, READ);
		other.close();
		expect(error?.message).toBe('Could not connect to the SQL session');
		expect(seen).toEqual([]);
	});

	it('is explained by the end of the session when that is why', async () => {
		suite.requests.listen(({ endpoint }) => {
			if (endpoint !== 'getSqlSession') return;
			for (const session of suite.sql.sessions.all()) {
				if (suite.sql.handshakes.length > 0) suite.sql.kill(session, 'DESTROYED');
			}
		});
		const { error } = await against(
			{ at: 'handshake', fault: { kind: 'refuse', status: 503 } },
			READ,
		);
		expect(error?.message).toBe('The SQL session was shut down before the statement was sent');
		expect(error?.description).toMatch(/DESTROYED/);
	});
});

describe('the address of a session', () => {
	it('is rejected where the key must not go', async () => {
		suite.sql.planSessions({ url: 'https://127.0.0.1.evil.example/sql' });
		const { error } = await query(READ);
		expect(error?.message).toMatch(/URL is not one that the key may be sent to/);
		expect(error?.description).toMatch(/is on 127\.0\.0\.1\.evil\.example/);
		expect([suite.sql.handshakes, sent(suite.sandbox)]).toEqual([[], {}]);
	});

	it('ends in an error that says so when it is missing', async () => {
		suite.sql.planSessions({ url: null });
		const { error } = await query(READ);
		expect(error?.message).toMatch(/SQL session/);
		expect(`${error?.message} ${error?.description}`).toMatch(/not provide its URL/);
		expect(sent(suite.sandbox)).toEqual({});
	});
});
