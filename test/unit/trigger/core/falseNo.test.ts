/** A key of the same organization, of which the service says at first that it knows nothing. */
import { SeenEvents } from '../../../../nodes/Wherobots/trigger/core/audit/seenEvents';
import { recognizeLog } from '../../../../nodes/Wherobots/trigger/core/recognition';
import { pollRuns } from '../../../../nodes/Wherobots/trigger/core/runs/runPoll';
import type { AuditSource, RunSource } from '../../../../nodes/Wherobots/trigger/core/source';
import {
	newAuditState,
	newRunState,
	type RunState,
} from '../../../../nodes/Wherobots/trigger/core/state';
import { iso, MINUTE, SlowService, START } from './slowService';

const unlimited = { spent: () => false };

test('one wrong response in each poll decides nothing', async () => {
	const service = new SlowService(0);
	const event = { event_id: 'remembered', event_time: iso(START) };
	const seen = new SeenEvents();
	seen.take(event, START);
	const state = newAuditState('scope', START - MINUTE, 'query', seen.entries(-Infinity));
	let requests = 0;
	const source: AuditSource = {
		...service.common(),
		events: async () => {
			requests += 1;
			return await Promise.resolve({ items: requests === 1 ? [] : [event] });
		},
	};
	const found = await recognizeLog(state, { credential: 'new', asked: 0 }, source, unlimited);
	expect(found).toEqual({ kind: 'same' });
});

test('a first poll that shows what is remembered goes on instead', async () => {
	const service = new SlowService(0);
	const created = START - MINUTE;
	const remembered = { id: 'run-1', name: 'nightly', status: 'RUNNING', createTime: iso(created) };
	const source: RunSource = {
		...service.common(),
		runs: async (query) =>
			await Promise.resolve({ items: 'statuses' in query ? [remembered] : [] }),
		run: async () => await Promise.resolve(undefined),
	};
	const before = newRunState('scope', START - MINUTE, [['run-1', created, ['RUNNING'], {}]]);
	let state: RunState = before;
	for (let poll = 0; poll < 3; poll++) {
		const doubt = state.doubt ?? { credential: 'new', asked: 0 };
		const polled = await pollRuns(state, 'scope', source, unlimited, { doubt });
		expect(polled).toMatchObject({ changes: [], notes: [] });
		({ state } = polled);
		service.now += 1.5 * MINUTE;
	}
	expect(state).toEqual({ ...before, doubt: undefined });
});
