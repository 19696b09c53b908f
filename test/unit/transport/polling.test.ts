import type { Client } from '../../../nodes/Wherobots/transport/client';
import { pollUntil } from '../../../nodes/Wherobots/transport/concurrency';
import { suiteWithInstantPauses } from '../../support/virtualTime';

const time = suiteWithInstantPauses(5_000);

it.each([
	['further and further apart, up to the longest interval', 5_000, [2_000, 3_000, 4_500, 5_000]],
	['as often as the longest interval says from the beginning', 700, [700, 700, 700, 700]],
])('checks are %s', async (_, maxIntervalMs, pauses) => {
	let checks = 0;
	const check = async () => await Promise.resolve(++checks);
	const limits = { maxWaitMs: 60_000, maxIntervalMs };
	await pollUntil({} as Client, check, (count) => count === 5, limits);
	expect(time.pauses).toEqual(pauses);
});
