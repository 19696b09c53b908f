import { credentialsFor, nodeWorkflow, readResult, runNode, startWorkflow } from '../../harness';
import { suiteWithSandbox } from '../../harness/suite';
import { pythonRun } from '../parameters';

const suite = suiteWithSandbox({ seed: 'empty' });

const runs = () => suite.sandbox.store.runs.all();

describe('a run that is meant to be submitted again', () => {
	it('is submitted by the next execution', async () => {
		for (let count = 1; count <= 2; count++) {
			await runNode(suite.sandbox, pythonRun, { maxTries: 2 });
			expect(runs()).toHaveLength(count);
		}
	});

	it('is submitted when the workflow loops back to the node', async () => {
		const json = nodeWorkflow(pythonRun, { maxTries: 2 });
		const [toNode] = json.connections.Start.main[0] ?? [];
		json.connections.Start.main = [[toNode, toNode]];
		const credentials = credentialsFor(suite.sandbox);
		const { run } = readResult(await startWorkflow(json, { credentials }).result);
		expect(run.data.resultData.runData.Wherobots).toHaveLength(2);
		expect(runs()).toHaveLength(2);
	});
});
