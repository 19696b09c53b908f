import { setTimeout as sleep } from 'node:timers/promises';

import { TriggerRehearsal } from '../suite/triggerRehearsal';
import { Cluster } from './cluster';
import { report, SHORT } from './report';

/** Longer than from one poll to the next. */
const ANOTHER_POLL_MS = 70_000;

test('the trigger loses nothing and repeats nothing while the main process is killed', async () => {
	const rehearsal = await TriggerRehearsal.start(
		async () => await Cluster.start({ name: 'trigger', workers: 2 }),
	);
	try {
		rehearsal.change(80);
		rehearsal.record(80);
		if (!SHORT) {
			await rehearsal.caughtUp();
			rehearsal.change(0, { from: 'PENDING', to: 'RUNNING', count: 60 });
			rehearsal.record(60);
		}
		await rehearsal.killDuring('listRuns');
		await rehearsal.caughtUp();
		if (!SHORT) {
			rehearsal.change(0, { from: 'RUNNING', to: 'COMPLETED', count: 60 });
			rehearsal.record(60);
			await rehearsal.kill();
			await rehearsal.caughtUp();
			// What repeats would show in the next poll.
			await sleep(ANOTHER_POLL_MS);
		}
		const delivered = await rehearsal.delivered();
		const distinct = new Set(delivered);
		const missing = [...rehearsal.expected].filter((id) => !distinct.has(id));
		const repeated = delivered.length - distinct.size;
		const kills = SHORT ? 1 : 2;
		const counts = [rehearsal.expected.size, kills, missing.length, repeated];
		await report('trigger', ['events', 'main killed', 'missing', 'repeated'], [counts]);

		expect(missing).toEqual([]);
		expect(repeated).toBe(0);
	} finally {
		await rehearsal.end();
	}
});
