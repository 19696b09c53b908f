/** Starts the sandbox from the command line: `npx tsx test/sandbox/cli.ts --port 8787 --seed demo`. */
import { parseArgs } from 'node:util';

import { RealClock, startSandbox } from './index';

const HELP = `Usage: npx tsx test/sandbox/cli.ts [options]

  --port <number>       loopback port (default: a free one)
  --seed empty|demo     data to begin with (default: demo)
  --speed <number>      how many times faster than real time runs go (default: 1)
  --no-rate-limit       leave out the limit of 100 requests in 5 seconds
  --help                this text

Prints one line of JSON with baseUrl and credentials when it is ready; ends on SIGINT or SIGTERM.
`;

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			port: { type: 'string' },
			seed: { type: 'string', default: 'demo' },
			speed: { type: 'string', default: '1' },
			'no-rate-limit': { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) {
		process.stdout.write(HELP);
		return;
	}
	if (values.seed !== 'demo' && values.seed !== 'empty') throw new Error('--seed: empty or demo');
	const sandbox = await startSandbox({
		port: values.port === undefined ? 0 : Number(values.port),
		clock: new RealClock({ speed: Number(values.speed) }),
		seed: values.seed,
		rateLimit: values['no-rate-limit'] ? false : { requests: 100, windowMs: 5000 },
	});
	const { baseUrl, credentials } = sandbox;
	process.stdout.write(`${JSON.stringify({ ready: true, baseUrl, credentials })}\n`);
	const stop = () => {
		void sandbox.stop().then(() => process.exit(0));
	};
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
