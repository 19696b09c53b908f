import { forgetAll, processMemoryOf } from '../../../nodes/Wherobots/trigger/processMemory';

/** So many triggers are remembered. */
const MOST = 5_000;

const keys = Array.from({ length: MOST }, (_, index) => `workflow-${index}:node`);

const FAILURE = { key: 'down', reportedAt: 1 };

beforeEach(forgetAll);

/** Notes something about each trigger, as a failed poll does. */
const noteAll = () => keys.forEach((key) => (processMemoryOf(key).failure = FAILURE));

test('of too many triggers, the one that was used longest ago is forgotten', () => {
	noteAll();
	processMemoryOf(keys[0]);
	processMemoryOf('another:node');
	// To ask for a trigger is to use it, so the one that is forgotten comes last.
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
