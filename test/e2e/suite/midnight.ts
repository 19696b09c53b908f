import { setTimeout as sleep } from 'node:timers/promises';

import { DAY_MS, untilThereIsTime } from './calendar';

/** What a test takes at most in which n8n reckons with yesterday. */
const LONGEST_MS = 10 * 60_000;

/** Until then yesterday may still lack events that appear late, and an export says so. */
const SETTLED_MS = 5 * 60_000 + 5_000;

beforeEach(
	async () => {
		await untilThereIsTime(DAY_MS, LONGEST_MS);
		await sleep(Math.max(0, SETTLED_MS - (Date.now() % DAY_MS)));
	},
	LONGEST_MS + SETTLED_MS + 30_000,
);
