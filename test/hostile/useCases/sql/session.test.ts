import { startNode } from '../../../engine/harness';
import { suiteWithSandbox } from '../../../engine/harness/suite';
import { until } from '../../../support/until';
import { againstSession, queryNode, READ, sent } from './againstSession';

const suite = suiteWithSandbox({ seed: 'empty' });
const { query } = againstSession(suite);

describe('a session', () => {
	it('that is never ready is an error with its ID and status, and takes no statement', async () => {
		suite.sql.planSessions({ outcome: 'DEPLOYING' });
		const { error } = await query(READ);
		const [{ id }] = suite.sql.sessions.all();
		expect(error?.message).toBe('The SQL session was not ready within 900 seconds');
		expect(error?.description).toContain('DEPLOYING');
		expect(error?.description).toContain(id);
		expect([sent(suite.sandbox), suite.sql.handshakes]).toEqual([{}, []]);
	});

	it.each(['PREPARE_FAILED', 'DEPLOY_FAILED', 'INIT_FAILED'] as const)(
		'that ends as %s says why, at once',
		async (outcome) => {
			suite.sql.planSessions({ outcome, message: 'No capacity in this region' });
			const { error } = await query(READ);
			expect(error?.message).toBe('The SQL session did not start: No capacity in this region');
			expect(error?.description).toMatch(/^Its status is .+\nTry again later, or with another/);
			expect(error?.description).toContain(outcome);
			// As soon as it is known, not when time is up.
			const [{ createTime }] = suite.sql.sessions.all();
			expect(suite.requests.all().at(-1)?.at).toBeLessThan(createTime + 2 * 60_000);
		},
	);

	it('is only requested at the base URL, wherever the redirect leads', async () => {
		const location = 'https://evil.example.com/sql/session/abc';
		suite.fails('createSqlSession', { kind: 'status', status: 303, headers: { location } });
		const { error } = await query(READ);
		expect(error?.message).toMatch(/SQL session was not ready|unexpected response/);
		expect(suite.requests.of('getSqlSession')[0]?.path).toBe('/sql/session/abc');
	});

	it.each(['{"id":""}', '{"id":7}', '{}', '["s-1"]', 'null', 's-1', ''])(
		'that the response does not name is an error: %s',
		async (body) => {
			suite.fails('createSqlSession', { kind: 'replace', body });
			const { error } = await query(READ);
			expect(error?.message).toBe('Wherobots Cloud returned an unexpected response');
			expect(suite.requests.of('createSqlSession')).toHaveLength(1);
		},
	);

	it.each([
		['single', true],
		['multi', false],
	])(
		'that a garbled response may have started is to be looked for: %s, %s',
		async (type, isOpen) => {
			suite.fails('createSqlSession', { kind: 'replace', body: '<' });
			const { error } = await query(READ, { sessionOptions: { sessionType: type } });
			// A shared session is found by the next request.
			expect(error?.description?.includes('look for a new SQL session')).toBe(isOpen);
			const { ambiguous = false } = (error?.context?.data ?? {}) as { ambiguous?: boolean };
			expect(ambiguous).toBe(isOpen);
		},
	);
});

it.each([307, 308])(
	'is refused when it is redirected to where the key must not go (%i)',
	async (status) => {
		const headers = { location: 'https://other.example.com/sql/session' };
		suite.fails('createSqlSession', { kind: 'status', status, headers });
		const { error } = await query(READ);
		expect(error?.description).toContain('It points to https://other.example.com/sql/session');
		expect(suite.requests.of('createSqlSession')).toHaveLength(1);
	},
);

describe('Stop', () => {
	it('ends the wait for a socket', async () => {
		suite.sql.addFault({ at: 'handshake', fault: { kind: 'hang' } });
		const running = startNode(suite.sandbox, queryNode(READ));
		await until(() => suite.sql.handshakes.length === 1);
		running.cancel();
		await running.result;
		expect(sent(suite.sandbox)).toEqual({});
	});
});
