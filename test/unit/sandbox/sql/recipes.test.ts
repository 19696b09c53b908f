import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { IWorkflowBase } from 'n8n-workflow';

import { seedSql } from '../../../sandbox/seed/sql';
import type { SqlBox } from '../../../sandbox';
import type { CatalogStore } from '../../../sandbox/model/catalogs';
import { SqlAnswers } from '../../../sandbox/sql/answers';

const EXAMPLES = path.join(__dirname, '../../../../examples');

/** The queries that recipes send unchanged: agents write their own. */
const queries = readdirSync(EXAMPLES)
	.filter((file) => file.endsWith('.json'))
	.flatMap((file) => {
		const workflow = JSON.parse(readFileSync(path.join(EXAMPLES, file), 'utf8')) as IWorkflowBase;
		return workflow.nodes
			.filter(({ parameters }) => parameters.resource === 'sql')
			.map(({ parameters }) => [file, String(parameters.query)] as const)
			.filter(([, query]) => !query.startsWith('='));
	});

test.each(queries)('the demo has rows for the query of %s', (_, query) => {
	const answers = new SqlAnswers();
	const box = { answer: (match, answer) => answers.add(match, answer) } as SqlBox;
	seedSql(box, {} as CatalogStore);
	expect(answers.for(query).rows?.length).toBeGreaterThan(0);
});
