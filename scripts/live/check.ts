/** The whole of `npm run live`, apart from its terminal and its files. */
import { setTimeout as sleep } from 'node:timers/promises';

import { clock } from '../../nodes/Wherobots/transport/clock';
import { makeFileStore } from '../../test/support/files';
import type { ActiveTrigger } from '../../test/engine/harness/polling';
import { Account, OPERATIONS, type BuiltNodes, type Connection, type Done } from './account';
import { Budget, smallestRuntime } from './budget';
import { fill, text, type Case, type EventCase } from './case';
import { guesses, isAsGuessed } from './guesses';
import { judge, ofError, resultOf, withoutResult, type Result } from './judge';
import { Known, NotPossible, removeWith } from './known';
import { isRecord, Mask } from './mask';
import { eventCases, reads } from './reads';
import { findSessionId } from './recorder';
import { lineOf, playable, reportOf, type Report } from './report';
import { spending } from './spending';
import { sql } from './sql';

export interface LiveCheckOptions extends Connection {
	/** How many dollars may be spent; undefined to read only. */
	spend?: number;
	/** Dollars for a Spatial Unit. */
	rate: number;
	/** What the account does not tell: `task to run (--task)` and others. */
	given?: Record<string, string | undefined>;
	/** The report of a run that was stopped: what it has is not made again. */
	before?: Report;
	/** Builds the nodes, once it is clear that they are needed. */
	loadNodes?(): Promise<BuiltNodes>;
	/** Whether to go on, after it has been said what will be done. */
	confirm(): Promise<boolean>;
	/** Writes for people. */
	say(text: string): void;
	/** Keeps the report as it is after each result. */
	save(report: Report): Promise<void>;
}

/** A problem of the use rather than of the service. */
export class UsageError extends Error {}

const STOPPED = 'it was stopped before';

/** Between two polls of an active trigger, for what it waits for to settle. */
const SETTLED_MS = 90_000;

/** @throws UsageError when the key is not valid, or there is no such service */
export async function liveCheck(options: LiveCheckOptions): Promise<Report | undefined> {
	const { store, dispose } = await makeFileStore();
	const run = new LiveCheck(options, new Account(options, store));
	try {
		return await run.all();
	} finally {
		run.account.recorder.stop();
		await dispose();
	}
}

class LiveCheck {
	private readonly known = new Known(clock.now());

	private readonly mask: Mask;

	private readonly results: Result[] = [];

	private readonly left: string[] = [];

	private budget?: Budget;

	/** Triggers that are active while something is made, and what they have found. */
	private readonly active: Array<{ each: EventCase; trigger: ActiveTrigger }> = [];

	constructor(
		private readonly options: LiveCheckOptions,
		readonly account: Account,
	) {
		this.mask = new Mask([options.key, new URL(options.baseUrl).hostname]);
	}

	async all(): Promise<Report | undefined> {
		const { options, known, account } = this;
		await this.look();
		options.say(`This reads about 120 times, which costs nothing.\n${this.plan()}`);
		if (!(await options.confirm())) return undefined;
		account.nodes = await options.loadNodes?.();
		try {
			for (const each of reads) await this.execute(each);
			for (const each of eventCases) await this.event(each);
			if (options.spend !== undefined) await this.makeAndUse();
		} finally {
			this.left.push(...(await known.removeAll(account)));
			this.budget?.endSession();
			this.missing();
			await options.save(this.report());
		}
		return this.report();
	}

	/** What no operation says: storages, and the smallest runtime. */
	private async look(): Promise<void> {
		const { account, known, options } = this;
		const storages = await account.fetch('/storage').catch((error: Error) => {
			throw new UsageError(
				`The service cannot be reached: ${String(error.cause ?? error.message)}`,
			);
		});
		const first = account.recorder.exchanges.at(-1);
		if (first?.status === 401)
			throw new UsageError('The service rejects the key in WHEROBOTS_API_KEY (status 401).');
		const listed = Array.isArray(storages) ? storages.filter(isRecord) : [];
		const managed = listed.find(
			({ type, id }) => type === 'MANAGED' && !text(id).startsWith('user_files::'),
		);
		const integration = listed.find(
			({ type, readOnly }) => type === 'INTEGRATION' && readOnly !== true,
		);
		known.learn({ 'writable storage integration': integration?.id });
		const folder = text(managed?.defaultDirectory).replace(/^\/+|\/+$/g, '');
		known.learn({ 'managed storage': managed?.id, 'default folder': folder, ...options.given });
		const hint = await account.fetch('/me/jupyter/lab/config-hint').catch(() => undefined);
		await account.fetch('/organization').catch(() => undefined);
		const runtime = smallestRuntime(hint);
		known.learn({ runtime: runtime.id, 'own name': known.name });
		known.learn({ 'table name': known.name.replaceAll('-', '_') });
		if (folder) {
			const shared = folder.replace(/[^/]+$/, 'shared');
			known.learn({ 'own folder': `${folder}/${known.name}`, 'shared folder': shared });
		}
		this.budget = new Budget(options.spend ?? 0, options.rate, runtime);
	}

	private plan(): string {
		const { limit, rate, runtime } = this.budget!;
		if (this.options.spend === undefined) return '';
		return `It also makes files (one of them in a storage integration, if there is one that takes it), two job runs, an
API key of one day, a preset, a cloud connection, a SQL session and a table, on the runtime ${runtime.id} (up to ${runtime.unitsPerHour} Spatial Units an hour, at $${rate} each), and
removes them again, also after Ctrl-C. What stays: the job runs in their list. It takes about 20 minutes,
and ends before it has spent $${limit}.
`;
	}

	private async makeAndUse(): Promise<void> {
		for (const each of eventCases) await this.activate(each);
		for (const [at, group] of [...spending, sql].entries()) {
			const before = group.flatMap((each) => this.before(each) ?? []);
			if (at > 0 && before.length === group.length) {
				for (const each of before) await this.keep(each);
				continue;
			}
			for (const each of group) {
				if (each.operation === 'table delete') await this.pollOnceMore();
				await this.execute(each);
			}
		}
	}

	/** What a check that was stopped has told of a case. */
	private before({ operation, use }: Case): Result | undefined {
		return this.options.before?.results.find(
			(each) => each.name === operation && each.use === use && each.why !== STOPPED,
		);
	}

	private async execute(each: Case): Promise<void> {
		const { options, known, account, budget } = this;
		if (options.signal.aborted) return;
		if (each.hours && !budget!.allows(each.hours)) {
			const why = `it could spend more than $${options.spend}: $${budget!.spent.toFixed(2)} so far`;
			return this.keep(withoutResult(each.operation, each.use, why));
		}
		const result = await judge(each, account, known);
		this.settle(each, result);
		// What was cut off says nothing.
		if (!options.signal.aborted) await this.keep(result);
	}

	/** Adds up what a case has spent, and keeps what has to be ended. */
	private settle(each: Case, { ms }: Result): void {
		const { known, account, budget } = this;
		for (const id of account.recorder.of('POST /sql/session').map(findSessionId)) {
			if (id === undefined || known.sessions.has(id)) continue;
			known.sessions.add(id);
			budget?.startSession();
			known.makes(`the SQL session ${id}`, async () => {
				await removeWith('sqlSession delete', { sessionId: `@id ${id}` })(account, known);
			});
		}
		if (each.operation.startsWith('jobRun')) budget?.add(each.spends ? ms / 3_600_000 : 0);
		if (each.operation === 'sqlSession delete') budget?.endSession();
	}

	/** An event as Fetch Test Event shows it, and the first polls of an active workflow. */
	private async event(each: EventCase): Promise<void> {
		if (this.options.signal.aborted) return;
		const test = async (trigger: ActiveTrigger) => await trigger.test();
		const activate = async (trigger: ActiveTrigger) => {
			await trigger.activate();
			return await pollNow(trigger);
		};
		await this.keep(await this.polled(each, 'as a test event', test));
		await this.keep(await this.polled(each, 'in an active workflow', activate));
	}

	private async polled(
		each: EventCase,
		use: string,
		work: (trigger: ActiveTrigger) => Promise<Done['json']>,
	): Promise<Result> {
		const name = `event ${each.event}`;
		try {
			const trigger = this.account.trigger(each.event, fill(each.parameters, this.known));
			const done = await this.account.poll(name, async () => await work(trigger));
			const verdict = done.error ? ofError(done.error) : { outcome: 'works' as const };
			return { ...resultOf(name, done), use, ...verdict };
		} catch (error) {
			const none = withoutResult(name, use, (error as Error).message);
			return error instanceof NotPossible ? none : { ...none, outcome: 'fails' };
		}
	}

	private async activate(each: EventCase): Promise<void> {
		if (!each.isOwn || this.options.signal.aborted) return;
		try {
			const trigger = this.account.trigger(each.event, fill(each.parameters, this.known));
			await trigger.activate();
			this.active.push({ each, trigger });
		} catch {
			// Told already: the same was tried before.
		}
	}

	/** Whether the events came of what was made. */
	private async pollOnceMore(): Promise<void> {
		const { signal } = this.options;
		if (this.active.length > 0 && !signal.aborted) {
			await clock.pause(SETTLED_MS, signal).catch(() => undefined);
		}
		for (const { each, trigger } of this.active) {
			if (signal.aborted) return;
			const name = `event ${each.event}`;
			const done = await this.account.poll(name, async () => await pollNow(trigger));
			const isThere = done.json.some((item) => each.isOwn?.(item, this.known));
			const why = 'what was made here did not start it';
			const verdict = isThere
				? { outcome: 'works' as const }
				: { outcome: 'differs' as const, why };
			await this.keep({
				...resultOf(name, done),
				use: 'of what was made',
				...verdict,
				...(done.error && ofError(done.error)),
			});
		}
	}

	/** Operations without a result: those that only `--spend` executes, and those after a stop. */
	private missing(): void {
		const has = new Set(this.results.map(({ name }) => name));
		const events = eventCases.map(({ event }) => `event ${event}`);
		for (const name of [...OPERATIONS, ...events].filter((each) => !has.has(each))) {
			const why = this.options.signal.aborted ? STOPPED : 'only with --spend';
			this.results.push(withoutResult(name, undefined, why));
		}
	}

	private async keep(result: Result): Promise<void> {
		const { options, results, budget, account, mask } = this;
		// What the responses of the service contain has to be known before.
		playable(account.recorder.exchanges, mask);
		const why = result.why === undefined ? {} : { why: mask.prose(result.why) };
		const masked = { ...result, ...why, hints: result.hints.map((hint) => mask.prose(hint)) };
		results.push(masked);
		const spent = options.spend === undefined ? '' : `  $${budget!.spent.toFixed(2)}`;
		options.say(`${lineOf(masked)}${spent}\n`);
		await options.save(this.report());
		// Others get their turn between two operations, and so does Ctrl-C.
		await sleep(0);
	}

	private report(): Report {
		const { options, account, results, mask, left, budget } = this;
		const told = guesses.map((guess) => ({ guess, holds: isAsGuessed(guess, account.recorder) }));
		return reportOf(results, told, account.recorder, mask, {
			...{ left, spent: options.spend === undefined ? undefined : budget?.spent },
			...{ isStopped: options.signal.aborted, now: new Date(clock.now()) },
		});
	}
}

/** @throws when the poll failed */
async function pollNow(trigger: ActiveTrigger): Promise<Done['json']> {
	await trigger.poll();
	const [error] = trigger.errors;
	if (error) throw error;
	return trigger.take();
}
