/** What n8n itself says about moving to its next major version. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';

import { REPOSITORY } from '../../scripts/lib/paths';
import { readWorkflow } from './n8n/workflows';
import { sharedApi } from './suite/sharedN8n';

const REPORT = '/rest/breaking-changes/report';

interface Report {
	report: { workflowResults: Array<{ ruleId: string }> };
}

/** Those of the workflows that the report names. */
async function concerns(ids: string[]): Promise<string[]> {
	const api = sharedApi();
	const { report } = await api.rest<Report>('POST', `${REPORT}/refresh?version=v3`);
	const found: string[] = [];
	for (const { ruleId } of report.workflowResults) {
		const { affectedWorkflows } = await api.rest<{ affectedWorkflows: Array<{ id: string }> }>(
			'GET',
			`${REPORT}/${ruleId}`,
		);
		found.push(...affectedWorkflows.filter(({ id }) => ids.includes(id)).map(({ id }) => id));
	}
	return found;
}

test("n8n's migration report for n8n 3 has nothing to say about any recipe", async () => {
	const api = sharedApi();
	const removed = await api.createWorkflow(
		await readWorkflow('test/e2e/workflows/removed-node.json'),
	);
	const files = await readdir(path.join(REPOSITORY, 'examples'));
	const recipes: string[] = [];
	for (const file of files.filter((each) => each.endsWith('.json'))) {
		recipes.push(await api.createWorkflow(await readWorkflow(`examples/${file}`)));
	}
	expect(recipes.length).toBeGreaterThan(30);
	expect(await concerns([removed, ...recipes])).toEqual([removed]);
});
