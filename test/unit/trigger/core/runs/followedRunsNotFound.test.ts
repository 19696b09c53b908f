import { DAY, HOUR, MINUTE } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { START as NOW } from '../slowService';
import { ACTIVE, AskedService, CREATED, followed, listFrom, run } from './askedService';

/** A run that was not found four times, for the first time so long ago. */
const missing = (id: string, span = 10 * MINUTE, created = CREATED) =>
	followed(id, { missing: [4, NOW - span] }, created);

const noLonger = (id: string) => `Run ${id} was not found for a while; it is no longer tracked.`;

let service: AskedService;

beforeEach(() => {
	service = new AskedService();
});

test('a run is given up that is not found for the fifth time after exactly ten minutes, and that no list has', async () => {
	const { active, taken, notes } = await service.follow(missing('gone'));
	expect(service.asked).toEqual(['gone', ACTIVE, listFrom(CREATED)]);
	expect({ active, taken, notes }).toEqual({ active: [], taken: [], notes: [noLonger('gone')] });
});

test.each([
	['the fourth time within a day', 3, DAY],
	['the fifth time a microsecond before ten minutes are over', 4, 10 * MINUTE - 1],
])(
	'a run that is not found for %s is followed on, and no list is asked for',
	async (_, times, span) => {
		const flaps = followed('flaps', { missing: [times, NOW - span] });
		const { active, notes } = await service.follow(flaps);
		expect(service.asked).toEqual(['flaps']);
		expect({ active, notes }).toEqual({ active: ['flaps'], notes: [] });
	},
);

test('a run that the list of active runs has is followed on, and looked for no further', async () => {
	service.active = [[run('flaps')]];
	const { active, notes } = await service.follow(missing('flaps'));
	expect(service.asked).toEqual(['flaps', ACTIVE]);
	expect({ active, notes }).toEqual({ active: ['flaps'], notes: [] });
});

test('a run that ended comes from the list from its creation on, others of that time do not', async () => {
	service.since = [[null, run('other', 'FAILED'), run('ended', 'COMPLETED')]];
	const { active, taken, notes } = await service.follow(missing('ended'));
	expect(taken).toEqual(['ended COMPLETED']);
	expect({ active, notes }).toEqual({ active: [], notes: [] });
});

test('a run is given up that a list with other records does not have', async () => {
	service.since = [[null, run('other', 'FAILED')], [run('another', 'FAILED')]];
	const { active, taken, notes } = await service.follow(missing('gone'));
	expect({ active, taken, notes }).toEqual({ active: [], taken: [], notes: [noLonger('gone')] });
});

test('several runs are looked for from the creation of the oldest on, and the active ones are listed once', async () => {
	const young = missing('young', HOUR, CREATED + HOUR);
	const { active, notes } = await service.follow(young, missing('old', HOUR));
	expect(service.asked).toEqual([ACTIVE, 'young', 'old', listFrom(CREATED)]);
	expect(active).toEqual([]);
	expect(notes).toEqual([noLonger('young'), noLonger('old')]);
});

test('a list is read until it has shown all the runs that are looked for, and no further', async () => {
	service.since = [[run('a')], [run('b', 'COMPLETED')], [run('other')]];
	const { active, notes } = await service.follow(missing('a'), missing('b'));
	const list = listFrom(CREATED);
	expect(service.asked).toEqual([ACTIVE, 'a', 'b', list, `${list}, page 2`]);
	expect({ active, notes }).toEqual({ active: ['a'], notes: [] });
});

test('no run is given up while there is no time for lists', async () => {
	service.used = 0.75;
	const { active, notes } = await service.follow(missing('flaps'));
	expect(service.asked).toEqual(['flaps']);
	expect({ active, notes }).toEqual({ active: ['flaps'], notes: [] });
});

describe('a list that is too long for a poll', () => {
	beforeEach(() => {
		service.pageTakes = 0.5;
		service.since = [[run('other')], [run('another')]];
	});

	test('keeps a run followed for a day after it was first not found', async () => {
		const { active, notes } = await service.follow(missing('flaps', DAY - 1));
		expect(service.asked).toEqual(['flaps', ACTIVE, listFrom(CREATED)]);
		expect({ active, notes }).toEqual({ active: ['flaps'], notes: [] });
	});

	test('no longer does so when the day is over', async () => {
		const { active, notes } = await service.follow(missing('gone', DAY));
		expect({ active, notes }).toEqual({ active: [], notes: [noLonger('gone')] });
	});
});

test('a list of active runs that cannot be read keeps a run followed, and fails no poll', async () => {
	service.active = [];
	const { active, notes } = await service.follow(missing('flaps'));
	expect(service.asked).toEqual(['flaps', ACTIVE]);
	expect({ active, notes }).toEqual({ active: ['flaps'], notes: [] });
});
