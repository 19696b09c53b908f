import { findLost } from '../../../../nodes/Wherobots/transport/creation/lostResponse';
import { explanationOf } from '../../../../nodes/Wherobots/transport/failures/errors';
import {
	failure,
	START,
	suiteOfCreations,
	type Setting,
	type Thing,
} from '../../../support/transport/lostResponse';

const { creating, failing, pauses, rewind } = suiteOfCreations();

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

	it('may have been created since its request was sent, not since that was asked for', async () => {
		const { done, onLost, sinces } = creating(failure(true), {
			waitsMs: 5_000,
			lists: [
				[
					{ id: 'older', at: 3_999 },
					{ id: 'a', at: 5_000 },
				],
			],
		});
		expect((await done).record.id).toBe('a');
		expect(onLost.mock.calls[0][0]).toMatchObject({ sentAt: 5_000, lostAt: 6_000 });
		expect(sinces).toEqual([START + 5_000 - 1_000]);
	});

	it('is looked for in the whole list where nobody knows the time of the service', async () => {
		const { done, sinces } = creating(failure(true), { knowsTime: false, lists: [[{ id: 'a' }]] });
		await expect(done).rejects.toThrow('Lost');
		expect(sinces).toEqual([undefined]);
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
		['nobody knows when it was created', { id: 'a', at: null }, {}],
		['it was created in the second before the request was sent', { id: 'a', at: -1_000 }, {}],
	])('is only named where %s', async (_, thing, setting) => {
		expect(await failing({ ...setting, lists: [[thing]] })).toEqual({
			note: 'A search found this thing: a. It is not certain that this request created it.',
			candidates: [{ id: 'a' }],
		});
	});

	it('is only named where the node cannot go on with it', async () => {
		expect(await failing({ canAdopt: false, lists: [[{ id: 'a' }]] })).toEqual({
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
		rewind();
		const lists = [[{ id: 'mine' }, { id: 'found' }, { id: 'new' }]];
		expect((await creating(failure(true), { lists }).done).record.id).toBe('new');
	});

	it('is not looked for among more than twenty that are new', async () => {
		const many = Array.from({ length: 25 }, (_, index) => ({ id: `r${index}` }));
		const { candidates } = await failing({ lists: [many] });
		expect(candidates).toHaveLength(20);
	});

	it('is open where the search fails', async () => {
		const lists = [new Error('The list is down'), [{ id: 'a' }]];
		const { note } = await failing({ lists });
		expect(note).toBe('The search for it failed: The list is down.');
	});

	it('says only once what two searches did not find', async () => {
		const error = failure(true);
		const { done, client, search } = creating(error);
		await expect(done).rejects.toBe(error);
		const again = findLost(client, { error, sentAt: 0, lostAt: 1_000 }, search);
		await expect(again).rejects.toBe(error);
		expect(explanationOf(error)).toBe('Gone\nA search of 14 seconds did not find it.');
	});
});

describe('what this process has created', () => {
	/** Whether a lost response is certainly not that of this thing. */
	const isKnown = async (id: string, setting: Setting = {}) => {
		rewind();
		const { done } = creating(failure(true), { ...setting, lists: [[{ id }]] });
		return await done.then(
			() => false,
			() => true,
		);
	};

	it('is known by its address and its ID', async () => {
		await creating({ id: 'thing2' }, { baseUrl: 'https://a' }).done;
		expect(await isKnown('thing2', { baseUrl: 'https://a' })).toBe(true);
		expect(await isKnown('2', { baseUrl: 'https://athing' })).toBe(false);
		expect(await isKnown('thing2', { baseUrl: 'https://b' })).toBe(false);
	});

	it('is known of the last five thousand', async () => {
		for (let count = 0; count < 5_000; count++) await creating({ id: `t${count}` }).done;
		expect(await isKnown('t0')).toBe(true);
		await creating({ id: 'one more' }).done;
		expect([await isKnown('t1'), await isKnown('t0')]).toEqual([true, false]);
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
