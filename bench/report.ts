/** The results as JSON and as Markdown. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg, release, totalmem, type as osType } from 'node:os';
import path from 'node:path';

import manifest from '../package.json';
import { REPOSITORY } from '../scripts/lib/paths';
import { run } from '../scripts/lib/run';
import type { N8nInstall } from '../test/e2e/n8n/install';
import type { Chapter, Row, Spread } from './measure';

/** Where the results are stored. */
export const RESULTS = path.join(REPOSITORY, 'bench', 'results');

/** What was measured, where and when. */
export interface Results {
	/** The machine and the versions that the figures belong to. */
	facts: Record<string, string>;
	chapters: Chapter[];
}

export async function describeEnvironment(install: N8nInstall): Promise<Results['facts']> {
	const git = async (...parameters: string[]) => await run('git', parameters, { cwd: REPOSITORY });
	const commit = await git('rev-parse', '--short', 'HEAD');
	const changed = await git('status', '--porcelain', '--', 'nodes', 'credentials');
	const { devDependencies, name, version } = manifest;
	return {
		Date: `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
		Machine: `${cpus().length} × ${cpus()[0].model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${osType()} ${release()}`,
		Package: `${name} ${version} at ${commit}${changed ? ', with changes' : ''}`,
		n8n: `${install.version} on Node.js ${install.node.version}, SQLite, files in the file system`,
		papaparse: `${devDependencies.papaparse}, on the same Node.js`,
		'Load at the start': loadavg()
			.map((load) => load.toFixed(1))
			.join(', '),
	};
}

export async function writeResults(folder: string, results: Results): Promise<void> {
	await mkdir(folder, { recursive: true });
	await writeFile(path.join(folder, 'results.md'), renderMarkdown(results));
	const json = `${JSON.stringify(results, null, '\t')}\n`;
	await writeFile(path.join(folder, 'results.json'), json);
}

export async function readResults(folder: string): Promise<Results> {
	return JSON.parse(await readFile(path.join(folder, 'results.json'), 'utf8')) as Results;
}

const HEAD = `# Measured speed

Written by \`npm run bench\`; how to repeat it is in [bench/README.md](../README.md). Times are medians, with the lowest and the highest value; ratios are taken round by round. Memory is the peak of what was resident in the process that did the work, processor time that of all its threads.`;

export function renderMarkdown({ facts, chapters }: Results): string {
	const checks = chapters.flatMap((chapter) =>
		chapter.checks.map(({ target, reached, met }) => {
			return [chapter.title, target, reached, met ? 'met' : '**missed**'];
		}),
	);
	return [
		HEAD,
		table(['', ''], Object.entries(facts)),
		'## What has to be reached',
		table(['what', 'target', 'reached', ''], checks),
		...chapters.map(renderChapter),
	]
		.join('\n\n')
		.concat('\n');
}

function renderChapter({ title, how, rows }: Chapter): string {
	const columns: Array<[head: string, cell: (row: Row) => string | undefined]> = [
		['side', ({ side }) => side],
		['time', ({ time }) => time && duration(time)],
		['processor time', ({ cpu }) => cpu && duration(cpu)],
		['peak memory', ({ peak }) => peak && mebibytes(peak)],
		['', ({ note }) => note],
	];
	const used = columns.filter(([, cell]) => rows.some(cell));
	const cells = rows.map((row) => used.map(([, cell]) => cell(row) ?? ''));
	return [
		`## ${title}`,
		how,
		table(
			used.map(([head]) => head),
			cells,
		),
	].join('\n\n');
}

/** A Markdown table. */
export function table(heads: string[], rows: string[][]): string {
	const line = (cells: string[]) => `| ${cells.map(escaped).join(' | ')} |`;
	return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

function escaped(cell: string): string {
	return cell.replaceAll('|', '\\|').replace(/\s+/g, ' ');
}

function ranged({ median, low, high }: Spread, show: (value: number) => string, unit: string) {
	const range = show(low) === show(high) ? '' : ` (${show(low)}–${show(high)})`;
	return `${show(median)} ${unit}${range}`;
}

function duration(spread: Spread): string {
	if (spread.median >= 1_000) return ranged(spread, (ms) => (ms / 1_000).toFixed(2), 's');
	return ranged(spread, (ms) => ms.toFixed(spread.median >= 100 ? 0 : 1), 'ms');
}

function mebibytes(spread: Spread): string {
	const show = (bytes: number) => Math.round(bytes / 2 ** 20).toLocaleString('en');
	return ranged(spread, show, 'MiB');
}
