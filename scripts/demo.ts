/**
 * A real n8n with this package, beside a stand-in for the service, ready to be tried by hand:
 * `npm run demo`, or `npm run demo -- --once` to end after the main workflow.
 */
import { parseArgs } from 'node:util';

import { type ExecutionResult } from '../test/e2e/n8n/execution';
import { ensureN8n } from '../test/e2e/n8n/install';
import { packedPackage } from './lib/packedPackage';
import { step } from './lib/progress';
import { invitation, openPlayground, runCommand } from './lib/playground';

const HELP = `Usage: npm run demo [-- options]

Starts a real n8n on a free port of this machine, with this package, the recipes
and stand-ins for Wherobots Cloud, S3, SFTP, PostgreSQL, mail and a chat model.
Runs the first recipe and publishes the others. The first start installs n8n (2 GB).

  --once    end after the workflow; exit code 0 only if it succeeded
  --help    this text
`;

/** For people who only watch. */
const BY_THEMSELVES = [
	'Most of them are published and also work by themselves: see Overview, Executions.',
	'',
];

/** The outcome of the main example, for people to read. */
function outcome(execution: ExecutionResult): string {
	if (execution.status !== 'success') return `The workflow did not succeed: ${execution}\n`;
	const [run] = execution.json('Submit and wait');
	const [log] = execution.json('Read log');
	const lines = String(log.text).split('\n');
	return [
		`Job run "${run.name}" is ${run.status} after ${run.durationSeconds} s, on ${run.runtime} in ${run.region}.`,
		`Its log has ${log.lineCount} lines, the last of them:`,
		...lines.slice(-3).map((line) => `  ${line}`),
		'',
	].join('\n');
}

runCommand(async () => {
	const options = { once: { type: 'boolean' }, help: { type: 'boolean' } } as const;
	const { values } = parseArgs({ options });
	if (values.help) {
		process.stdout.write(HELP);
		return 'done';
	}
	// Both take a while the first time, and spend most of it waiting for the network.
	const [{ tarball }] = await Promise.all([packedPackage(), ensureN8n()]);
	const playground = await openPlayground({ tarball });
	const execution = await step(
		'Running the example: submit a job run, wait for it and read its log',
		async () => await playground.n8n.api.run(playground.workflowId),
	);
	process.stdout.write(`\n${outcome(execution)}\n`);
	if (values.once) {
		process.exitCode = execution.status === 'success' ? 0 : 1;
		return 'done';
	}
	const publishing = step('Publishing the recipes', async () => await playground.publish());
	await publishing.catch((error: unknown) => {
		const what = 'Some recipes could not be published. To try one, open it and select Publish.';
		process.stdout.write(`${what}\n${String(error)}\n\n`);
	});
	process.stdout.write(invitation(playground, BY_THEMSELVES));
	return 'running';
});
