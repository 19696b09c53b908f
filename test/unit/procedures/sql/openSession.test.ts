import { Readable } from 'node:stream';

import { Failure, isAmbiguous } from '../../../../nodes/Wherobots/transport/failure';
import {
	openSession,
	type SessionRequest,
	type SessionState,
} from '../../../../nodes/Wherobots/procedures/sql/session';
import { refusal } from '../../../support/refusal';
import { ready, sqlClient } from '../../../support/sqlClient';
import { suiteInVirtualTime } from '../../../support/virtualTime';

const time = suiteInVirtualTime();

const failure = (more: { ambiguous?: boolean; temporary?: boolean }) =>
	new Failure({ message: 'Lost', description: 'Gone', ...more });

/** The state after a request that yielded this session. */
const led = (id: string, isShown = false): SessionState => ({
	requested: Promise.resolve({ id }),
	isShown,
});

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
		open,
		opened: async () => await during(open()),
		failed: async () =>
			await during(open()).then(
				(id) => Promise.reject(new Error(`It opened ${id}`)),
				(error: Failure) => error,
			),
		during,
		state,
		asked: (endpoint: string) => asked.filter(({ id }) => id === endpoint),
	};
}

describe('the session of an earlier statement', () => {
	it('is used again, and read only once for each statement', async () => {
		const { opened, asked } = await opening({}, own, led('old', true));
		expect(await opened()).toBe('old');
		expect(asked('getSqlSession')).toHaveLength(1);
		expect(asked('createSqlSession')).toEqual([]);
	});

	it.each([
		['was shut down', { status: 'DESTROYED' }],
		['has failed', { status: 'INIT_FAILED' }],
		['is no longer known', refusal(404)],
	])('is replaced when it %s', async (_, old) => {
		const answers = { sessions: [old, ready], created: [sessionAt('new')] };
		const { opened, asked, state } = await opening(answers, own, led('old', true));
		expect(await opened()).toBe('new');
		expect(asked('createSqlSession')).toHaveLength(1);
		expect(await state.requested).toMatchObject({ id: 'new' });
	});

	it('is named when it cannot be read', async () => {
		const { failed, asked } = await opening({ sessions: [refusal(403)] }, own, led('old'));
		const error = await failed();
		expect(error.description).toBe('Session ID: old\nIt said no.');
		expect(error.facts).toEqual({ sessionId: 'old' });
		expect(asked('createSqlSession')).toEqual([]);
	});

	it('is waited for while the service is down', async () => {
		const down = failure({ temporary: true });
		const { opened } = await opening({ sessions: [down, down, ready] }, own, led('old'));
		expect(await opened()).toBe('old');
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

describe('a request for a session', () => {
	it.each<[string, SessionRequest, string | undefined, object]>([
		['may be repeated when it would find the same session again', shared, 'repeatable', {}],
		['is sent once when nobody else may use the session', own, undefined, {}],
		[
			'is sent once when the session has to be new',
			{ ...shared, forceNew: true, region: 'aws-us-west-2' },
			undefined,
			{ region: 'aws-us-west-2', force_new: true },
		],
	])('%s', async (_, request, retry, query) => {
		const { opened, asked } = await opening({ created: [sessionAt('s-1')] }, request);
		expect(await opened()).toBe('s-1');
		const [post, ...others] = asked('createSqlSession');
		expect(others).toEqual([]);
		expect([post.retry, post.query, post.body?.sessionType]).toEqual([
			...[retry, query, request.sessionType],
		]);
	});

	it('is not sent again by an item that waits while another sends it', async () => {
		const { open, during, asked } = await opening({ created: [sessionAt('s-1')] }, own);
		expect(await during(Promise.all([open(), open()]))).toEqual(['s-1', 's-1']);
		expect(asked('createSqlSession')).toHaveLength(1);
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

	it('that is a web page is described as one', async () => {
		const page = response('Please <b>sign in</b>', { 'content-type': 'text/html' });
		const { failed } = await opening({ created: [page] }, shared);
		expect((await failed()).description).toContain('a web page: Please sign in');
	});

	it('that leads elsewhere is an error that says where', async () => {
		const { failed } = await opening({ created: [redirectTo('https://login.example.com/')] }, own);
		const error = await failed();
		expect(error.description).toContain('It points to https://login.example.com/.');
		expect(error.httpCode).toBe('303');
	});

	it('that cannot be read leaves it open whether there is a new session', async () => {
		const answers = () => ({ created: [response('<')], lists: [[]] });
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
