import { TriggerRehearsal } from '../suite/triggerRehearsal';
import { Cluster } from './cluster';
import { report, SHORT } from './report';

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
			await rehearsal.deliveries.anotherPoll();
		}
		const { expected, missing, wrong } = rehearsal.deliveries;
		const counts = [expected.size, SHORT ? 1 : 2, missing.length, wrong.length];
		await report('trigger', ['events', 'main killed', 'missing', 'repeated'], [counts]);

		expect({ missing, wrong }).toEqual({ missing: [], wrong: [] });
	} finally {
		await rehearsal.end();
	}
});
