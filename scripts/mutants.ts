/**
 * Plants mistakes in the package, one at a time, and checks whether the tests notice:
 * `npm run mutants`. Writes test/mutants/results.md.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { execa } from 'execa';

import { PARTS } from '../test/mutants/parts';
import {
	codeOf,
	idleReasons,
	idleTests,
	isBelow,
	LEAST_NOTICED,
	readReport,
	readResults,
	scoreOf,
	sharedScore,
	writeResults,
	type Report,
} from '../test/mutants/results';
import { filesOf, sampleOf } from '../test/mutants/sample';
import { REPOSITORY } from './lib/paths';

const HELP = `Usage: npm run mutants [-- options]

Fails when less than ${LEAST_NOTICED} % of the mistakes in a part are noticed.

  --part <name>         one part (may be given several times; default: all of them)
  --concurrency <n>     test runners at once (default: 2)
  --static              also mistakes in what is computed once, when a module is loaded: all tests of the
                        part have to run for each of them, which takes several times as long
  --fresh               also tries mistakes that were noticed before
  --sample              some lines of some parts, different ones each day; writes nothing
  --idle                lists the tests of these parts that no mistake fails, and nothing else: a test that
                        has failed once does not run again
  --page                writes the page again from the existing results, and names the reasons that fit
                        none of them
  --list                names the parts
  --help                this text

Parts: ${Object.keys(PARTS).join(', ')}
`;

/** Not under node_modules, because jest does not compile what is there. */
const SCRATCH = '.cache/mutants';

/** The tests that have failed because of a mistake, for `--idle`. */
const FAILED = path.join(REPOSITORY, SCRATCH, 'failed.jsonl');

/** What the tests of the parts do not need, and what is therefore not copied for every run. */
const LEFT_OUT = [
	'.cache',
	'bench',
	'docs',
	'examples',
	'icons',
	'.github',
	'test/e2e',
	'test/scan',
];

interface Flags {
	concurrency?: string;
	fresh?: boolean;
	idle?: boolean;
	static?: boolean;
	/** Where to plant mistakes, instead of in the whole part. */
	mutate?: string[];
}

const fromRoot = (source: string) => path.posix.join('nodes/Wherobots', source);

function wholePart(name: string): string[] {
	return PARTS[name].sources.map((source) =>
		source.startsWith('!') ? `!${fromRoot(source.slice(1))}` : fromRoot(source),
	);
}

async function runPart(
	name: string,
	{ concurrency = '2', fresh = false, idle = false, mutate, ...flags }: Flags,
): Promise<Report> {
	const { tests, without = [] } = PARTS[name];
	const code = codeOf(name);
	const folder = path.join(REPOSITORY, SCRATCH);
	await mkdir(folder, { recursive: true });
	const report = path.join(folder, `${name}.report.json`);
	const config = path.join(folder, `${name}.config.json`);
	const options = {
		testRunner: 'jest',
		plugins: ['@stryker-mutator/jest-runner'],
		// parts.ts says which tests belong to a part; finding out takes a second each time.
		jest: { configFile: 'jest.mutants.config.mjs', enableFindRelatedTests: false },
		coverageAnalysis: 'perTest',
		mutate: mutate ?? wholePart(name),
		mutator: { excludedMutations: without },
		concurrency: Number(concurrency),
		reporters: ['progress-append-only', 'json'],
		jsonReporter: { fileName: report },
		incremental: !idle && !mutate,
		incrementalFile: path.join(folder, `${name}.incremental.json`),
		force: fresh,
		disableBail: idle,
		ignoreStatic: flags.static !== true,
		tempDirName: path.join(SCRATCH, name),
		ignorePatterns: LEFT_OUT,
		timeoutMS: 5_000,
		dryRunTimeoutMinutes: 20,
		allowConsoleColors: false,
	};
	await writeFile(config, JSON.stringify(options));
	await execa('npx', ['stryker', 'run', config], {
		cwd: REPOSITORY,
		env: {
			N8N_NODES_WHEROBOTS_MUTANTS_TESTS: JSON.stringify(tests.map((test) => `test/${test}`)),
			// The suite runs more histories, which would take too long for each mistake.
			TRIGGER_HISTORIES: '15',
			N8N_NODES_WHEROBOTS_MUTANTS_FAILED: idle ? FAILED : '',
		},
		stdio: 'inherit',
	});
	const read = JSON.parse(await readFile(report, 'utf8')) as Report;
	if (idle || mutate) return read;
	// Stryker remembers sources that now belong to another part.
	const sources = filesOf(PARTS[name].sources).map(fromRoot);
	read.files = Object.fromEntries(
		Object.entries(read.files).filter(([file]) => sources.includes(file)),
	);
	const result = { ...readReport(read, new Date().toISOString().slice(0, 10)), code };
	await writeResults({ ...(await readResults()), [name]: result });
	process.stdout.write(`${name}: ${scoreOf(result)} % noticed\n`);
	return read;
}

/** Plants mistakes in today's sample, and fails when too few are noticed. */
async function runSample(flags: Flags): Promise<void> {
	const day = new Date().toISOString().slice(0, 10);
	const results = [];
	for (const [part, mutate] of Object.entries(sampleOf(day))) {
		results.push(readReport(await runPart(part, { ...flags, mutate }), day));
	}
	const { planted, noticed, unexplained } = sharedScore(results);
	for (const { file, line, change } of unexplained) {
		process.stdout.write(`Not noticed: ${file}:${line} ${change}\n`);
	}
	process.stdout.write(`The sample of ${day}: ${noticed} of ${planted} mistakes noticed\n`);
	if (planted === 0 || isBelow(...results)) process.exitCode = 1;
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			part: { type: 'string', multiple: true },
			concurrency: { type: 'string' },
			fresh: { type: 'boolean' },
			idle: { type: 'boolean' },
			sample: { type: 'boolean' },
			static: { type: 'boolean' },
			page: { type: 'boolean' },
			list: { type: 'boolean' },
			help: { type: 'boolean' },
		},
	});
	if (values.help) return void process.stdout.write(HELP);
	if (values.list) return void process.stdout.write(`${Object.keys(PARTS).join('\n')}\n`);
	if (values.page) {
		const results = await readResults();
		await writeResults(results);
		const idle = idleReasons(results);
		return void process.stdout.write(
			idle.map((reason) => `No longer a mistake: ${reason}\n`).join(''),
		);
	}
	if (values.sample) return await runSample(values);
	const parts = values.part ?? Object.keys(PARTS);
	const unknown = parts.filter((part) => !(part in PARTS));
	if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}\n\n${HELP}`);
	if (values.idle) await rm(FAILED, { force: true });
	const reports: Report[] = [];
	for (const part of parts) reports.push(await runPart(part, values));
	if (values.idle) {
		const idle = idleTests(reports, await readFile(FAILED, 'utf8').catch(() => ''));
		return void process.stdout.write(['No mistake fails:', ...idle, ''].join('\n'));
	}
	const results = await readResults();
	const below = parts.filter((part) => isBelow(results[part]));
	if (below.length > 0) {
		process.stdout.write(`Less than ${LEAST_NOTICED} % noticed: ${below.join(', ')}\n`);
		process.exitCode = 1;
	}
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
