import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { REPOSITORY } from '../../../scripts/lib/paths';

interface Workflow {
	nodes: Array<{
		name: string;
		type: string;
		typeVersion: number;
		parameters: Record<string, unknown>;
		alwaysOutputData?: boolean;
	}>;
}

/** Nodes that n8n 3 no longer has. */
const REMOVED = [
	'n8n-nodes-base.function',
	'n8n-nodes-base.functionItem',
	'n8n-nodes-base.itemLists',
	'n8n-nodes-base.aiTransform',
	'@n8n/n8n-nodes-langchain.code',
];
const AGENT = '@n8n/n8n-nodes-langchain.agent';
/** Their empty outputs no longer get an item when another output has one. */
const BRANCHING = ['n8n-nodes-base.if', 'n8n-nodes-base.switch'];

const filesIn = (folder: string, ending: string) =>
	readdirSync(path.join(REPOSITORY, folder))
		.filter((name) => name.endsWith(ending))
		.map((name) => path.join(folder, name));
const read = (file: string) => readFileSync(path.join(REPOSITORY, file), 'utf8');

describe('what n8n 3 has removed', () => {
	it.each(filesIn('examples', '.json'))('is not used by %s', (file) => {
		const text = read(file);
		const { nodes } = JSON.parse(text) as Workflow;
		const gone = nodes.filter(
			({ type, typeVersion, parameters, alwaysOutputData }) =>
				REMOVED.includes(type) ||
				(type === AGENT && typeVersion < 2) ||
				(type === 'n8n-nodes-base.executeWorkflow' && parameters.mode === 'each') ||
				(BRANCHING.includes(type) && alwaysOutputData),
		);
		expect(gone.map(({ name }) => name)).toEqual([]);
		expect(text).not.toContain('$getPairedItem');
	});

	it.each(['README.md', ...filesIn('docs', '.md')])('is not recommended by %s', (file) => {
		expect(read(file)).not.toMatch(
			/\$getPairedItem|Import from URL|\b(Function Item|Item Lists|LangChain Code|AI Transform)\b/i,
		);
	});
});
