import { DAY_MS, untilThereIsTime } from './calendar';

/** What a test takes at most in which n8n reckons with yesterday. */
const LONGEST_MS = 4 * 60_000;

beforeEach(async () => await untilThereIsTime(DAY_MS, LONGEST_MS), LONGEST_MS + 30_000);
