import { CancelledError } from '../../../../nodes/Wherobots/transport/clock';
import {
	explanationOf,
	factsOf,
	isTemporary,
} from '../../../../nodes/Wherobots/transport/failures/errors';
import { refusal } from '../../../support/fileClient';
import { ready } from '../../../support/sqlClient';
import { connection, over, suiteOfExecutions } from '../../../support/sqlExecution';

const executing = suiteOfExecutions();

describe('a session that cannot be connected to', () => {
	const at = (url: string) => ({ ...ready, appMeta: { url } });

	it.each([
		[
			'is no longer known',
			refusal(404),
			'The SQL session was not ready within 120 seconds',
			/^Its status is not known\./,
			{},
		],
		[
			'is shut down',
			{ ...ready, status: 'DESTROYED' },
			'The SQL session was shut down before the statement was sent',
			/^Its status is DESTROYED\./,
			{ status: 'DESTROYED' },
		],
	])('%s', async (_, session, message, what, facts) => {
		const { error, connections } = await executing([undefined], { sessions: [session] });
		expect(error.message).toBe(message);
		expect(explanationOf(error)).toMatch(what);
		expect(explanationOf(error)).toMatch(/The statement was not sent/);
		expect(factsOf(error)).toEqual({ sessionId: 's-1', ...facts });
		expect(connections).toBe(1);
	});

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

	it.each([{ status: 'INITIALIZING' }, { ...ready, appMeta: {} }, null])(
		'may restart: %j',
		async (restarting) => {
			const sockets = [undefined, connection()];
			const { ran } = await executing(sockets, { sessions: [restarting, restarting, ready] });
			expect(ran).toEqual({ kind: 'done' });
		},
	);

	it('is named when it is ready nevertheless', async () => {
		const { error, connections } = await executing([undefined]);
		expect(error.message).toBe('Could not connect to the SQL session');
		expect(factsOf(error)).toEqual({ sessionId: 's-1', executionId: 'e-1', state: 'notSent' });
		expect(isTemporary(error)).toBe(true);
		expect(connections).toBe(5);
	});

	it('is named when the key must not be sent to it', async () => {
		const address = 'wss://sql.example.org';
		const { error, connections } = await executing([connection()], { address });
		expect(error.message).toContain('to which the key must not be sent');
		expect(factsOf(error)).toEqual({ sessionId: 's-1' });
		expect(connections).toBe(0);
	});

	it('is not tried again when the credential is at fault', async () => {
		const refused = refusal(401);
		const { error, connections } = await executing([refused]);
		expect(error).toBe(refused);
		expect(factsOf(error)).toEqual({ sessionId: 's-1' });
		expect(explanationOf(error)).toBe('Session ID: s-1\nIt said no.');
		expect(connections).toBe(1);
	});

	it('is not an error when the execution is cancelled meanwhile', async () => {
		const { error } = await executing([new CancelledError()]);
		expect(error).toBeInstanceOf(CancelledError);
	});
});
