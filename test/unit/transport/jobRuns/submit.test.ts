import { Failure, type FailureParts } from '../../../../nodes/Wherobots/transport/failure';
import type { RunRequest } from '../../../../nodes/Wherobots/service/jobRuns/runRequests';
import type { Run } from '../../../../nodes/Wherobots/service/types';
import type { CallOptions, Client } from '../../../../nodes/Wherobots/transport/client';
import { CancelledError } from '../../../../nodes/Wherobots/transport/clock';
import { forgetOwnRuns, submitOnce } from '../../../../nodes/Wherobots/transport/jobRuns/submit';
import { suiteWithInstantPauses } from '../../../support/virtualTime';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const time = suiteWithInstantPauses();

beforeEach(forgetOwnRuns);

const payload = { name: 'nightly', runPython: { uri: 's3://bucket/job.py' } };
const request: RunRequest = { region: undefined, payload };

const runOf = (id: string, more: Partial<Run> = {}) =>
	({
		id,
		name: 'nightly',
		status: 'PENDING',
		createTime: new Date(NOW).toISOString(),
		payload,
		...more,
	}) as Run;

const failure = (more: Partial<FailureParts>) =>
	new Failure({ message: 'No', description: 'Why', ...more });
const lost = () => failure({ ambiguous: true });

interface Service {
	/** How the submissions end, one after the other. */
	responses?: unknown[];
	/** What lists show, one after the other, the last one over and over. */
	lists?: Run[][];
	/** The failure of reading any run. */
	unreadable?: Error;
}

/** A client with a service of its own, and what that was asked for. */
function clientOf({ responses = [], lists = [[]], unreadable }: Service) {
	const asked: unknown[] = [];
	let [looks, submitted] = [0, 0];
	const answer = (id: string, { query, path, onSend }: CallOptions): unknown => {
		if (id === 'createRun') {
			onSend?.();
			return responses[submitted++];
		}
		if (id === 'listRuns') {
			asked.push(query);
			return { items: lists[Math.min(looks++, lists.length - 1)] };
		}
		if (id !== 'getRun') return undefined;
		asked.push(path?.run_id);
		const shown = lists.flat().filter((run) => run.id === path?.run_id);
		return unreadable ?? shown.at(-1);
	};
	const client = {
		baseUrl: `https://${Math.random()}`,
		account: 'me',
		knowsServiceTime: true,
		serviceNow: () => NOW + time.now,
		error: failure,
		evenWhenCancelled: () => client,
		call: async (id: string, options: CallOptions = {}) => {
			const answered = answer(id, options);
			return await (answered instanceof Error
				? Promise.reject(answered)
				: Promise.resolve(answered));
		},
	} as unknown as Client;
	const submit = async () => await submitOnce(client, request, undefined, {});
	return { submit, asked };
}

describe('a submission whose response was lost', () => {
	it('is looked for among the runs with exactly its name, created from its time on', async () => {
		const longer = runOf('b', { name: 'nightly-2' });
		const { submit, asked } = clientOf({ responses: [lost()], lists: [[longer, runOf('a')]] });
		expect(await submit()).toEqual({ run: runOf('a'), reused: false, recovered: true });
		// Times may be cut to whole seconds, and the service excludes the time given.
		const query = { name: 'nightly', created_after: '2026-11-21T11:59:58Z' };
		expect(asked).toEqual([expect.objectContaining(query), 'a']);
	});

	it('fails when runs cannot be read, although a list shows a matching one', async () => {
		const unreadable = failure({ message: 'Down', httpCode: '500' });
		const lists = [[runOf('a')]];
		await expect(
			clientOf({ responses: [lost()], lists, unreadable }).submit(),
		).rejects.toMatchObject({
			description: 'Why\nThe search for it failed: Down. It had found a.',
			facts: { ambiguous: true },
		});
	});
});

it.each([[undefined], [{ status: 'PENDING' }], [{ id: 7 }], [{ id: '' }]])(
	'a response that identifies no run (%j) leaves it open whether there is one',
	async (response) => {
		await expect(clientOf({ responses: [response] }).submit()).rejects.toMatchObject({
			message: 'Wherobots Cloud returned an unexpected response',
			description: expect.stringMatching(
				/^Before you try again, look for a job run named "nightly" \(.+\)\.\n/,
			),
			facts: { runName: 'nightly', ambiguous: true },
		});
	},
);

it.each([
	['refused', failure({ httpCode: '403' })],
	['cancelled before it was sent', new CancelledError()],
])('a submission that was %s fails with that error, which names no run', async (_, error) => {
	const { submit, asked } = clientOf({ responses: [error] });
	await expect(submit()).rejects.toBe(error);
	expect(error).not.toHaveProperty('facts.runName');
	expect(asked).toEqual([]);
});
