import { refusal } from '../../../support/refusal';
import { ready } from '../../../support/sqlClient';
import { connection, over, suiteOfExecutions } from '../../../support/sqlExecution';

const executing = suiteOfExecutions();

describe('a session that cannot be connected to', () => {
	const at = (url: string) => ({ ...ready, appMeta: { url } });

	it.each([
		['was refused', undefined],
		['ended before the statement', over()],
	])('is looked up again when a connection %s', async (_, lost) => {
		const sessions = [at('wss://sql.example.com/moved'), at('wss://sql.example.com/again')];
		const { ran, connectedTo } = await executing([lost, lost, connection()], { sessions });
		expect(ran).toEqual({ kind: 'done' });
		expect(connectedTo).toEqual([
			'wss://sql.example.com/s/1.0.0',
			'wss://sql.example.com/moved/1.0.0',
			'wss://sql.example.com/again/1.0.0',
		]);
	});

	it('never receives the key when it has moved to another domain', async () => {
		const sessions = [at('wss://sql.example.org/s')];
		const { error, connections } = await executing([undefined, connection()], { sessions });
		expect(error.message).toContain('to which the key must not be sent');
		expect(connections).toBe(1);
	});

	it('is not tried again when the credential is at fault', async () => {
		const refused = refusal(401);
		const { error, connections } = await executing([refused]);
		expect(error.facts).toEqual({ sessionId: 's-1' });
		expect(error.description).toBe('Session ID: s-1\nIt said no.');
		expect(connections).toBe(1);
	});
});

describe('a connection that is lost after the statement was sent', () => {
	const lost = { kind: 'lost', problem: 'Close code 1006' } as const;
	/** A connection over which nothing arrives but its end. */
	const ending = () => ({
		...connection(),
		receive: async () => await Promise.resolve(lost),
	});

	it('is made again at the same address, whatever the session has become', async () => {
		const sockets = [ending(), undefined, undefined, connection()];
		const sessions = [{ status: 'INITIALIZING' }, { ...ready, appMeta: { url: 'wss://x.org' } }];
		const { ran, connectedTo, tookMs } = await executing(sockets, { sessions });
		expect(ran).toMatchObject({ kind: 'done' });
		expect(new Set(connectedTo)).toEqual(new Set(['wss://sql.example.com/s/1.0.0']));
		// At once, then after half a second to one, and one to two.
		expect(tookMs).toBeGreaterThanOrEqual(750);
		expect(tookMs).toBeLessThanOrEqual(1_500);
		expect(sockets[3]?.send.mock.calls.map(([{ kind }]: never[]) => kind)).toEqual([
			'retrieve_results',
		]);
		expect(sockets.map((socket) => socket?.close.mock.calls.length ?? 0)).toEqual([1, 0, 0, 1]);
	});

	it('is given up after a minute, and the error says what becomes of the statement', async () => {
		const { error, tookMs } = await executing([ending(), undefined]);
		expect(error.message).toMatch(
			/connection.*lost: it is not certain what the statement changed$/,
		);
		expect(error.description).toMatch(/cancels a statement.*about two minutes/);
		expect(error.description).toMatch(/Session ID: s-1\nExecution ID: e-1$/);
		expect(tookMs).toBeGreaterThan(50_000);
		expect(tookMs).toBeLessThanOrEqual(65_000);
	});

	it('is given up after a minute when it is lost again at once each time', async () => {
		const { error, tookMs } = await executing([ending()]);
		expect(error.message).toMatch(/connection.*lost/);
		expect(tookMs).toBeLessThanOrEqual(65_000);
	});

	it('keeps the IDs when the credential fails by then', async () => {
		const { error } = await executing([ending(), refusal(401)]);
		expect(error.facts).toMatchObject({ executionId: 'e-1', state: 'unknown' });
	});
});
