import { startSandbox } from '../../sandbox';
import { useServers } from '../suite/useServers';
import { Cluster } from './cluster';

const ALL_OPERATIONS = 'test/e2e/workflows/resources/tasks-and-usage.json';

const use = useServers();

test('workers run tasks, once each, even after a refusal', async () => {
	const sandbox = await use(startSandbox({ seed: 'demo' }));
	const cluster = await use(Cluster.start({ name: 'tasks', workers: 2 }));
	const { tasks } = sandbox.store;
	tasks.createRun({ taskRunId: 'still-running-1', state: 'RUNNING' });
	const fault = { kind: 'status', status: 429, retryAfter: 1 } as const;
	sandbox.faults.add({ endpoint: 'runTask', times: 1, fault });
	const workflow = await cluster.importWorkflow(ALL_OPERATIONS, sandbox);

	const execution = await cluster.api.run(workflow);

	expect(String(execution)).toMatch(/: success$/);
	const [second, first] = tasks.runs;
	expect(execution.json('Run task')).toMatchObject([
		{ taskRunId: first.taskRunId, state: 'SUCCEEDED' },
	]);
	expect(execution.json('Run task with JSON')).toMatchObject([{ taskRunId: second.taskRunId }]);
	expect(sandbox.requests.of('runTask')).toHaveLength(3);
});
