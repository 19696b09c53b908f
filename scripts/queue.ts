/**
 * The package in n8n's queue mode, with its own Redis, PostgreSQL and several workers:
 * `npm run e2e:queue`. It writes what it measures into docs/queue-mode-measurements.md.
 */
import { parseArgs } from 'node:util';

import { execa } from 'execa';

import { REPOSITORY } from './lib/paths';

const HELP = `Usage: npm run e2e:queue [-- options] [parts]

Parts: pace, killedWorker, sleep, binary, trigger, events, lost, stop, tasks (default: all; half an hour)

  --short   checks in a few minutes and writes nothing; without parts: all but trigger,
            lost and sleep, which wait for several polls
  --json, --outputFile FILE   report of the tests, as jest makes it
  --help    this text
`;

const SHORT_PARTS = ['pace', 'killedWorker', 'binary', 'stop', 'tasks', 'events'];

async function main(): Promise<void> {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			short: { type: 'boolean' },
			json: { type: 'boolean' },
			outputFile: { type: 'string' },
			help: { type: 'boolean' },
		},
	});
	if (values.help) {
		process.stdout.write(HELP);
		return;
	}
	const flags = [];
	if (values.json) flags.push('--json');
	if (values.outputFile) flags.push(`--outputFile=${values.outputFile}`);
	const wanted = positionals.length > 0 || !values.short ? positionals : SHORT_PARTS;
	const parts = wanted.map((part) => `queue/${part}\\.queue`);
	const { exitCode } = await execa('npx', ['jest', ...flags, ...parts], {
		cwd: REPOSITORY,
		env: {
			N8N_NODES_WHEROBOTS_SUITE: 'queue',
			...(values.short ? { N8N_NODES_WHEROBOTS_QUEUE_SHORT: 'true' } : {}),
		},
		stdio: 'inherit',
		reject: false,
	});
	process.exitCode = exitCode;
}

void main();
