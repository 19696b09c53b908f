import { Readable } from 'node:stream';

import { isAmbiguous, type Failure } from '../../../../nodes/Wherobots/transport/failure';
import {
	openSession,
	type SessionRequest,
	type SessionState,
} from '../../../../nodes/Wherobots/procedures/sql/session';
import { refusal } from '../../../support/refusal';
import { ready, sqlClient } from '../../../support/sqlClient';
import { suiteInVirtualTime } from '../../../support/virtualTime';

const time = suiteInVirtualTime();

const shared: SessionRequest = { sessionType: 'multi', forceNew: false };
const own: SessionRequest = { sessionType: 'single', forceNew: false };

const redirectTo = (location: string) => ({ kind: 'redirect', status: 303, headers: {}, location });
const sessionAt = (id: string) => redirectTo(`https://api.example.com/sql/session/${id}`);
const response = (text: string, headers = {}) => ({
	...{ kind: 'stream', status: 200, headers },
	body: Readable.from([Buffer.from(text)]),
});

/** Opens sessions for a node whose statements share the state. */
async function opening(
	answers: Parameters<typeof sqlClient>[0],
	request: SessionRequest,
	state: SessionState = {},
) {
	const { client, asked } = await sqlClient({ sessions: [ready], ...answers });
	const open = async () => (await openSession(client, request, state, 60_000)).id;
	const during = async <T>(work: Promise<T>) => await time.during(work);
	return {
		opened: async () => await during(open()),
		failed: async () =>
			await during(open()).then(
				(id) => Promise.reject(new Error(`It opened ${id}`)),
				(error: Failure) => error,
			),
		state,
		asked: (endpoint: string) => asked.filter(({ id }) => id === endpoint),
	};
}

describe('the session of an earlier statement', () => {
	it('is named when it cannot be read, and not replaced', async () => {
		const state = { requested: Promise.resolve({ id: 'old' }) };
		const { failed, asked } = await opening({ sessions: [refusal(403)] }, own, state);
		expect((await failed()).description).toBe('Session ID: old\nIt said no.');
		expect(asked('createSqlSession')).toEqual([]);
	});

	// A second session would cost money, too.
	it('is waited for until the service shows it', async () => {
		const sessions = [...Array<unknown>(20).fill(refusal(404)), ready, refusal(404), ready];
		const { failed, opened, asked } = await opening(
			{ sessions, created: [sessionAt('s-1'), sessionAt('s-2')] },
			own,
		);
		expect((await failed()).message).toBe('The SQL session was not ready within 60 seconds');
		expect(await opened()).toBe('s-1');
		expect(asked('createSqlSession')).toHaveLength(1);
		expect(await opened()).toBe('s-2');
	});
});

describe('a response', () => {
	it.each(['{"id":""}', '{"id":7}', '{}', '["s-1"]', 'null', 's-1', ''])(
		'that names no session is an error: %s',
		async (text) => {
			const { failed, asked, state } = await opening({ created: [response(text)] }, shared);
			const error = await failed();
			expect(error.message).toBe('Wherobots Cloud returned an unexpected response');
			expect(error.httpCode).toBe('200');
			expect(asked('createSqlSession')).toHaveLength(1);
			expect(state.requested).toBeUndefined();
		},
	);

	it('that cannot be read leaves it open whether there is a new session', async () => {
		const answers = () => ({ created: [response('<')] });
		const { failed } = await opening(answers(), own);
		const error = await failed();
		expect(isAmbiguous(error)).toBe(true);
		expect(error.description).toContain('look for a new SQL session (SQL Session: Get Many)');
		// A shared session is found by the next request: there is nothing to look for.
		const again = await (await opening(answers(), shared)).failed();
		expect(isAmbiguous(again)).toBe(false);
		expect(again.description).not.toContain('look for');
	});
});

describe('a redirect that keeps the method', () => {
	const moved = (location: string, status = 307) => ({ ...redirectTo(location), status });

	it.each([307, 308])(
		'is followed on the same host, with the same request (%i)',
		async (status) => {
			const created = [moved('https://example.com/7/sql/session/', status), sessionAt('s-1')];
			const { opened, asked } = await opening({ created, baseUrl: 'https://example.com/7' }, own);
			expect(await opened()).toBe('s-1');
			const [first, second] = asked('createSqlSession');
			expect(second).toEqual({ ...first, at: '/sql/session/' });
		},
	);

	it.each(['https://other.example.com/sql/session', 'http://example.com/7/sql/session'])(
		'is not followed to where the key must not go: %s',
		async (location) => {
			const { failed, asked } = await opening(
				{ created: [moved(location)], baseUrl: 'https://example.com/7' },
				own,
			);
			expect((await failed()).description).toContain(`It points to ${location}`);
			expect(asked('createSqlSession')).toHaveLength(1);
		},
	);

	it('is not followed for ever', async () => {
		const created = [moved('https://example.com/7/sql/session/')];
		const { failed, asked } = await opening({ created, baseUrl: 'https://example.com/7' }, own);
		expect((await failed()).message).toMatch(/redirects/);
		expect(asked('createSqlSession')).toHaveLength(4);
	});
});
