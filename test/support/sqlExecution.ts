import type { Failure } from '../../nodes/Wherobots/transport/failure';
import { executeSql } from '../../nodes/Wherobots/procedures/sql/statement';
import type { Statement, StatementError } from '../../nodes/Wherobots/procedures/sql/problems';
import type { Received } from '../../nodes/Wherobots/transport/socket';
import { ready, sqlClient } from './sqlClient';
import { suiteInVirtualTime } from './virtualTime';

export const READ = 'SELECT * FROM cities';
export const WRITE = 'INSERT INTO cities SELECT * FROM more';
const statement: Statement = {
	executionId: 'e-1',
	text: WRITE,
	onlyReads: false,
	geometry: 'wkt',
	mayReturnRows: false,
	timeoutMs: 60_000,
};

/** A connection on which a statement succeeds, or ends in this. */
export function connection(end?: StatementError) {
	const message = { kind: 'state_updated', execution_id: 'e-1', state: 'succeeded' };
	return {
		send: jest.fn(() => true),
		receive: async (): Promise<Received> =>
			await (end ? Promise.reject(end) : Promise.resolve({ kind: 'message' as const, message })),
		close: jest.fn(),
	};
}

/** A connection that is over before anything is sent. */
export const over = () => ({ ...connection(), send: jest.fn(() => false) });

interface Setting {
	change?: Partial<Statement>;
	sessions?: unknown[];
	address?: string;
}

/** Has the suite execute statements in virtual time, over these connections. */
export function suiteOfExecutions() {
	const time = suiteInVirtualTime();
	return async (
		sockets: Array<ReturnType<typeof connection> | Error | undefined>,
		{ change, sessions = [ready], address = 'wss://sql.example.com/s' }: Setting = {},
	) => {
		const { client, connectedTo } = await sqlClient({ sockets, sessions });
		const session = { id: 's-1', address };
		const began = time.now;
		const ran = await time
			.during(executeSql(client, session, { ...statement, ...change }))
			.catch((error: Failure) => error);
		const error = ran as Failure;
		return { ran, error, connectedTo, connections: connectedTo.length, tookMs: time.now - began };
	};
}
