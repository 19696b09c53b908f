/**
 * The package in a real n8n for as long as wanted, under random faults of the service: `npm run soak`.
 * It writes what it measures into docs/soak.md.
 */
import { parseArgs } from 'node:util';

import { execa } from 'execa';

import { REPOSITORY } from './lib/paths';

const HELP = `Usage: npm run soak [-- options]

  --minutes <n>   how long (default: 60); less than 15 check and write nothing
  --seed <n>      which random faults (default: different ones each time)
  --json, --outputFile FILE   report of the tests, as jest makes it
  --help          this text
`;

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			minutes: { type: 'string', default: '60' },
			seed: { type: 'string', default: String(Date.now() % 1_000_000) },
			json: { type: 'boolean' },
			outputFile: { type: 'string' },
			help: { type: 'boolean' },
		},
	});
	if (values.help) {
		process.stdout.write(HELP);
		return;
	}
	for (const name of ['minutes', 'seed'] as const) {
		if (!/^[1-9]\d*$/.test(values[name])) {
			throw new Error(`--${name} must be a whole number from 1 on, not ${values[name]}`);
		}
	}
	const flags = [];
	if (values.json) flags.push('--json');
	if (values.outputFile) flags.push(`--outputFile=${values.outputFile}`);
	const { exitCode } = await execa('npx', ['jest', ...flags], {
		cwd: REPOSITORY,
		env: {
			N8N_NODES_WHEROBOTS_SUITE: 'soak',
			N8N_NODES_WHEROBOTS_SOAK_MINUTES: values.minutes,
			N8N_NODES_WHEROBOTS_SOAK_SEED: values.seed,
		},
		stdio: 'inherit',
		reject: false,
	});
	process.exitCode = exitCode;
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
