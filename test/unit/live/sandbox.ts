/** `npm run live` against the sandbox, without its terminal. */
import 'reflect-metadata';

import { liveCheck, type LiveCheckOptions } from '../../../scripts/live/check';
import type { Outcome } from '../../../scripts/live/judge';
import type { Report } from '../../../scripts/live/report';
import { ENDLESS, EXPLODED, LONG, PROPERTY } from '../../../scripts/live/sql';
import { liveInSandboxTime } from '../../engine/harness/time';
import { isTerminal, statusAt } from '../../sandbox/model/runTypes';
import { isOver } from '../../sandbox/sql/sessions';
import { ManualClock, startSandbox, type Sandbox, type Variants } from '../../sandbox';

/** A sandbox with an account's data and a database, whose clock is moved by whoever waits. */
export async function openSandbox(variants: Partial<Variants> = {}): Promise<Sandbox> {
	const clock = new ManualClock(Date.now());
	const sandbox = await startSandbox({ clock, seed: 'demo', database: true, variants });
	sandbox.sql.answer(LONG, { rows: [{ longest: 'ff' }] });
	sandbox.sql.answer(ENDLESS, { rows: [{ number: 1 }], seconds: 3_600 });
	const rows = Array.from({ length: 1_500 }, (_, at) => ({ number: at + 1 }));
	sandbox.sql.answer(EXPLODED, { rows });
	sandbox.sql.answer(PROPERTY, { rows: [{ key: 'spark.n8n.liveCheck', value: 'true' }] });
	return sandbox;
}

/** Checks it as an admin. `said` is what was written for people. */
export async function check(
	sandbox: Sandbox,
	options: Partial<LiveCheckOptions> = {},
	stop = new AbortController(),
) {
	const time = liveInSandboxTime(sandbox);
	const told: { said: string; saved?: Report } = { said: '' };
	try {
		const report = await liveCheck({
			key: sandbox.credentials.admin.apiKey,
			baseUrl: sandbox.baseUrl,
			...{ signal: stop.signal, rate: 1 },
			confirm: async () => await Promise.resolve(true),
			say: (text) => (told.said += text),
			save: async (now) => await Promise.resolve(void (told.saved = now)),
			...options,
		});
		const results = report?.results ?? [];
		const named = (outcome: Outcome) =>
			results
				.filter((each) => each.outcome === outcome)
				.map(({ name, use }) => `${name}${use ? ` (${use})` : ''}`);
		const otherwise = report?.otherwise.map(({ name }) => name) ?? [];
		return { report, ...told, otherwise, named };
	} finally {
		time.restore();
	}
}

/** What a check has made and not removed. */
export function leftIn({ store, sql, clock }: Sandbox): string[] {
	const isOwn = (name: string | null) => /n8n.live.check/.test(name ?? '');
	const files = store.storages
		.all()
		.flatMap(({ files, folders }) => [...files.keys(), ...folders])
		.filter(isOwn);
	const runs = store.runs
		.all()
		.filter(({ payload }) => isOwn(payload.name))
		.filter((run) => !isTerminal(statusAt(run, clock.now())) && run.cancelRequestedAt === undefined)
		.map(({ payload }) => payload.name);
	const sessions = sql.sessions
		.all()
		.filter((session) => !isOver(session.transitions.at(-1)!.status));
	const tables = store.catalogs
		.all()
		.flatMap(({ namespaces }) => [...namespaces.values()])
		.flatMap(({ entries }) => [...entries.keys()])
		.filter(isOwn);
	const records = [
		...store.apiKeys.all().filter(({ revoked }) => !revoked),
		...store.presets.all(),
		...store.cloudConnections.all(),
	];
	const named = records.map(({ name }) => name).filter(isOwn);
	return [...files, ...runs, ...tables, ...named, ...sessions.map(({ id }) => id)];
}
