import type { INode, NodeApiError } from 'n8n-workflow';

import { CancelledError } from '../../../../nodes/Wherobots/transport/clock';
import {
	explanationOf,
	factsOf,
	isTemporary,
	toNodeApiError,
} from '../../../../nodes/Wherobots/transport/failures/errors';
import { openSession, readSession } from '../../../../nodes/Wherobots/transport/sql/openSession';
import { refusal } from '../../../support/fileClient';
import { ready, sqlClient } from '../../../support/sqlClient';
import { suiteInVirtualTime } from '../../../support/virtualTime';

const time = suiteInVirtualTime();

const pending = { status: 'PENDING' };
const unknown = refusal(404);

describe('a session that is read', () => {
	it('has the ID that was asked for', async () => {
		const { client, asked } = await sqlClient({ sessions: [{ ...pending, id: 'other' }] });
		expect(await readSession(client, 's-1')).toEqual({ status: 'PENDING', id: 's-1' });
		expect(asked).toEqual([{ id: 'getSqlSession', path: { session_id: 's-1' } }]);
	});

	it.each([
		['is not found', unknown],
		['comes as null', null],
		['comes as an empty body', undefined],
	])('does not exist when it %s', async (_, session) => {
		const { client } = await sqlClient({ sessions: [session] });
		expect(await readSession(client, 's-1')).toBeUndefined();
	});

	it.each(['READY', {}, { status: 7 }, []])(
		'is an error when it is not a session: %j',
		async (session) => {
			const { client } = await sqlClient({ sessions: [session] });
			const error = await readSession(client, 's-1').catch((reason: NodeApiError) => reason);
			expect(error).toMatchObject({ message: 'Wherobots Cloud returned an unexpected response' });
			expect(factsOf(error as NodeApiError)).toEqual({ sessionId: 's-1' });
		},
	);

	it('is an error when it is refused', async () => {
		const refused = refusal(403);
		const { client } = await sqlClient({ sessions: [refused] });
		await expect(readSession(client, 's-1')).rejects.toBe(refused);
	});
});

describe('a session that starts', () => {
	const created = [
		{
			kind: 'redirect',
			status: 303,
			headers: {},
			location: 'https://api.example.com/sql/session/s-1',
		},
	];

	/** Waits a minute for a session that looks like this each time it is read. */
	async function waiting(sessions: unknown[], signal?: AbortSignal, maxWaitMs = 60_000) {
		const { client } = await sqlClient({ sessions, created, signal });
		const request = { sessionType: 'multi', forceNew: false } as const;
		const opened = await time
			.during(openSession(client, request, {}, maxWaitMs))
			.catch((error: NodeApiError) => error);
		return { opened, error: opened as NodeApiError };
	}

	it('is waited for until it is shown, is ready and has an address', async () => {
		const { opened } = await waiting([unknown, pending, { ...ready, appMeta: null }, ready]);
		expect(opened).toEqual({ id: 's-1', address: 'wss://sql.example.com/s', startMs: 10_500 });
	});

	const late = 'The SQL session was not ready within 60 seconds';
	it.each([
		['is never shown', unknown, late, 'Its status is not known.', {}],
		['is never ready', pending, late, 'Its status is PENDING.', { status: 'PENDING' }],
		[
			'has no address',
			{ status: 'READY' },
			late,
			'Its status is READY, but the service did not provide its URL.',
			{ status: 'READY' },
		],
	])('and %s is named when time is up', async (_, session, message, what, facts) => {
		const { error } = await waiting([session]);
		expect(error.message).toBe(message);
		expect(explanationOf(error)).toContain(what);
		expect(explanationOf(error)).toMatch(/The statement was not sent\..* Session ID: s-1/);
		expect(factsOf(error)).toEqual({ sessionId: 's-1', ...facts });
	});

	it('has one second when the wait is one second', async () => {
		const { error } = await waiting([pending], undefined, 1_000);
		expect(error.message).toBe('The SQL session was not ready within 1 second');
		expect(isTemporary(error)).toBe(false);
	});

	it.each([
		['never', [], 'Its status is not known.', {}],
		['only for a while', [pending], 'Its status is PENDING.', { status: 'PENDING' }],
	])('and can be read %s is explained by the last check', async (_, before, what, status) => {
		const failure = { message: 'Down', description: 'Try later.', temporary: true };
		const down = toNodeApiError({} as INode, failure);
		const { error } = await waiting([...before, down]);
		expect(error.message).toBe(late);
		expect(explanationOf(error).split('\n')).toEqual([
			`${what} The statement was not sent. Session ID: s-1`,
			'The last check failed: Down',
			'Try later.',
			expect.stringContaining("Raise 'Session Wait (Seconds)'"),
		]);
		expect(factsOf(error)).toEqual({ sessionId: 's-1', ...status });
		expect(isTemporary(error)).toBe(true);
	});

	const shutDown = 'The SQL session was shut down before the statement was sent';
	it.each([
		[
			{ status: 'INIT_FAILED', message: 'No capacity\nfor it' },
			'The SQL session did not start: No capacity',
			['No capacity', 'for it'],
			{ cause: 'No capacity\nfor it' },
		],
		[{ status: 'PREPARE_FAILED' }, 'The SQL session did not start', [], {}],
		[{ status: 'DESTROYED', message: 'By hand' }, shutDown, ['By hand'], { cause: 'By hand' }],
	])('and ends as %j is reported with the reason', async (session, message, reason, cause) => {
		const { status } = session;
		const { error } = await waiting([pending, session]);
		expect(error.message).toBe(message);
		expect(explanationOf(error).split('\n')).toEqual([
			`Its status is ${status}. The statement was not sent. Session ID: s-1`,
			...reason,
		]);
		expect(factsOf(error)).toEqual({ sessionId: 's-1', status, ...cause });
	});

	it('is named when reading it fails', async () => {
		const { error } = await waiting([pending, refusal(403)]);
		expect(error.httpCode).toBe('403');
		expect(explanationOf(error)).toBe('Session ID: s-1\nIt said no.');
		expect(factsOf(error)).toEqual({ sessionId: 's-1' });
	});

	it('is not waited for when the execution is cancelled', async () => {
		const stop = new AbortController();
		const stopped = time.pause(1_000).then(() => stop.abort());
		const { error } = await waiting([pending], stop.signal);
		await stopped;
		expect(error).toBeInstanceOf(CancelledError);
	});
});
