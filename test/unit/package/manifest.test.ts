import { readFileSync } from 'node:fs';
import path from 'node:path';

import { listFiles } from '../../../scripts/lib/listFiles';
import { REPOSITORY } from '../../../scripts/lib/paths';

const read = (file: string) => readFileSync(path.join(REPOSITORY, file), 'utf8');
const manifest = JSON.parse(read('package.json')) as Record<string, unknown>;

describe('package.json', () => {
	it('is a verifiable community package', () => {
		expect(manifest).toMatchObject({
			name: 'n8n-nodes-wherobots',
			license: 'MIT',
			files: ['dist'],
			keywords: expect.arrayContaining(['n8n-community-node-package']),
			peerDependencies: { 'n8n-workflow': '*' },
			n8n: { n8nNodesApiVersion: 1, strict: true },
		});
	});

	it.each(['dependencies', 'optionalDependencies', 'bundledDependencies', 'overrides'])(
		'has no %s',
		(field) => {
			expect(manifest).not.toHaveProperty(field);
		},
	);

	it('asks n8n for nothing but n8n-workflow', () => {
		expect(Object.keys(manifest.peerDependencies as object)).toEqual(['n8n-workflow']);
	});
});

describe('strict mode', () => {
	it("keeps n8n's own ESLint configuration, word for word", () => {
		const ours = read('eslint.config.mjs').replace(/\s+/g, ' ').trim();
		expect(ours).toBe("import { config } from '@n8n/node-cli/eslint'; export default config;");
	});

	it.each(['nodes', 'credentials'])('is not softened below %s', async (folder) => {
		const files = await listFiles(path.join(REPOSITORY, folder));
		expect(files.filter((file) => /(^|\/)eslint\.config\./.test(file))).toEqual([]);
		const disabled = files.filter((file) =>
			/eslint-disable|@ts-(ignore|nocheck|expect-error)/.test(read(path.join(folder, file))),
		);
		expect(disabled).toEqual([]);
	});
});

describe('lock files', () => {
	it.each(['package-lock.json', 'test/scan/package-lock.json', 'test/e2e/n8n-2/package-lock.json'])(
		'%s carries no download addresses',
		(file) => {
			expect(read(file)).not.toContain('"resolved": "http');
		},
	);
});
