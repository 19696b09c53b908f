import { Failure } from '../../../../nodes/Wherobots/transport/failure';
import type { CallOptions, Client } from '../../../../nodes/Wherobots/transport/client';
import { findLostRun } from '../../../../nodes/Wherobots/useCases/runs/submit';
import { suiteWithInstantPauses } from '../../../support/virtualTime';

const START = Date.parse('2026-11-21T12:00:00Z');
const time = suiteWithInstantPauses();

const payload = { name: 'nightly', runPython: { uri: 's3://bucket/job.py' } };

/** @param at when it was created, in milliseconds after the request was sent; null when unknown */
const runOf = (id: string, at: number | null = 0, more: object = {}) => ({
	id,
	name: 'nightly',
	status: 'PENDING',
	createTime: at === null ? 'then' : new Date(START + at).toISOString(),
	payload,
	...more,
});

/** Looks for a run among these whose submission was sent at the start and lost a second later. */
function looking(listed: Array<{ id: string }>) {
	time.now = 1_000;
	const client = {
		account: 'me',
		knowsServiceTime: true,
		serviceNow: () => START + time.now,
		evenWhenCancelled: () => client,
		call: async (id: string, { path }: CallOptions) => {
			await Promise.resolve();
			return id === 'getRun' ? listed.find((run) => run.id === path?.run_id) : { items: listed };
		},
	} as unknown as Client;
	const failure = new Failure({ message: 'Lost', description: 'Gone', ambiguous: true });
	const lost = { request: { region: undefined, payload }, failure, sentAt: 0, lostAt: 1_000 };
	const find = async () => await findLostRun(client, lost);
	const failing = async () => {
		const thrown = (await find().catch((reason: unknown) => reason)) as Failure;
		expect(thrown).toMatchObject({ message: 'Lost', facts: { ambiguous: true } });
		const candidates = thrown.facts.candidates?.map(({ id }) => id);
		return { note: thrown.description.split('\n').slice(1).join('\n'), candidates };
	};
	return { find, failing };
}

it.each<[string, number | null, boolean]>([
	['when the request was sent', 0, true],
	['a second before, by a clock that shows whole seconds', -1_000, false],
	['five seconds after it was lost', 6_000, true],
	['later', 6_001, false],
	['at an unknown time', null, false],
])('a run that was created %s is certain: %s', async (_, at, isCertain) => {
	const { find, failing } = looking([runOf('a', at)]);
	if (isCertain) expect((await find()).id).toBe('a');
	else {
		expect(await failing()).toEqual({
			note: 'A search found a. It is not certain that this request created it.',
			candidates: ['a'],
		});
	}
});

it('is not certain among more than twenty new ones', async () => {
	const others = Array.from({ length: 20 }, (_, index) =>
		runOf(`r${index}`, 0, { payload: { ...payload, version: 'preview' } }),
	);
	expect((await looking([...others.slice(1), runOf('a')]).find()).id).toBe('a');
	const { failing } = looking([runOf('a'), ...others]);
	expect((await failing()).candidates).toEqual(['a']);
});
