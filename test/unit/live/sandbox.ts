/** `npm run live` against the sandbox, without its terminal. */
import { liveCheck, type LiveCheckOptions } from '../../../scripts/live/check';
import { isTerminal, statusAt } from '../../sandbox/model/runTypes';
import { isOver } from '../../sandbox/sql/sessions';
import { ManualClock, startSandbox, type Sandbox, type Variants } from '../../sandbox';

/** A sandbox with an account's data, whose clock is moved by whoever waits. */
export async function openSandbox(variants: Partial<Variants> = {}): Promise<Sandbox> {
	return await startSandbox({ clock: new ManualClock(Date.now()), seed: 'demo', variants });
}

/** Checks it as an admin. `said` is what was written for people. */
export async function check(
	sandbox: Sandbox,
	options: Partial<LiveCheckOptions> = {},
	stop = new AbortController(),
) {
	let said = '';
	const { signal } = stop;
	const done = await liveCheck({
		key: sandbox.credentials.admin.apiKey,
		baseUrl: sandbox.baseUrl,
		spend: false,
		signal,
		async pause(ms) {
			signal.throwIfAborted();
			sandbox.clock.advance(ms);
			await Promise.resolve();
		},
		confirm: async () => await Promise.resolve(true),
		say: (text) => (said += text),
		...options,
	});
	const names = (outcome: string) =>
		done.results.filter((each) => each.outcome === outcome).map(({ guess }) => guess.name);
	return { ...done, said, otherwise: names('otherwise'), notChecked: names('notChecked') };
}

/** What a check has made and not removed. */
export function leftIn(sandbox: Sandbox): string[] {
	const { store, sql, clock } = sandbox;
	const files = store.storages
		.all()
		.flatMap(({ files, folders }) => [...files.keys(), ...folders])
		.filter((path) => path.includes('n8n-live-check'));
	const runs = store.runs
		.all()
		.filter(({ payload }) => payload.name.startsWith('n8n-live-check'))
		.filter((run) => !isTerminal(statusAt(run, clock.now())) && run.cancelRequestedAt === undefined)
		.map(({ payload }) => payload.name);
	const sessions = sql.sessions
		.all()
		.filter((session) => !isOver(session.transitions.at(-1)!.status));
	const tables = store.catalogs
		.all()
		.flatMap(({ namespaces }) => [...namespaces.values()])
		.flatMap(({ entries }) => [...entries.keys()])
		.filter((name) => name.startsWith('n8n_live_check'));
	return [...files, ...runs, ...tables, ...sessions.map(({ id }) => id)];
}
