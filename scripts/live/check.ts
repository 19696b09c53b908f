/** The whole of `npm run live`, apart from its terminal and its files. */
import { setTimeout as sleep } from 'node:timers/promises';

import { clock } from '../../nodes/Wherobots/transport/clock';
import { makeFileStore } from '../../test/support/files';
import { Account, OPERATIONS, type BuiltNodes, type Connection } from './account';
import type { Case } from './case';
import { explain, judge, withoutResult, type Result } from './judge';
import { Known, removeWith } from './known';
import { Mask } from './mask';
import { eventCases, lookups, reads } from './reads';
import { findSessionId } from './recorder';
import { lineOf, reportOf, toPlayable, type Report } from './report';
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
	/** Builds the nodes; without it, those of the sources are executed. */
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
	private readonly known = new Known();

	private readonly mask: Mask;

	private readonly results: Result[] = [];

	private readonly left: string[] = [];

	/** Since when something may compute. */
	private since?: number;

	constructor(
		private readonly options: LiveCheckOptions,
		readonly account: Account,
	) {
		this.mask = new Mask([options.key, new URL(options.baseUrl).hostname]);
		// It is in the name of all that is made, so that nothing else is ever removed.
		const name = `n8n-live-check-${clock.now().toString(36)}`;
		this.known.learn({ 'own name': name, 'table name': name.replaceAll('-', '_') });
		// The smallest as published, where the service does not say.
		this.known.learn({ ...options.given, runtime: 'tiny', 'Spatial Units an hour': 5 });
	}

	async all(): Promise<Report | undefined> {
		const { options, known, account } = this;
		await this.look();
		options.say(`This reads about 120 times, which costs nothing.\n${this.plan()}`);
		if (!(await options.confirm())) return undefined;
		account.nodes = await options.loadNodes?.();
		try {
			for (const each of reads) await this.execute(each);
			if (options.spend !== undefined) await this.makeAndUse();
		} finally {
			this.left.push(...(await known.removeAll(account)));
			this.missing();
			await options.save(this.report());
		}
		return this.report();
	}

	private async look(): Promise<void> {
		const { account, known } = this;
		for (const [at, each] of lookups.entries()) {
			const work = async () => await account.fetch(each.name);
			const { outcome, why = '' } = await judge({ ...each, work }, account, known);
			if (at > 0 || outcome !== 'fails') continue;
			throw new UsageError(
				why.includes('status code 401')
					? 'The service rejects the key in WHEROBOTS_API_KEY (status 401).'
					: `The service cannot be used: ${why}`,
			);
		}
	}

	private plan(): string {
		const { spend, rate } = this.options;
		if (spend === undefined) return '';
		const units = this.known.get('Spatial Units an hour');
		return `It also makes files (one of them in a storage integration, if there is one that takes it), five
job runs, an API key of one day, a preset, a cloud connection, three SQL sessions and a table,
on the runtime ${this.known.get('runtime')} (up to ${units} Spatial Units an hour, at $${rate} each), and
removes them again, also after Ctrl-C. What stays: the job runs in their list. It asks once for more
than the rate allows. It takes about half an hour, and ends before it has spent $${spend}.
`;
	}

	private async makeAndUse(): Promise<void> {
		for (const [at, group] of [...spending, sql].entries()) {
			const before = group.flatMap((each) => this.before(each) ?? []);
			const isDone = at > 0 && before.length === group.length;
			for (const each of isDone ? before : []) await this.keep(each);
			for (const each of isDone ? [] : group) await this.execute(each);
		}
	}

	/** What a check that was stopped has told of a case. */
	private before({ name, use }: Case): Result | undefined {
		return this.options.before?.results.find(
			(each) => each.name === name && each.use === use && each.why !== STOPPED,
		);
	}

	private async execute(each: Case): Promise<void> {
		const { known, account } = this;
		const { signal, spend = 0 } = this.options;
		if (signal.aborted) return;
		if (each.hours && this.spent + this.toDollars(each.hours) > spend) {
			const why = `it could spend more than $${spend}: $${this.spent.toFixed(2)} so far`;
			return await this.keep(withoutResult(each, why));
		}
		if (each.hours) this.since ??= clock.now();
		const result = explain(await judge(each, account, known), this.results);
		for (const id of account.recorder.of('POST /sql/session').map(findSessionId)) {
			const name = `SQL session ${id}`;
			if (id === undefined || known.has(name)) continue;
			known.learn({ [name]: id, 'own SQL session': id });
			known.makes(`the ${name}`, removeWith('sqlSession delete', { sessionId: `@id ${id}` }));
		}
		// What was cut off says nothing.
		if (!signal.aborted) await this.keep(result);
	}

	/** Dollars at most, so far: what computes does so one after the other, from the first on. */
	private get spent(): number {
		return this.since === undefined ? 0 : this.toDollars((clock.now() - this.since) / 3_600_000);
	}

	private toDollars(hours: number): number {
		return hours * Number(this.known.get('Spatial Units an hour')) * this.options.rate;
	}

	/** Operations without a result: those that only `--spend` executes, and those after a stop. */
	private missing(): void {
		const has = new Set(this.results.map(({ name }) => name));
		const events = eventCases.map(([event]) => `event ${event}`);
		for (const name of [...OPERATIONS, ...events].filter((each) => !has.has(each))) {
			const why = this.options.signal.aborted ? STOPPED : 'only with --spend';
			this.results.push(withoutResult({ name }, why, 'notTried'));
		}
	}

	private async keep(result: Result): Promise<void> {
		const { options, results, account, mask } = this;
		// What the responses of the service contain has to be known before.
		toPlayable(account.recorder.exchanges, mask);
		const why = result.why === undefined ? {} : { why: mask.prose(result.why) };
		results.push({ ...result, ...why });
		const spent = options.spend === undefined ? '' : `  $${this.spent.toFixed(2)}`;
		options.say(`${lineOf(results.at(-1)!)}${spent}\n`);
		await options.save(this.report());
		// Others get their turn between two operations, and so does Ctrl-C.
		await sleep(0);
	}

	private report(): Report {
		const { options, account, results, mask, left } = this;
		const spent =
			options.spend === undefined ? 'Reads only' : `About $${this.spent.toFixed(2)} spent`;
		const about = [spent, ...(options.signal.aborted ? ['Stopped before its end'] : [])];
		return reportOf(results, account.recorder, mask, { left, about });
	}
}
