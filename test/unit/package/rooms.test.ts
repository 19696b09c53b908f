import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { REPOSITORY } from '../../../scripts/lib/paths';

const SOURCES = path.join(REPOSITORY, 'nodes/Wherobots');

/** What each folder may import, besides itself; CONTRIBUTING.md says why. */
const ALLOWED: Record<string, string[]> = {
	'.': ['actions', 'methods', 'trigger'],
	actions: ['form', 'useCases', 'transport', 'service', 'map'],
	// Pure: bytes of a file in, pictures out.
	map: ['service/json'],
	methods: ['form', 'useCases', 'transport', 'service'],
	trigger: ['form', 'useCases', 'transport', 'service', 'trigger/core'],
	// The loop over pages, another one, settled results: nothing that makes a request or knows the time.
	'trigger/core': ['transport/records', 'transport/concurrency', 'transport/failure', 'service'],
	form: ['transport/failure', 'service'],
	useCases: ['transport', 'service'],
	transport: ['service'],
	service: [],
};

const roomOf = (file: string): string =>
	file.startsWith('trigger/core/') ? 'trigger/core' : file.includes('/') ? file.split('/')[0] : '.';

const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
	.map((file) => file.split(path.sep).join('/'))
	.filter((file) => file.endsWith('.ts'));

const textOf = new Map(files.map((file) => [file, readFileSync(path.join(SOURCES, file), 'utf8')]));

/** Modules of the package that a file imports, as paths below nodes/Wherobots. */
function importsOf(file: string): string[] {
	const imports = textOf.get(file)?.matchAll(/ from '(\.[^']*)'/g) ?? [];
	return [...imports].map(([, target]) => path.posix.join(path.posix.dirname(file), target));
}

/** All matches of a pattern's group in the trigger's core. */
const inCore = (pattern: RegExp) =>
	files
		.filter((file) => roomOf(file) === 'trigger/core')
		.flatMap((file) => [...(textOf.get(file)?.matchAll(pattern) ?? [])].map(([, found]) => found));

it.each(Object.keys(ALLOWED))('%s imports only what it may', (room) => {
	const own = files.filter((file) => roomOf(file) === room);
	expect(own.length).toBeGreaterThan(0);
	const broken = own.flatMap((file) =>
		importsOf(file)
			.filter((target) => !target.startsWith('..'))
			.filter((target) => ![room, '.'].includes(roomOf(`${target}.ts`)))
			.filter((target) => !ALLOWED[room].some((may) => `${target}/`.startsWith(`${may}/`)))
			.map((target) => `${file} imports ${target}`),
	);
	expect(broken).toEqual([]);
});

it('belongs to a known folder', () => {
	expect(files.filter((file) => !(roomOf(file) in ALLOWED))).toEqual([]);
});

it("keeps the trigger's core free of n8n, of requests and of time", () => {
	expect(inCore(/^import (?!type )([^;]*)from 'n8n-workflow'/gm)).toEqual([]);
	const names = inCore(/^import \{([^}]*)\} from '[./]*transport\/(?:records|concurrency)'/gm)
		.flatMap((imported) => imported.split(',').map((name) => name.trim()))
		.filter((name) => name !== '' && !name.startsWith('type '));
	expect([...new Set(names)].sort()).toEqual(['READS_AT_ONCE', 'fetchEachPage', 'runInParallel']);
});

it('has no imports in a circle', () => {
	const done = new Set<string>();
	const circleFrom = (file: string, before: string[]): string[] | undefined => {
		if (before.includes(file)) return [...before.slice(before.indexOf(file)), file];
		if (done.has(file)) return undefined;
		for (const target of importsOf(file).flatMap((to) => [`${to}.ts`, `${to}/index.ts`])) {
			const circle = textOf.has(target) && circleFrom(target, [...before, file]);
			if (circle) return circle;
		}
		done.add(file);
		return undefined;
	};
	for (const file of files) expect(circleFrom(file, [])).toBeUndefined();
});
