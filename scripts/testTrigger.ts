/**
 * Runs the trigger through any number of random histories, different ones each time:
 * `npm run test:trigger -- --histories 100000`. The ordinary tests run at most a thousand, always the
 * same ones. Jest would take twice as long.
 */
import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { execa } from 'execa';
import * as fc from 'fast-check';

import { startStep } from './lib/progress';
import { PROPERTIES } from '../test/property/trigger/histories';
import { REPOSITORY } from './lib/paths';

const HELP = `Usage: npm run test:trigger [-- options]

  --histories <n>       how many of each kind (default: 10000)
  --kind <name>         only those of ${Object.keys(PROPERTIES).join(', ')}
  --seed <n>            those of a certain seed (default: a different one each time)
  --help                this text
`;

type Kind = keyof typeof PROPERTIES;

async function live(kind: Kind, numRuns: number, seed: number): Promise<void> {
	let lived = 0;
	const step = startStep(`${numRuns} histories of ${kind}, seed ${seed}`, () => `${lived} lived`);
	const property = PROPERTIES[kind].beforeEach(async () => {
		lived += 1;
		// Histories never wait, which would leave no time for the report.
		if (lived % 100 === 0) await setImmediate();
	});
	try {
		await fc.assert<unknown>(property, { numRuns, seed });
		step.done();
	} catch (error) {
		step.fail();
		throw error;
	}
}

/** Runs each kind in a process of its own, side by side if there are enough cores. */
async function liveAll(flags: string[]): Promise<void> {
	const run = async (kind: string) => {
		const options = { cwd: REPOSITORY, stdio: 'inherit', reject: false } as const;
		const { exitCode } = await execa('npx', ['tsx', __filename, '--kind', kind, ...flags], options);
		if (exitCode !== 0) process.exitCode = 1;
	};
	const kinds = Object.keys(PROPERTIES);
	if (availableParallelism() > 1) await Promise.all(kinds.map(run));
	else for (const kind of kinds) await run(kind);
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			histories: { type: 'string', default: '10000' },
			kind: { type: 'string' },
			seed: { type: 'string', default: String(Date.now() % 1_000_000) },
			help: { type: 'boolean' },
		},
	});
	if (values.help) return void process.stdout.write(HELP);
	const { histories, kind, seed } = values;
	for (const [name, value] of Object.entries({ histories, seed })) {
		if (!/^[1-9]\d*$/.test(value)) {
			throw new Error(`--${name} must be a whole number from 1 on, not ${value}`);
		}
	}
	if (kind === undefined) return await liveAll(['--histories', histories, '--seed', seed]);
	if (!(kind in PROPERTIES)) throw new Error(`There are no histories of ${kind}\n\n${HELP}`);
	await live(kind as Kind, Number(histories), Number(seed));
}

main().catch((error: unknown) => {
	const { message, cause } = error as Error;
	// What went wrong in the history is the cause of the property's failure.
	process.stderr.write(`${message}\n${cause instanceof Error ? `${cause.message}\n` : ''}`);
	process.exitCode = 1;
});
