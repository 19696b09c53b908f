import { forgetAll, processMemoryOf } from '../../../nodes/Wherobots/trigger/processMemory';

/** How many triggers are remembered. */
const MOST = 5_000;

const keys = Array.from({ length: MOST }, (_, index) => `workflow-${index}:node`);

const FAILURE = { key: 'down', reportedAt: 1 };

beforeEach(forgetAll);

/** Remembers a failure of each trigger, as a failed poll does. */
const noteAll = () => keys.forEach((key) => (processMemoryOf(key).failure = FAILURE));

test('when there are too many triggers, the least recently used one is forgotten', () => {
	noteAll();
	processMemoryOf(keys[0]);
	processMemoryOf('another:node');
	// Asking for a trigger counts as using it, so the forgotten one is asked for last.
	expect(processMemoryOf(keys[0])).toEqual({ failure: FAILURE });
	expect(processMemoryOf(keys[2])).toEqual({ failure: FAILURE });
	expect(processMemoryOf(keys[1])).toEqual({});
});

test('after a restart, no trigger is remembered', () => {
	noteAll();
	forgetAll();
	expect(processMemoryOf(keys[0])).toEqual({});
	expect(processMemoryOf(keys[MOST - 1])).toEqual({});
});
