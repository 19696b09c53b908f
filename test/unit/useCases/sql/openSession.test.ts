import { Failure } from '../../../../nodes/Wherobots/transport/failure';
import { openSession, type SessionState } from '../../../../nodes/Wherobots/useCases/sql/session';
import { suiteInVirtualTime } from '../../../support/virtualTime';

const time = suiteInVirtualTime();

const refusal = (status: number) =>
	new Failure({ message: 'Refused', description: 'It said no.', httpCode: `${status}` });

const ready = { status: 'READY', appMeta: { url: 'wss://sql.example.com/s' } };

/** Opens sessions for a node whose statements share the state. @param reads what each look at one shows */
function opening(reads: unknown[], state: SessionState = {}) {
	let requests = 0;
	const client = {
		...{ account: 'me', baseUrl: 'https://example.com' },
		call: async () => {
			const shown = reads.length > 1 ? reads.shift() : reads[0];
			return await (shown instanceof Error ? Promise.reject(shown) : Promise.resolve(shown));
		},
		locate: async () => {
			const location = `https://example.com/sql/session/s-${(requests += 1)}`;
			return await Promise.resolve({ kind: 'redirect', status: 303, headers: {}, location });
		},
	};
	const request = { sessionType: 'single', forceNew: false } as const;
	const wait = { maxWaitMs: 60_000, advice: '' };
	const open = async () =>
		await time.during(openSession(client as never, request, state, wait, () => undefined)).then(
			({ id }) => id,
			({ message, description }: Failure) => ({ message, description }),
		);
	return { open, requests: () => requests };
}

describe('the session of an earlier statement', () => {
	it('is named when it cannot be read, and not replaced', async () => {
		const state = { requested: Promise.resolve({ id: 'old' }) };
		const { open, requests } = opening([refusal(403)], state);
		expect(await open()).toMatchObject({ description: 'Session ID: old\nIt said no.' });
		expect(requests()).toBe(0);
	});

	// A second session would cost money, too.
	it('is waited for until the service shows it', async () => {
		const unknown = Array<unknown>(20).fill(refusal(404));
		const { open, requests } = opening([...unknown, ready, refusal(404), ready]);
		expect(await open()).toMatchObject({
			message: 'The SQL session was not ready within 60 seconds',
		});
		expect(await open()).toBe('s-1');
		expect(requests()).toBe(1);
		expect(await open()).toBe('s-2');
	});
});
