import { DAY, HOUR } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { START as NOW } from '../slowService';
import { AskedService, followed } from './askedService';

const noLonger = (id: string) => `Run ${id} was not found for an hour; it is no longer tracked.`;

let service: AskedService;

beforeEach(() => {
	service = new AskedService();
});

test('a run that is not found for the fifth time, exactly an hour after the first, is no longer tracked', async () => {
	const gone = followed('gone', { missing: [4, NOW - HOUR] });
	const { active, taken, notes } = await service.follow(gone);
	expect(service.asked).toEqual(['gone']);
	expect({ active, notes, taken }).toEqual({ active: [], notes: [noLonger('gone')], taken: [] });
});

test.each([
	['the fourth time within a day', 3, DAY],
	['the fifth time a microsecond before an hour is over', 4, HOUR - 1],
])('a run that is not found for %s is still tracked', async (_, times, span) => {
	const flaps = followed('flaps', { missing: [times, NOW - span] });
	const { active, notes } = await service.follow(flaps);
	expect({ active, notes }).toEqual({ active: ['flaps'], notes: [] });
});
