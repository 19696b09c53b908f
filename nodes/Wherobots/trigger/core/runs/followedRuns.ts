import type { Micros } from '../../../service/time/time';
import { inParallel } from '../../../transport/inParallel';
import { toResult } from '../../../transport/toResult';
import { readList } from '../readList';
import { shareOf, type Budget, type RunFacts, type RunSource } from '../source';
import type { ObservedRuns } from './observedRuns';
import { isUsable } from './trackedRuns';
import { DAY, HOUR } from '../watermark';

/** Single runs that are read at once. */
const READS_AT_ONCE = 10;

/** The share of a poll's time after which lists are left unfinished, so that single runs get their turn. */
const SHARE_OF_LISTS = 0.75;

/** A run in an unknown status is followed for its timeout and a day. */
const AGE_OUT = DAY;

/** A run counts as deleted when it was not found so often in a row, over so long: a gateway or a replica says "not found", too. */
const MISSING_TIMES = 5;
const MISSING_SPAN = HOUR;

/** Reads the runs that are followed and that the list of recent ones has not shown. */
export class FollowedRuns<R> {
	/** Whether any single run could be read in this poll. */
	private hasRead = false;

	constructor(
		private readonly source: RunSource<R>,
		private readonly budget: Budget,
		private readonly observed: ObservedRuns<R>,
	) {}

	async read(): Promise<void> {
		if (this.unseen().length > 1) await this.list();
		// A run that the list did not show has ended, or the list was cut short: only the run itself tells.
		await this.readSingle();
	}

	/** Whether runs are left of which none could be read. */
	get isWaiting(): boolean {
		return !this.hasRead && this.unseen().length > 0;
	}

	private unseen(): string[] {
		return this.observed.tracked.active().filter((id) => !this.observed.shown.has(id));
	}

	private async list(): Promise<void> {
		if (this.budget.spent(SHARE_OF_LISTS)) return;
		const { kind } = this.source;
		const isOver = (run: R) => kind.terminal.includes(kind.read(run).status);
		const read = await readList<R>({
			source: this.source,
			budget: shareOf(this.budget, SHARE_OF_LISTS),
			readPage: async (cursor) => await this.source.runs({ statuses: kind.active }, cursor),
			keyOf: (run) => kind.read(run).id,
			// A list that is behind shows runs as active of which nothing is known any more.
			take: (records) => this.observed.take(records.filter((run) => !isOver(run))),
		});
		if (read.kind !== 'complete') this.observed.notes.push('Not all active runs could be listed.');
	}

	/** Asks for single runs, those first that have waited longest, as far as the time lets it. */
	async readSingle(): Promise<void> {
		const ids = this.unseen();
		const failures: unknown[] = [];
		await inParallel(ids.length, READS_AT_ONCE, async (index) => {
			const id = ids[index];
			if (this.budget.spent()) return;
			const response = await toResult(this.source.run(id));
			if (!response.ok) {
				if (!this.budget.spent()) failures.push(response.error);
				return;
			}
			this.hasRead = true;
			if (response.value) this.takeSingle(id, response.value);
			else this.noteMissing(id);
		});
		if (failures.length === 0) return;
		// One run that cannot be read must not hide the others; nothing but failures is an error.
		if (!this.hasRead && this.observed.changes.length === 0) throw failures[0];
		this.observed.notes.push(
			`${failures.length} tracked runs could not be read; the next poll tries again.`,
		);
	}

	private takeSingle(id: string, run: R): void {
		const facts = this.source.kind.read(run);
		if (!isUsable(facts) || facts.id !== id) return;
		const { tracked, notes } = this.observed;
		const now = this.source.now();
		tracked.moveToEnd(id);
		this.observed.take([run]);
		if (!this.isForgotten(facts, tracked.get(id)?.created, now)) return;
		notes.push(`Run ${id} has been ${facts.status} for too long; it is no longer tracked.`);
		tracked.drop(id, now);
	}

	private noteMissing(id: string): void {
		const { tracked, notes } = this.observed;
		const now = this.source.now();
		// Runs that are gone must not keep the others waiting.
		tracked.moveToEnd(id);
		const [times, since] = tracked.noteMissing(id, now);
		if (times < MISSING_TIMES || now - since < MISSING_SPAN) return;
		notes.push(`Run ${id} was not found for an hour; it is no longer tracked.`);
		tracked.drop(id, now);
	}

	/** @param known when it was created, as far as that is known without its own times */
	private isForgotten(
		{ status, started, created, timeout = 0 }: RunFacts,
		known: Micros | undefined,
		now: Micros,
	): boolean {
		const { active, terminal } = this.source.kind;
		if ([...active, ...terminal].includes(status)) return false;
		const began = started ?? created ?? known;
		return began !== undefined && now - began > timeout + AGE_OUT;
	}
}
