import { rehearse } from '../suite/triggerRehearsal';
import { Cluster } from './cluster';
import { report } from './report';

test('the trigger loses nothing and repeats nothing while the main process is killed', async () => {
	const { expected, missing, wrong } = await rehearse(
		async () => await Cluster.start({ name: 'trigger', workers: 2 }),
	);
	const counts = [expected, 2, missing.length, wrong.length];
	await report('trigger', ['events', 'main killed', 'missing', 'repeated'], [counts]);
	expect({ missing, wrong }).toEqual({ missing: [], wrong: [] });
}, 900_000);
