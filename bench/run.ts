/** `npm run bench`: see README.md beside this file. */
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
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
import { describeEnvironment } from './report/environment';
import { RESULTS, writeReadme } from './report/readme';
import { chaptersOf, readResults, type Results, withParts, writeResults } from './report/results';

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

  --only <parts>   some of the parts, in place of their last results; those of the others stay:
                   ${Object.keys(PARTS).join(', ')}, separated by commas
  --quick          small sizes: to see that it works, not to measure; results go to a new folder
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
			out: { type: 'string' },
			readme: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return void process.stdout.write(HELP);
	if (values.readme) return await writeReadme();
	const chosen = values.only?.split(',') ?? Object.keys(PARTS);
	const unknown = chosen.filter((name) => !(name in PARTS));
	if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}\n\n${HELP}`);

	const out = values.out ?? (values.quick ? await mkdtemp(path.join(tmpdir(), 'bench-')) : RESULTS);
	const before = await readResults(out);
	const bench = await startBench(scaleFor(values));
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void bench.stop().finally(() => process.exit(1)));
	}
	try {
		const facts = await describeEnvironment(bench.install);
		const measured: Results = {};
		for (const name of chosen) {
			const part = await step(`Measuring: ${name}`, async () => await PARTS[name](bench));
			measured[name] = { facts, chapters: [part].flat() };
			// After each part: what is measured stays when the next one fails.
			await writeResults(out, withParts(before, measured, Object.keys(PARTS)));
		}
		if (out === RESULTS) await writeReadme();
		await report(out, measured);
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

async function report(folder: string, measured: Results): Promise<void> {
	const text = await readFile(path.join(folder, 'results.md'), 'utf8');
	const missed = chaptersOf(measured)
		.flatMap(({ checks }) => checks)
		.filter(({ met }) => !met);
	process.stdout.write(`${text}\nWritten to ${folder}; ${missed.length} missed\n`);
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
	process.exitCode = 1;
});
