import { watchRuns } from './suite/activeTriggers';
import { useStage } from './suite/workflowCases';

const stage = useStage();

test('active triggers start their workflows with what happened since, and with nothing before', async () => {
	const { n8n, sandbox, importWorkflow } = stage();
	await watchRuns(n8n, sandbox, importWorkflow);
});
