import type { INode, NodeApiError } from 'n8n-workflow';

import type { Run } from '../../../../nodes/Wherobots/service/types';
import type { CallOptions } from '../../../../nodes/Wherobots/transport/calls';
import type { Client } from '../../../../nodes/Wherobots/transport/client';
import {
	explanationOf,
	factsOf,
	toNodeApiError,
} from '../../../../nodes/Wherobots/transport/failures/errors';
import type { Failure } from '../../../../nodes/Wherobots/transport/failures/failure';
import { findLost } from '../../../../nodes/Wherobots/transport/jobRuns/lostRun';
import { forgetOwnRuns, remember } from '../../../../nodes/Wherobots/transport/jobRuns/ownRuns';
import { suiteWithInstantPauses } from '../../../support/virtualTime';

const START = Date.parse('2026-11-21T12:00:00Z');
const time = suiteWithInstantPauses();
beforeEach(forgetOwnRuns);

const payload = { name: 'nightly', runPython: { uri: 's3://bucket/job.py' } };

/** @param at when it was created, in milliseconds after the request was sent; null where nobody knows */
const runOf = (id: string, at: number | null = 0, more: Partial<Run> = {}) =>
	({
		id,
		name: 'nightly',
		status: 'PENDING',
		createTime: at === null ? 'then' : new Date(START + at).toISOString(),
		payload,
		...more,
	}) as Run;

const failure = (httpCode?: string) =>
	toNodeApiError({} as INode, { message: 'Lost', description: 'Gone', httpCode, ambiguous: true });

interface Setting {
	/** What the list shows at each look, the last one again and again. */
	lists?: Array<Run[] | Error>;
	knowsTime?: boolean;
	signal?: AbortSignal;
	/** Runs that cannot be read, with the status of the response. */
	unreadable?: Record<string, number>;
}

/** Looks for a run whose submission was sent at the start and lost a second later. */
function looking({ lists = [[]], knowsTime = true, signal, unreadable = {} }: Setting) {
	time.now = 1_000;
	let looks = 0;
	const asked: Array<CallOptions['query']> = [];
	const client = {
		account: 'me',
		signal,
		knowsServiceTime: knowsTime,
		serviceNow: () => START + time.now,
		error: (known: Failure) => toNodeApiError({} as INode, known),
		evenWhenCancelled: () => client,
		call: async (id: string, { query, path }: CallOptions) => {
			await Promise.resolve();
			if (id === 'getRun') {
				const runId = String(path?.run_id);
				if (unreadable[runId]) throw failure(String(unreadable[runId]));
				return lists
					.flatMap((list) => (Array.isArray(list) ? list : []))
					.find((run) => run.id === runId);
			}
			asked.push(query);
			const list = lists[Math.min(looks++, lists.length - 1)];
			if (list instanceof Error) throw list;
			return { items: list };
		},
	} as unknown as Client;
	const error = failure();
	const lost = { error, sentAt: 0, lostAt: 1_000 };
	const find = async () => await findLost(client, { region: undefined, payload }, lost);
	const failing = async () => {
		const thrown = (await find().catch((reason: unknown) => reason)) as NodeApiError;
		expect(thrown).toMatchObject({ message: 'Lost', context: { ambiguous: true } });
		const candidates = factsOf(thrown).candidates?.map(({ id }) => id);
		return { note: explanationOf(thrown).split('\n').slice(1).join('\n'), candidates };
	};
	return { client, find, failing, asked };
}

it('is the one of this name and content, from the time of the request', async () => {
	const others = [
		runOf('name', 0, { name: 'nightly-2' }),
		runOf('content', 0, { payload: { ...payload, version: 'preview' } }),
		runOf('older', -1_001),
	];
	const { find, asked } = looking({ lists: [[...others, runOf('a', 400)]] });
	expect((await find()).id).toBe('a');
	expect(asked).toEqual([
		expect.objectContaining({ name: 'nightly', created_after: '2026-11-21T11:59:58Z' }),
	]);
	expect(time.pauses).toEqual([0]);
});

it('is looked for in the whole list where nobody knows the time of the service', async () => {
	const { failing, asked } = looking({ knowsTime: false, lists: [[runOf('a')]] });
	expect((await failing()).candidates).toEqual(['a']);
	expect(asked).toMatchObject([{ created_after: undefined }]);
});

it('is looked for again while lists lag', async () => {
	expect((await looking({ lists: [[], [], [runOf('a')]] }).find()).id).toBe('a');
	expect(time.pauses).toEqual([0, 2_000, 4_000]);
});

it('is given up after fourteen seconds', async () => {
	expect(await looking({}).failing()).toEqual({
		note: 'A search of 14 seconds did not find it.',
		candidates: undefined,
	});
	expect(time.pauses).toEqual([0, 2_000, 4_000, 8_000]);
});

it.each<[string, number | null, boolean]>([
	['when the request was sent', 0, true],
	['a second before, by a clock that shows whole seconds', -1_000, false],
	['five seconds after it was lost', 6_000, true],
	['later', 6_001, false],
	['nobody knows when', null, false],
])('a run that was created %s is certain: %s', async (_, at, isCertain) => {
	const { find, failing } = looking({ lists: [[runOf('a', at)]] });
	if (isCertain) expect((await find()).id).toBe('a');
	else {
		expect(await failing()).toEqual({
			note: 'A search found this job run: a. It is not certain that this request created it.',
			candidates: ['a'],
		});
	}
});

it('is one of those that are named where there are several', async () => {
	expect(await looking({ lists: [[runOf('a'), runOf('b', -1_000)]] }).failing()).toEqual({
		note: 'A search found 2 candidates: a, b.',
		candidates: ['a', 'b'],
	});
});

it('is not what this process has submitted for another request', async () => {
	const { client, find } = looking({ lists: [[runOf('mine'), runOf('new')]] });
	remember(client, runOf('mine'));
	expect((await find()).id).toBe('new');
});

it('is not certain among more than twenty that are new', async () => {
	const others = Array.from({ length: 20 }, (_, index) =>
		runOf(`r${index}`, 0, { payload: { ...payload, version: 'preview' } }),
	);
	expect((await looking({ lists: [[...others.slice(1), runOf('a')]] }).find()).id).toBe('a');
	const { failing } = looking({ lists: [[runOf('a'), ...others]] });
	expect((await failing()).candidates).toEqual(['a']);
});

it('is as a list shows it where it cannot be read yet, and open where reading fails', async () => {
	const lists = [[runOf('a')]];
	expect((await looking({ lists, unreadable: { a: 404 } }).find()).id).toBe('a');
	const { note } = await looking({ lists, unreadable: { a: 500 } }).failing();
	expect(note).toBe('The search for it failed: Lost.');
});

it('is open where the search fails', async () => {
	const { note } = await looking({
		lists: [new Error('The list is down'), [runOf('a')]],
	}).failing();
	expect(note).toBe('The search for it failed: The list is down.');
});

it('says only once what two searches did not find', async () => {
	const { failing } = looking({});
	await failing();
	expect((await failing()).note).toBe('A search of 14 seconds did not find it.');
});

describe('where the execution is stopped', () => {
	const signal = AbortSignal.abort();

	it('the run is looked for once more, at once', async () => {
		expect((await looking({ signal, lists: [[runOf('a')]] }).find()).id).toBe('a');
		expect(time.pauses).toEqual([]);
	});

	it('what that does not find is open', async () => {
		const { failing, asked } = looking({ signal });
		expect((await failing()).note).toBe('The execution was stopped during the search for it.');
		expect(asked).toHaveLength(1);
	});
});
