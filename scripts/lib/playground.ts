import type { WorkflowJson } from '../../test/e2e/n8n/apiTypes';
import { ensureN8n } from '../../test/e2e/n8n/install';
import { step } from './progress';
import { N8nServer, type N8nServerOptions } from '../../test/e2e/n8n/server';
import { startSandbox, type Sandbox } from '../../test/sandbox';
import { SQL_EXAMPLES } from '../../test/sandbox/seed/sql';
import { HOW_TO_SEE, keepHappening } from './demoEvents';
import { importRecipes } from './recipes';

/** A job run takes seconds here, so that nobody waits for minutes to see one end. */
const TIMINGS = {
	pendingMs: 2_000,
	runningMs: 6_000,
	logDelayMs: 1_000,
	sqlStartMs: 3_000,
	verifyMs: 8_000,
};

/** Within this time, n8n has started on a machine that does little else. */
const USUAL_START_MS = 120_000;

/** A real n8n with the recipes, beside a stand-in for the service. */
export interface Playground {
	n8n: N8nServer;
	sandbox: Sandbox;
	/** ID of the main recipe in n8n. */
	workflowId: string;
	/** The recipes as they were imported, by the names of their files. */
	recipes: Map<string, WorkflowJson>;
	/** Publishes the recipes, which then work by themselves. */
	publish(): Promise<void>;
}

/** What to stop when the command ends, in reverse order. */
const running: Array<() => Promise<void>> = [];

/** Calls `stop` when the command ends, however it ends. */
export function atEnd(stop: () => Promise<void>): void {
	running.push(stop);
}

async function end(): Promise<void> {
	for (let stop = running.pop(); stop; stop = running.pop()) await stop();
}

/** Without the odd names that tests need, and with programs that fail or take long, to pick from a list. */
function showWhatPeopleHave({ store }: Sandbox): void {
	const namespaces = store.catalogs.get('cat-org')?.namespaces;
	for (const name of ['odd.names/level two', 'überblick 100%', 'many', 'empty']) {
		namespaces?.delete(name);
	}
	namespaces?.get('noaa')?.entries.delete('broken_metadata');
	for (const name of ['fail', 'slow']) {
		store.storages.put('stor-acme', `jobs/${name}.py`, `print("${name}")\n`);
	}
}

/** Starts both on free ports of this machine; they are stopped when the command ends. */
export async function openPlayground(
	options: Pick<N8nServerOptions, 'tarball' | 'prepare' | 'env'>,
): Promise<Playground> {
	const install = await ensureN8n();
	const sandbox = await startSandbox({
		seed: 'demo',
		database: true,
		timings: TIMINGS,
		rateLimit: { requests: 100, windowMs: 5_000 },
	});
	atEnd(async () => await sandbox.stop());
	showWhatPeopleHave(sandbox);
	// It is ready before n8n is, so that the first statement need not wait for it.
	void sandbox.startDatabase();
	const stopEvents = keepHappening(sandbox);
	atEnd(async () => stopEvents());
	const usualEnd = Date.now() + USUAL_START_MS;
	const n8n = await step(
		`Starting n8n ${install.version}`,
		async () => await N8nServer.start({ install, ...options }),
		() => (Date.now() > usualEnd ? 'longer than usual: this machine is busy' : ''),
	);
	atEnd(async () => await n8n.stop());
	process.stdout.write(`\n${loginTo(n8n, n8n.url)}\nThe recipes come next.\n\n`);
	const { mainId, recipes, publish, stop } = await importRecipes(n8n, sandbox);
	atEnd(stop);
	return { n8n, sandbox, workflowId: mainId, recipes, publish };
}

const loginTo = ({ account }: N8nServer, url: string): string =>
	[`Open      ${url}`, `Email     ${account.email}`, `Password  ${account.password}`].join('\n');

/** Where to go, how to sign in and what a credential needs, for people to read. */
export function invitation({ n8n, sandbox, workflowId }: Playground, more: string[] = []): string {
	return [
		loginTo(n8n, `${n8n.url}/workflow/${workflowId}`),
		'',
		'To create a Wherobots API credential by hand:',
		`API Key   ${sandbox.credentials.admin.apiKey}`,
		`Base URL  ${sandbox.baseUrl} (a stand-in on this machine, with example data)`,
		'',
		'Queries to try in SQL: Execute Query:',
		...SQL_EXAMPLES,
		'',
		'How to make the events of Wherobots Trigger happen:',
		...HOW_TO_SEE.map(([event, what]) => `${event}: ${what}`),
		'',
		'The recipes are under Overview: open one, read its note and select Execute workflow.',
		'S3, SFTP, PostgreSQL and mail run on this machine, too; emails are printed here. Agents talk to',
		'a stand-in for a chat model, which understands nothing. More to try: docs/demo.md.',
		'',
		...more,
		'Ctrl-C stops n8n and the service. Nothing that you change in n8n is kept.',
		'',
	].join('\n');
}

/**
 * Runs a command that is ended with Ctrl-C.
 *
 * @param main starts what the command is about; its result says whether to keep running
 */
export function runCommand(main: () => Promise<'running' | 'done'>): void {
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.once(signal, () => {
			process.stderr.write('\nStopping n8n and the service …\n');
			void end().finally(() => process.exit(0));
		});
	}
	void main()
		.catch((error: unknown) => {
			process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
			process.exitCode = 1;
			return 'done' as const;
		})
		.then(async (state) => {
			if (state === 'done') await end();
		});
}
