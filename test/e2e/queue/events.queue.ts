import { startSandbox } from '../../sandbox';
import { watchRuns } from '../suite/activeTriggers';
import { Cluster } from './cluster';

test('workers execute what the main process polls: runs, their costs, and runs of tasks', async () => {
	const sandbox = await startSandbox();
	const cluster = await Cluster.start({ name: 'events', workers: 2 });
	try {
		await watchRuns(
			cluster.api,
			sandbox,
			async (file, parameters) => await cluster.importWorkflow(file, sandbox, parameters),
		);
	} finally {
		await cluster.dispose();
		await sandbox.stop();
	}
});
