/** `npm run bench`: see README.md beside this file. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { step } from '../scripts/lib/progress';
import { type Bench, FULL, QUICK, startBench } from './bench';
import { byId } from './chapters/byId';
import { exportFile, exportItems } from './chapters/exports';
import { insertRows } from './chapters/insertRows';
import { list } from './chapters/list';
import { loading } from './chapters/loading';
import { manyTriggers } from './chapters/manyTriggers';
import { maps } from './chapters/maps';
import { sql } from './chapters/sql';
import { transfers } from './chapters/transfers';
import { trigger } from './chapters/trigger';
import { waits } from './chapters/waits';
import { workers } from './chapters/workers';
import type { Chapter } from './measure';
import { writeReadme } from './readme';
import { describeEnvironment, renderMarkdown, RESULTS, writeResults } from './report';

/** In an order that keeps what needs a lot of memory away from what measures memory. */
const PARTS: Record<string, (bench: Bench) => Promise<Chapter[]>> = {
	loading,
	list,
	byId,
	waits,
	workers,
	maps,
	trigger,
	manyTriggers,
	exportFile,
	transfers,
	exportItems,
	sql,
	insertRows,
};

const HELP = `Usage: npm run bench -- [options]

  --only <parts>   some of ${Object.keys(PARTS).join(', ')}, separated by commas
  --quick          small sizes: to see that it works, not to measure
  --help           this text

Only a whole run writes bench/results and the table of the README; any other writes to a new folder.
`;

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			only: { type: 'string' },
			quick: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return void process.stdout.write(HELP);
	const chosen = values.only?.split(',') ?? Object.keys(PARTS);
	const unknown = chosen.filter((name) => !(name in PARTS));
	if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}\n\n${HELP}`);

	const whole = !values.only && !values.quick;
	const out = whole ? RESULTS : await mkdtemp(path.join(tmpdir(), 'bench-results-'));
	const bench = await startBench(values.quick ? QUICK : FULL);
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void bench.stop().finally(() => process.exit(1)));
	}
	try {
		const results = {
			facts: await describeEnvironment(bench.install),
			chapters: [] as Chapter[],
		};
		for (const name of chosen) {
			const part = async () => await PARTS[name](bench);
			results.chapters.push(...(await step(`Measuring: ${name}`, part)));
		}
		await writeResults(out, results);
		if (whole) await writeReadme(results.chapters);
		const missed = results.chapters.flatMap(({ checks }) => checks).filter(({ met }) => !met);
		process.stdout.write(
			`${renderMarkdown(results)}\nWritten to ${out}; ${missed.length} missed\n`,
		);
	} finally {
		await bench.stop();
	}
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
	process.exitCode = 1;
});
