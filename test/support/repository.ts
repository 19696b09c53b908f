/** What is in this repository. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { IWorkflowBase } from 'n8n-workflow';

import { REPOSITORY } from '../../scripts/lib/paths';

/** The text of a file, from the root of the repository. */
export const read = (file: string) => readFileSync(path.join(REPOSITORY, file), 'utf8');

/** The names of what is in a folder. */
export const list = (folder: string) => readdirSync(path.join(REPOSITORY, folder));

/** The recipes of `examples/`, with their files and texts. */
export const recipes = list('examples')
	.filter((file) => file.endsWith('.json'))
	.map((file) => {
		const text = read(`examples/${file}`);
		return { ...(JSON.parse(text) as IWorkflowBase), file, text };
	});
