import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { REPOSITORY } from '../../scripts/lib/paths';
import { readWorkflow } from './n8n/workflows';

describe('The examples', () => {
	test('each one is executed by this suite', async () => {
		const suite = (await readdir(__dirname)).filter((file) => file.endsWith('.e2e.ts'));
		const texts = await Promise.all(
			suite.map(async (file) => await readFile(path.join(__dirname, file), 'utf8')),
		);
		const missing = (await examples()).filter(
			(example) => !texts.some((text) => text.includes(`'${example}'`)),
		);
		expect(missing).toEqual([]);
	});

	test('none carries the credential of whoever exported it', async () => {
		for (const example of await examples()) {
			const { nodes } = await readWorkflow(example);
			expect(nodes.filter(({ credentials }) => credentials !== undefined)).toEqual([]);
		}
	});
});

async function examples(): Promise<string[]> {
	const files = await readdir(path.join(REPOSITORY, 'examples'));
	return files.filter((file) => file.endsWith('.json')).map((file) => `examples/${file}`);
}
