import type { INode, NodeApiError } from 'n8n-workflow';

import type { Client } from '../../../../nodes/Wherobots/transport/client';
import { CancelledError, clock } from '../../../../nodes/Wherobots/transport/clock';
import { forgetIdentities } from '../../../../nodes/Wherobots/transport/creation/identity';
import {
	createOnce,
	type Search,
} from '../../../../nodes/Wherobots/transport/creation/lostResponse';
import {
	explanationOf,
	factsOf,
	toNodeApiError,
} from '../../../../nodes/Wherobots/transport/failures/errors';

const START = Date.parse('2026-11-21T12:00:00Z');
const ME = { id: 'me' };

const real = { ...clock };
const pauses: number[] = [];
let elapsed = 0;
/** What one test creates must not be known to the next. */
let address = 0;

beforeEach(() => {
	forgetIdentities();
	pauses.length = 0;
	elapsed = 0;
	address += 1;
	clock.monotonic = () => elapsed;
	clock.pause = async (ms, signal) => {
		if (signal?.aborted) throw new CancelledError();
		pauses.push(ms);
		elapsed += ms;
		await Promise.resolve();
	};
});

afterEach(() => Object.assign(clock, real));

interface Thing {
	id: string;
	/** Milliseconds after the request was sent. */
	at?: number;
	by?: object | null;
	agrees?: boolean;
	isWhole?: boolean;
}

const failure = (ambiguous: boolean) =>
	toNodeApiError({} as INode, { message: 'Lost', description: 'Gone', ambiguous });

interface Setting {
	/** What the list shows at each look, the last one again and again. */
	lists?: Array<Thing[] | Error>;
	canGoOn?: boolean;
	hasCreator?: boolean;
	knowsTime?: boolean;
	signal?: AbortSignal;
}

/** Creates a thing with a request that ends like this a second after it is sent. */
function creating(
	outcome: Thing | Error,
	{ lists = [[]], canGoOn = true, hasCreator = true, knowsTime = true, signal }: Setting = {},
) {
	let looks = 0;
	const sinces: Array<number | undefined> = [];
	const client = {
		baseUrl: `https://${address}`,
		account: `${address}`,
		signal,
		knowsServiceTime: knowsTime,
		serviceNow: () => START + elapsed,
		call: async () => await Promise.resolve(ME),
		evenWhenCancelled: () => client,
	} as unknown as Client;
	const search: Search<Thing> = {
		kind: 'thing',
		canGoOn,
		list: async (_, since) => {
			sinces.push(since);
			const list = lists[Math.min(looks++, lists.length - 1)];
			return await (list instanceof Error ? Promise.reject(list) : Promise.resolve(list));
		},
		createdAt: ({ at = 0 }) => new Date(START + at).toISOString(),
		...(hasCreator ? { creatorOf: ({ by = ME }: Thing) => by } : {}),
		compare: async (__, record) =>
			await Promise.resolve(
				record.agrees === false ? undefined : { record, isWhole: record.isWhole ?? true },
			),
		facts: ({ id }) => ({ id }),
	};
	const send = async (onSend: () => void) => {
		onSend();
		elapsed += 1_000;
		return await (outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome));
	};
	const onLost = jest.fn();
	return { done: createOnce(client, send, search, onLost), onLost, sinces };
}

async function failing(setting: Setting) {
	const error = (await creating(failure(true), setting).done.catch(
		(reason: unknown) => reason,
	)) as NodeApiError;
	return { note: explanationOf(error).split('\n').at(-1), candidates: factsOf(error).candidates };
}

it('what the response shows was created, and nothing is looked for', async () => {
	const { done, onLost, sinces } = creating({ id: 'a' });
	expect(await done).toEqual({ record: { id: 'a' }, recovered: false });
	expect(onLost).not.toHaveBeenCalled();
	expect(sinces).toEqual([]);
});

it('a request that was certainly not carried out fails as it did', async () => {
	const error = failure(false);
	const { done, onLost } = creating(error);
	await expect(done).rejects.toBe(error);
	expect(onLost).not.toHaveBeenCalled();
});

describe('a record whose response was lost', () => {
	it('is the one that agrees, from the time of the request, by the same person', async () => {
		const others: Thing[] = [
			{ id: 'unlike', agrees: false },
			{ id: 'older', at: -1_001 },
			{ id: 'foreign', by: { id: 'you' } },
		];
		const error = failure(true);
		const { done, onLost, sinces } = creating(error, {
			lists: [[...others, { id: 'a', at: 400 }]],
		});
		expect(await done).toEqual({ record: { id: 'a', at: 400 }, recovered: true });
		expect(onLost.mock.calls).toEqual([[{ error, sentAt: 0, lostAt: 1_000 }]]);
		expect(sinces).toEqual([START - 1_000]);
		expect(pauses).toEqual([0]);
	});

	it('is looked for again while lists lag', async () => {
		const { done } = creating(failure(true), { lists: [[], [], [{ id: 'a' }]] });
		expect((await done).record).toEqual({ id: 'a' });
		expect(pauses).toEqual([0, 2_000, 4_000]);
	});

	it('is given up after fourteen seconds', async () => {
		expect(await failing({})).toEqual({
			note: 'A search of 14 seconds did not find it.',
			candidates: undefined,
		});
		expect(pauses).toEqual([0, 2_000, 4_000, 8_000]);
	});

	it.each<[string, Thing, boolean]>([
		['when the request was sent', { id: 'a', at: 0 }, true],
		['a second before, by a clock that shows whole seconds', { id: 'a', at: -1_000 }, false],
		['five seconds after it was lost', { id: 'a', at: 6_000 }, true],
		['later', { id: 'a', at: 6_001 }, false],
	])('that was created %s is certain: %s', async (_, thing, isCertain) => {
		const { done } = creating(failure(true), { lists: [[thing]] });
		if (isCertain) expect((await done).record).toBe(thing);
		else await expect(done).rejects.toThrow('Lost');
	});

	it.each<[string, Thing, Setting]>([
		['it does not show everything that was sent', { id: 'a', isWhole: false }, {}],
		['nobody knows who created it', { id: 'a', by: null }, {}],
		["nobody knows the service's time", { id: 'a' }, { knowsTime: false }],
	])('is only named where %s', async (_, thing, setting) => {
		expect(await failing({ ...setting, lists: [[thing]] })).toEqual({
			note: 'A search found this thing: a. It is not certain that this request created it.',
			candidates: [{ id: 'a' }],
		});
	});

	it('is only named where the node cannot go on with it', async () => {
		expect(await failing({ canGoOn: false, lists: [[{ id: 'a' }]] })).toEqual({
			note: 'A search found this thing: a.',
			candidates: [{ id: 'a' }],
		});
	});

	it.each<[string, Thing[]]>([
		['two are certain', [{ id: 'a' }, { id: 'b' }]],
		['one is certain and one is not', [{ id: 'a' }, { id: 'b', isWhole: false }]],
	])('is one of those that are named where %s', async (_, list) => {
		expect(await failing({ lists: [list] })).toEqual({
			note: 'A search found 2 candidates: a, b.',
			candidates: [{ id: 'a' }, { id: 'b' }],
		});
	});

	it("is not somebody else's, which is named when it is all there is", async () => {
		const { note, candidates } = await failing({ lists: [[{ id: 'x', by: { id: 'you' } }]] });
		expect(note).toBe(
			'A search of 14 seconds did not find it. Somebody else submitted the same request in the meantime: x.',
		);
		expect(candidates).toEqual([{ id: 'x' }]);
	});

	it('needs no creator in kinds that do not show one', async () => {
		const lists = [[{ id: 'a', by: { id: 'you' } }]];
		const { done } = creating(failure(true), { hasCreator: false, lists });
		expect((await done).recovered).toBe(true);
	});

	it('is not what another request of this process has created or found', async () => {
		await creating({ id: 'mine' }).done;
		await creating(failure(true), { lists: [[{ id: 'found', at: 1_000 }]] }).done;
		elapsed = 0;
		const lists = [[{ id: 'mine' }, { id: 'found' }, { id: 'new' }]];
		expect((await creating(failure(true), { lists }).done).record.id).toBe('new');
	});

	it('is not looked for among more than twenty that are new', async () => {
		const many = Array.from({ length: 25 }, (_, index) => ({ id: `r${index}` }));
		const { candidates } = await failing({ lists: [many] });
		expect(candidates).toHaveLength(20);
	});

	it('is open where the search fails', async () => {
		const { note } = await failing({ lists: [new Error('The list is down')] });
		expect(note).toBe('The search for it failed: The list is down.');
	});
});

describe('where the execution is stopped', () => {
	it('the record is looked for once more, at once', async () => {
		const signal = AbortSignal.abort();
		const { done } = creating(failure(true), { signal, lists: [[{ id: 'a' }]] });
		expect((await done).record).toEqual({ id: 'a' });
		expect(pauses).toEqual([]);
	});

	it('what that does not find is open', async () => {
		const { note } = await failing({ signal: AbortSignal.abort() });
		expect(note).toBe('The execution was stopped during the search for it.');
	});
});
