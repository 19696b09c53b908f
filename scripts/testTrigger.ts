/**
 * Lives through as many random histories with the trigger as wanted:
 * `npm run test:trigger -- --histories 100000`. The ordinary tests do so a thousand times.
 */
import { parseArgs } from 'node:util';

import { execa } from 'execa';

import { REPOSITORY } from './lib/paths';

const { values } = parseArgs({ options: { histories: { type: 'string', default: '10000' } } });
const histories = Number(values.histories);
if (!Number.isInteger(histories) || histories < 1) {
	throw new Error(`--histories must be a whole number from 1 on, not ${values.histories}`);
}

async function main(): Promise<void> {
	const tests = ['test/property/trigger/runs.test.ts', 'test/property/trigger/audit.test.ts'];
	const { exitCode } = await execa('npx', ['jest', ...tests], {
		cwd: REPOSITORY,
		env: { TRIGGER_HISTORIES: String(histories) },
		stdio: 'inherit',
		reject: false,
	});
	process.exitCode = exitCode;
}

void main();
