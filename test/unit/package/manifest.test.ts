import path from 'node:path';

import { listFiles } from '../../../scripts/lib/listFiles';
import { REPOSITORY } from '../../../scripts/lib/paths';
import { read } from '../../support/repository';
import { PACKAGE_NAME, PACKAGE_VERSION } from '../../../nodes/Wherobots/service/deployment';
import packageJson from '../../../package.json';

const manifest: Record<string, unknown> = packageJson;

describe('package.json', () => {
	it('is a verifiable community package', () => {
		expect(manifest).toMatchObject({
			name: 'n8n-nodes-wherobots',
			license: 'MIT',
			files: ['dist'],
			keywords: expect.arrayContaining(['n8n-community-node-package']),
			n8n: { n8nNodesApiVersion: 1, strict: true },
		});
	});

	it('is the one place for the address of the repository: everything else agrees with it', async () => {
		const { repository, bugs, homepage } = manifest as Record<string, { url: string } & string>;
		const address = repository.url.replace(/^git\+|\.git$/g, '');
		expect([bugs.url, homepage]).toEqual([`${address}/issues`, `${address}#readme`]);
		const name = new URL(address).pathname;
		const inFolders = await Promise.all(
			['docs', 'nodes', 'credentials', '.github'].map(async (folder) =>
				(await listFiles(path.join(REPOSITORY, folder))).map((file) => `${folder}/${file}`),
			),
		);
		const files = ['README.md', 'SECURITY.md', 'CODE_OF_CONDUCT.md', ...inFolders.flat()];
		const others = files
			.filter((file) => /\.(md|txt|json|yml|ts)$/.test(file))
			.filter((file) =>
				[...read(file).matchAll(/(?<=github\.com)\/[\w-]+\/n8n-nodes-wherobots(?![\w-])/g)].some(
					([found]) => found !== name,
				),
			);
		expect(others).toEqual([]);
	});
});

it.each(['nodes', 'credentials'])('strict mode is not softened below %s', async (folder) => {
	const files = await listFiles(path.join(REPOSITORY, folder));
	expect(files.filter((file) => /(^|\/)eslint\.config\./.test(file))).toEqual([]);
	const disabled = files.filter((file) =>
		/eslint-disable|@ts-(ignore|nocheck|expect-error)/.test(read(path.join(folder, file))),
	);
	expect(disabled).toEqual([]);
});

it.each(['package-lock.json', 'test/scan/package-lock.json', 'test/e2e/n8n-2/package-lock.json'])(
	'%s carries no download addresses',
	(file) => {
		expect(read(file)).not.toContain('"resolved": "http');
	},
);

it('names the package and its version as package.json does', () => {
	expect([PACKAGE_NAME, PACKAGE_VERSION]).toEqual([manifest.name, manifest.version]);
});
