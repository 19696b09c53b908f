import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { renderForReadme } from '../../../bench/readme';
import { readResults, RESULTS } from '../../../bench/report';
import { markedPart } from '../../../scripts/lib/markedPart';
import { REPOSITORY } from '../../../scripts/lib/paths';
import { headingsOf } from '../../support/headings';
import { list, read, recipes } from '../../support/repository';
import manifest from '../../../package.json';

const readme = read('README.md');
const pages = list('docs').filter((name) => name.endsWith('.md'));

/** Everything that people read about the package. */
const DOCUMENTS = [
	...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
	...['bench/README.md', 'bench/queue-mode.md', 'bench/soak.md'],
	...['test/README.md', 'test/e2e/README.md', 'test/sandbox/README.md'],
	...pages.map((name) => `docs/${name}`),
];

/** A page has at most 600 words, but for those below, which may only become shorter. */
const WORDS: Record<string, number> = {
	'README.md': 1_500,
	'docs/architecture.md': 800,
	'docs/error-fields.md': 870,
	'docs/errors.md': 1_220,
	'docs/live-checks.md': 900,
	'docs/reliability-cases.md': Infinity,
	// The promises of the trigger, and whatever limits them.
	'docs/trigger.md': 700,
};

/** Where each command of the README is carried out, by the text that does. */
const CARRIED_OUT: Record<string, [file: string, text: string]> = {
	'npm run demo': ['test/e2e/suite/demo.ts', "execa('npm', ['run', 'demo']"],
	[`git clone ${manifest.repository.url.replace(/^git\+/, '')}`]: ['package.json', '"repository"'],
	'cd n8n-nodes-wherobots': ['package.json', '"name": "n8n-nodes-wherobots"'],
};

describe('the README', () => {
	it.each(['npm run demo', 'npm test'])('names a command that sets itself up: %s', (command) => {
		expect(readme).toContain(command);
	});

	it('names no command that is not carried out by a test', () => {
		const blocks = [...readme.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block);
		const commands = blocks.flatMap((block) => block.trim().split('\n'));
		expect(commands.length).toBeGreaterThan(0);
		expect(commands.sort()).toEqual(Object.keys(CARRIED_OUT).sort());
		for (const [file, text] of Object.values(CARRIED_OUT)) expect(read(file)).toContain(text);
	});

	it('links to recipes without the credentials of whoever exported them', () => {
		for (const { text } of recipes) expect(text).not.toContain('"credentials":');
	});

	it('shows the figures that were measured', async () => {
		const { chapters } = await readResults(RESULTS);
		// Both are written by npm run bench.
		expect(markedPart(readme, 'speed')).toBe(renderForReadme(chapters));
	});
});

it('the page of recipes shows every one, and no other', () => {
	const linked = [...read('docs/recipes.md').matchAll(/\]\(\.\.\/examples\/(.+?)\)/g)];
	expect([...new Set(linked.map(([, file]) => file))].sort()).toEqual(list('examples').sort());
});

// They are the tags of the demo, and n8n allows no longer ones.
it('the sections of the page of recipes have at most 24 characters', () => {
	const sections = [...read('docs/recipes.md').matchAll(/^## (.+)$/gm)].map(([, name]) => name);
	expect(sections.length).toBeGreaterThan(5);
	expect(sections.filter((name) => name.length > 24)).toEqual([]);
});

it('the index of the documentation lists every page of docs once', () => {
	const rows = read('docs/README.md').matchAll(/^\| \[.+?\]\(([\w-]+\.md)\)/gm);
	const listed = [...rows].map(([, page]) => page);
	expect(listed.sort()).toEqual(pages.filter((name) => name !== 'README.md').sort());
});

it.each(['README.md', 'docs/recipes.md'])('%s calls a recipe by its title', (file) => {
	const listed = [...read(file).matchAll(/^\| \[(.+?)\]\((?:\.\.\/)?(examples\/.+?)\)/gm)];
	expect(listed.length).toBeGreaterThan(4);
	const titles = listed.map(
		([, , recipe]) => recipes.find(({ file }) => recipe === `examples/${file}`)?.name,
	);
	expect(listed.map(([, title]) => title)).toEqual(titles);
});

describe.each(DOCUMENTS)('%s', (file) => {
	const text = read(file).replace(/```.*?```/gs, '');

	it('links to what exists', () => {
		const targets = [...text.matchAll(/\]\((?!https?:)(.*?)\)/g)].map(([, target]) => target);
		const broken = targets.filter((target) => {
			const [to, anchor] = target.split('#');
			const linked = to === '' ? file : path.join(path.dirname(file), to);
			if (!existsSync(path.join(REPOSITORY, linked))) return true;
			return anchor !== undefined && !headingsOf(read(linked)).has(anchor);
		});
		expect(broken).toEqual([]);
	});

	const limit = WORDS[file] ?? (file.startsWith('docs/') ? 600 : Infinity);
	it(`has at most ${limit} words`, () => {
		// The rows that list operations and recipes may grow with them.
		const prose = text.replace(/^\| (\*\*|\[).*$/gm, '').trim();
		expect(prose.split(/\s+/).length).toBeLessThanOrEqual(limit);
	});

	// What n8n itself says of the recipes, the end-to-end tests ask.
	it('recommends nothing that n8n 3 has removed', () => {
		expect(text).not.toMatch(
			/\$getPairedItem|Import from URL|\b(Function Item|Item Lists|LangChain Code|AI Transform)\b/i,
		);
	});

	it('names only source files that exist', () => {
		expect(findGoneFiles(file)).toEqual([]);
	});

	it('names only commands that exist', () => {
		const named = [...text.matchAll(/`npm run ([\w:-]+)/g)].map(([, script]) => script);
		expect(named.filter((script) => !(script in manifest.scripts))).toEqual([]);
	});
});

it.each(['docs/adr', 'nodes/Wherobots'])('%s names only source files that exist', (folder) => {
	const files = readdirSync(path.join(REPOSITORY, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => /\.(md|ts)$/.test(file))
		.map((file) => path.join(folder, file));
	const gone = files.flatMap((file) => findGoneFiles(file).map((name) => `${file}: ${name}`));
	expect(gone).toEqual([]);
});

/** Files that a file names, in full or from its own folder or nodes/Wherobots, and that are not there. */
function findGoneFiles(file: string): string[] {
	const named = read(file).match(/(?<![\w./-])(?:[\w-]+\/)+[\w.-]+\.ts\b/g) ?? [];
	const folders = ['', 'nodes/Wherobots', path.dirname(file)];
	const isThere = (name: string) =>
		folders.some((folder) => existsSync(path.join(REPOSITORY, folder, name)));
	return named.filter((name) => !isThere(name));
}
