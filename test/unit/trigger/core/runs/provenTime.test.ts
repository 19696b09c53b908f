import type { Run } from '../../../../../nodes/Wherobots/service/types';
import { pollRuns } from '../../../../../nodes/Wherobots/trigger/core/runs/runPoll';
import { newRunState } from '../../../../../nodes/Wherobots/trigger/core/state';
import { HOUR, MINUTE } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { AskedRuns, iso, NOW, run, unlimited } from './askedRuns';

describe('the time that records prove', () => {
	const limits = { RUNNING: 30 * MINUTE };
	const running = run('running', NOW - 2 * HOUR, 'RUNNING', {
		startTime: iso(NOW - HOUR),
	});
	const before = newRunState('scope', NOW - 2 * HOUR, []);
	const poll = async (items: Run[], isTimeKnown: boolean, options = {}) => {
		const service = new AskedRuns(() => ({ items }));
		service.isTimeKnown = isTimeKnown;
		return await pollRuns(before, 'scope', service, unlimited, options);
	};

	test('does not matter when a response tells the time', async () => {
		const { state, exceeded } = await poll([running], true, { limits });
		expect(exceeded).toMatchObject([{ status: 'RUNNING', duration: HOUR }]);
		expect(state).not.toHaveProperty('proven');
	});

	test('is remembered when no response tells it and there are limits', async () => {
		const { state, exceeded } = await poll([running], false, { limits });
		expect(exceeded).toEqual([]);
		expect(state.proven).toEqual([NOW - HOUR, NOW, 0]);
	});

	test('is not remembered without limits', async () => {
		expect((await poll([running], false)).state).not.toHaveProperty('proven');
	});

	test('is none without records', async () => {
		expect((await poll([], false, { limits })).state).not.toHaveProperty('proven');
	});
});
