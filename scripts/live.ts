/**
 * Executes every operation and event of this package with an account, for whoever has one:
 * `npm run live`, which only reads, or `npm run live -- --spend=5`.
 */
import './live/userFolder';

import { readFile, rename, writeFile } from 'node:fs/promises';
import Module from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';

import type { INodeType } from 'n8n-workflow';
import { WebSocket } from 'undici';

import { DEFAULT_BASE_URL, parseBaseUrl } from '../nodes/Wherobots/service/deployment';
import { packedPackage } from './lib/packedPackage';
import { REPOSITORY } from './lib/paths';
import { writeMarkedPart } from './lib/markedPart';
import type { BuiltNodes } from './live/account';
import { liveCheck, UsageError } from './live/check';
import { startReplay } from './live/replay';
import { renderGuesses } from './live/guesses';
import { countsOf, type Report } from './live/report';

const HELP = `Usage: WHEROBOTS_API_KEY=… npm run live [-- options]

Executes each operation and event of this package with your account, and writes a report without names,
IDs and addresses that you can attach to an issue. It only reads.

  --spend=5            also makes things, uses and removes them, for at most so many dollars
  --rate=1             dollars for a Spatial Unit in your contract
  --task=NAME          with --spend: a task to run and to cancel, with
  --task-inputs=JSON   these inputs
  --catalog=NAME       with --spend: creates a catalog, which no operation can remove again
  --bearer             the key is a bearer token
  --yes                does not ask
  --report=FILE        where the report goes (default: live-check.json)
  --continue           goes on with the report of a check that was stopped
  --replay=FILE        executes everything with the responses of a report, without an account
  --write-docs         only writes the list of assumptions into docs/live-checks.md
  --help               this text

WHEROBOTS_API_KEY is the key; it is not printed or stored. WHEROBOTS_BASE_URL is another address than
${DEFAULT_BASE_URL}.
`;

// Node.js has it since version 22, and SQL sessions need it.
globalThis.WebSocket ??= WebSocket as unknown as typeof globalThis.WebSocket;

const say = (text: string) => void process.stdout.write(text);

async function agreed(isAsked: boolean): Promise<boolean> {
	if (!isAsked) return true;
	if (!process.stdin.isTTY) throw new UsageError('Nobody can be asked here: add --yes.');
	const terminal = createInterface({ input: process.stdin, output: process.stdout });
	const answer = await terminal.question('Go on? (y/N) ');
	terminal.close();
	return /^y(es)?$/i.test(answer.trim());
}

function optionsFromEnvironment(): { key: string; baseUrl: string } {
	const key = (process.env.WHEROBOTS_API_KEY ?? '').trim();
	if (key === '') throw new UsageError('Set WHEROBOTS_API_KEY to an API key of Wherobots Cloud.');
	const base = parseBaseUrl(process.env.WHEROBOTS_BASE_URL || DEFAULT_BASE_URL);
	if (!base.ok) throw new UsageError(`WHEROBOTS_BASE_URL ${base.problem}.`);
	return { key, baseUrl: base.url };
}

/** The nodes as they are published. */
async function loadBuilt(): Promise<BuiltNodes> {
	const { dir } = await packedPackage();
	// Outside the checkout, where no module of n8n is found.
	process.env.NODE_PATH = path.join(REPOSITORY, 'node_modules');
	(Module as unknown as { _initPaths(): void })._initPaths();
	const load = async (name: string) => {
		const file = path.join(dir, `dist/nodes/Wherobots/${name}.node.js`);
		const loaded = (await import(file)) as Record<string, new () => INodeType>;
		return new loaded[name]();
	};
	return { action: await load('Wherobots'), trigger: await load('WherobotsTrigger') };
}

function dollars(text: string | undefined, option: string): number | undefined {
	if (text === undefined) return undefined;
	const value = Number(text);
	if (!(value > 0))
		throw new UsageError(`${option} must be a number of dollars, such as ${option}=5.`);
	return value;
}

/** What was written before is complete, whatever happens now. */
async function save(file: string, report: Report): Promise<void> {
	await writeFile(`${file}.part`, `${JSON.stringify(report, null, '\t')}\n`);
	await rename(`${file}.part`, file);
}

const readReport = async (file: string) => JSON.parse(await readFile(file, 'utf8')) as Report;

const TEXT = { type: 'string' } as const;
const SWITCH = { type: 'boolean' } as const;
const OPTIONS = {
	...{ spend: TEXT, rate: TEXT, task: TEXT, 'task-inputs': TEXT, catalog: TEXT, replay: TEXT },
	...{ report: { ...TEXT, default: 'live-check.json' }, bearer: SWITCH, yes: SWITCH },
	...{ continue: SWITCH, 'write-docs': SWITCH, help: SWITCH },
};

async function main(): Promise<void> {
	const { values } = parseArgs({ options: OPTIONS });
	if (values.help) return say(HELP);
	if (values['write-docs']) {
		const file = path.join(REPOSITORY, 'docs/live-checks.md');
		return await writeMarkedPart(file, 'assumptions', renderGuesses());
	}
	const replay = values.replay ? await startReplay(await readReport(values.replay)) : undefined;
	const account = replay ? { key: 'replay', baseUrl: replay.baseUrl } : optionsFromEnvironment();
	const stop = new AbortController();
	let stopped = Infinity;
	for (const signal of ['SIGINT', 'SIGTERM']) {
		process.on(signal, () => {
			// npm and the terminal both send what was pressed once.
			if (Date.now() - stopped > 1_000) process.exit(130);
			if (stop.signal.aborted) return;
			say('\nStopping, and removing what was made … Ctrl-C again ends at once.\n');
			stopped = Date.now();
			stop.abort();
		});
	}
	const spend = dollars(values.spend, '--spend');
	const file = path.resolve(values.replay ? `${values.replay}.replayed.json` : values.report);
	const report = await liveCheck({
		...account,
		...{ spend, rate: dollars(values.rate, '--rate') ?? 1, signal: stop.signal, say },
		...(values.bearer ? { authentication: 'bearerToken' as const } : {}),
		given: {
			...{ 'task to run (--task)': values.task, 'name for a catalog (--catalog)': values.catalog },
			'inputs of a task (--task-inputs)': values['task-inputs'],
		},
		loadNodes: loadBuilt,
		before: values.continue ? await readReport(values.report) : undefined,
		confirm: async () => await agreed(!values.yes && !replay),
		save: async (now) => await save(file, now),
	});
	await replay?.stop();
	if (!report) return;
	for (const each of report.left) process.stderr.write(`Could not be removed: ${each}\n`);
	if (report.left.length > 0) process.exitCode = 1;
	for (const { name, assumed, code } of report.otherwise) {
		say(`OTHERWISE    ${name.padEnd(24)} ${assumed} Look at ${code}.\n`);
	}
	say(`\n${countsOf(report.results)}; assumptions contradicted: ${report.otherwise.length}.\n`);
	say(`The report is ${file}. Read it before you pass it on.\n`);
	if (stop.signal.aborted) process.exitCode = 130;
}

main().then(
	() => process.exit(),
	(error: unknown) => {
		process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
		process.exit(error instanceof UsageError ? 2 : 1);
	},
);
