/**
 * Compares what this package takes for granted with the live service, for whoever has an account:
 * `npm run live`, which only reads, or `npm run live -- --spend`.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { DEFAULT_BASE_URL, parseBaseUrl } from '../nodes/Wherobots/service/deployment';
import { writeMarkedPart } from './lib/markedPart';
import { REPOSITORY } from './lib/paths';
import { liveCheck, UsageError } from './live/check';
import { renderGuesses } from './live/report';

const HELP = `Usage: WHEROBOTS_API_KEY=… npm run live [-- options]

Compares what this package assumes of Wherobots Cloud with what your account shows, and writes a
report without names, IDs and addresses that you can attach to an issue. It only reads.

  --spend          also makes a small job run and a SQL session, and removes what it made
  --yes            does not ask
  --report FILE    where the report goes (default: live-check.md)
  --write-docs     only writes the list of assumptions into docs/live-checks.md
  --help           this text

WHEROBOTS_API_KEY is the key; it is not printed or stored. WHEROBOTS_BASE_URL is another address than
${DEFAULT_BASE_URL}.
`;

const say = (text: string) => void process.stdout.write(text);

async function agreed(isAsked: boolean): Promise<boolean> {
	if (!isAsked) return true;
	if (!process.stdin.isTTY) throw new UsageError('Nobody can be asked here: add --yes.');
	const terminal = createInterface({ input: process.stdin, output: process.stdout });
	try {
		return /^y(es)?$/i.test((await terminal.question('Go on? (y/N) ')).trim());
	} finally {
		terminal.close();
	}
}

function optionsFromEnvironment(): { key: string; baseUrl: string } {
	const key = (process.env.WHEROBOTS_API_KEY ?? '').trim();
	if (key === '') throw new UsageError('Set WHEROBOTS_API_KEY to an API key of Wherobots Cloud.');
	const base = parseBaseUrl(process.env.WHEROBOTS_BASE_URL || DEFAULT_BASE_URL);
	if (!base.ok) throw new UsageError(`WHEROBOTS_BASE_URL ${base.problem}.`);
	return { key, baseUrl: base.url };
}

interface Choices {
	spend: boolean;
	yes: boolean;
	report: string;
}

async function check({ spend, yes, report }: Choices, signal: AbortSignal): Promise<void> {
	const { left, text, counts } = await liveCheck({
		...optionsFromEnvironment(),
		...{ spend, signal, say },
		pause: async (ms) => await sleep(ms, undefined, { signal }),
		confirm: async () => await agreed(!yes),
	});
	for (const each of left) process.stderr.write(`Could not be removed: ${each}\n`);
	if (left.length > 0) process.exitCode = 1;
	if (text === undefined) return;
	await writeFile(report, text);
	say(`\n${counts}.\nThe report is ${path.resolve(report)}. Read it before you pass it on.\n`);
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			spend: { type: 'boolean', default: false },
			yes: { type: 'boolean', default: false },
			report: { type: 'string', default: 'live-check.md' },
			'write-docs': { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return say(HELP);
	if (values['write-docs']) {
		const file = path.join(REPOSITORY, 'docs/live-checks.md');
		return await writeMarkedPart(file, 'assumptions', renderGuesses());
	}
	const stop = new AbortController();
	for (const signal of ['SIGINT', 'SIGTERM']) {
		process.on(signal, () => {
			if (!stop.signal.aborted) say('\nStopping, and removing what was made …\n');
			stop.abort();
		});
	}
	await check(values, stop.signal);
	if (stop.signal.aborted) process.exitCode = 130;
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = error instanceof UsageError ? 2 : 1;
});
