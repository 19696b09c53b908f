/** `npm run bench`: see README.md beside this file. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { step } from '../test/e2e/n8n/progress';
import { exportFile } from './chapters/exportFile';
import { exportLimit } from './chapters/exportLimit';
import { fileTransfers } from './chapters/fileTransfers';
import { listRuns } from './chapters/listRuns';
import { loading } from './chapters/loading';
import { parseExport } from './chapters/parseExport';
import { readAtRate, readById } from './chapters/readById';
import { trigger } from './chapters/trigger';
import { waiting } from './chapters/waiting';
import { type Bench, FULL, QUICK, type Scale, startBench } from './lib/bench';
import type { Chapter } from './lib/chapter';
import { drawComparison, drawGrowth } from './report/charts';
import { describeEnvironment, type Facts } from './report/environment';
import { RESULTS, writeReadme } from './report/readme';
import { renderMarkdown } from './report/table';

type Part = (bench: Bench) => Promise<Chapter | Chapter[]>;

/** In an order that keeps what needs much memory away from what measures it. */
const PARTS: Record<string, Part> = {
	loading,
	list: listRuns,
	byId: readById,
	atRate: readAtRate,
	wait: waiting,
	trigger,
	export: exportFile,
	limit: exportLimit,
	files: fileTransfers,
	parse: parseExport,
};

const HELP = `Usage: npm run bench -- [options]

  --only <parts>   some of ${Object.keys(PARTS).join(', ')}, separated by commas
  --quick          small sizes: to see that it works, not to measure
  --rounds <n>     how often each side runs (default: ${FULL.rounds}, or ${FULL.longRounds} of what takes long)
  --out <folder>   where the results go (default: bench/results)
  --readme         only write the README's table anew, from the results that are there
  --help           this text

BENCH_PROFILES=<folder> has n8n write a CPU profile of each execution there.
`;

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			only: { type: 'string' },
			quick: { type: 'boolean', default: false },
			rounds: { type: 'string' },
			out: { type: 'string', default: RESULTS },
			readme: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return void process.stdout.write(HELP);
	if (values.readme) return await writeReadme();
	const chosen = values.only?.split(',') ?? Object.keys(PARTS);
	const unknown = chosen.filter((name) => !(name in PARTS));
	if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}\n\n${HELP}`);

	const bench = await startBench(scaleFor(values));
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void bench.stop().finally(() => process.exit(1)));
	}
	try {
		const facts = await describeEnvironment(bench.install);
		const chapters: Chapter[] = [];
		for (const name of chosen) {
			const part = await step(`Measuring: ${name}`, async () => await PARTS[name](bench));
			chapters.push(...[part].flat());
			// After each part: what is measured stays when the next one fails.
			await writeResults(values.out, facts, chapters);
		}
		// A part of the results, or results elsewhere, are not what the README shows.
		if (values.out === RESULTS && !values.only && !values.quick) await writeReadme();
		await report(values.out, chapters);
	} finally {
		await bench.stop();
	}
}

function scaleFor({ quick, rounds }: { quick?: boolean; rounds?: string }): Scale {
	const scale = quick ? QUICK : FULL;
	if (rounds === undefined) return scale;
	const wanted = Number(rounds);
	if (!Number.isInteger(wanted) || wanted < 1) throw new Error('--rounds: a number from 1');
	return { ...scale, rounds: wanted, longRounds: Math.min(scale.longRounds, wanted) };
}

async function writeResults(folder: string, facts: Facts, chapters: Chapter[]): Promise<void> {
	await mkdir(folder, { recursive: true });
	const growth = chapters.flatMap((chapter) => chapter.growth ?? []);
	const charts: Record<string, string> = { 'comparison.svg': await drawComparison(chapters) };
	if (growth.length > 0) charts['growth.svg'] = await drawGrowth(growth);
	const files = {
		...charts,
		'results.md': renderMarkdown(facts, chapters, Object.keys(charts)),
		'results.json': `${JSON.stringify({ facts, chapters }, null, '\t')}\n`,
	};
	for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
}

async function report(folder: string, chapters: Chapter[]): Promise<void> {
	const text = await readFile(path.join(folder, 'results.md'), 'utf8');
	const missed = chapters.flatMap(({ checks }) => checks).filter(({ met }) => !met);
	process.stdout.write(`${text}\nWritten to ${folder}; ${missed.length} missed\n`);
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
	process.exitCode = 1;
});
