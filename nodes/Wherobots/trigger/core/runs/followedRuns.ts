import { inParallel } from '../../../transport/inParallel';
import { toResult } from '../../../transport/toResult';
import { readList } from '../readList';
import { shareOf, type Budget } from '../source';
import { DAY, HOUR } from '../watermark';
import type { ObservedRuns } from './observedRuns';
import { isUsable } from './trackedRuns';

/** How many single runs are read at once. */
const READS_AT_ONCE = 10;

/** The share of a poll's time after which lists are left unfinished, so that single runs get their turn. */
export const SHARE_OF_LISTS = 1 / 3;

/** A run counts as deleted when it is not found this often, over this long: a gateway or a replica may also say "not found". */
const MISSING_TIMES = 5;
const MISSING_SPAN = HOUR;

/** Reads the tracked runs that the list of recent ones has not shown. */
export async function followRuns<R>(observed: ObservedRuns<R>, budget: Budget): Promise<void> {
	const { kind, runs } = observed.source;
	if (unseen(observed).length > 1 && !budget.spent(SHARE_OF_LISTS)) {
		const read = await toResult(
			readList<R>({
				source: observed.source,
				budget: shareOf(budget, SHARE_OF_LISTS),
				readPage: async (cursor) => await runs({ statuses: kind.active }, cursor),
				keyOf: (run) => kind.read(run).id,
				take: (records) => observed.take(records),
			}),
		);
		// Each run can still be read by itself; if the service is down, that fails, too.
		const why = read.ok ? '' : ` (${(read.error as Error).message})`;
		if (!read.ok || read.value.kind !== 'complete') {
			observed.notes.push(`Not all active runs could be listed${why}.`);
		}
	}
	// A run that the list did not show has ended, or the list was cut short: only the run itself tells.
	await readSingle(observed, budget);
}

function unseen<R>({ tracked, shown }: ObservedRuns<R>): string[] {
	return tracked.active().filter((id) => !shown.has(id));
}

/** Reads single runs, those that have waited longest first, as far as time allows. */
async function readSingle<R>(observed: ObservedRuns<R>, budget: Budget): Promise<void> {
	const ids = unseen(observed);
	const failures: unknown[] = [];
	let hasRead = false;
	await inParallel(ids.length, READS_AT_ONCE, async (index) => {
		const id = ids[index];
		if (budget.spent()) return;
		const response = await toResult(observed.source.run(id));
		if (response.ok) {
			hasRead = true;
			takeSingle(observed, id, response.value);
		} else if (!budget.spent()) failures.push(response.error);
	});
	if (failures.length === 0) return;
	// One run that cannot be read must not hide the others; only when all fail is it an error.
	if (!hasRead && observed.changes.length === 0) throw failures[0];
	observed.notes.push(
		`${failures.length} tracked runs could not be read; the next poll tries again.`,
	);
}

/** @param run undefined when it was not found */
function takeSingle<R>(observed: ObservedRuns<R>, id: string, run: R | undefined): void {
	const { notes, source, tracked } = observed;
	const now = source.now();
	const giveUp = (why: string) => {
		notes.push(`Run ${id} ${why}; it is no longer tracked.`);
		tracked.drop(id);
	};
	// Even a run that is gone must not keep the others waiting.
	tracked.moveToEnd(id);
	if (run === undefined) {
		const [times, since] = tracked.noteMissing(id, now);
		const isGone = times >= MISSING_TIMES && now - since >= MISSING_SPAN;
		if (isGone) giveUp('was not found for an hour');
		return;
	}
	const facts = source.kind.read(run);
	if (!isUsable(facts) || facts.id !== id) return;
	observed.take([run]);
	const { started, timeout = 0 } = source.kind.times(run);
	const { active, terminal } = source.kind;
	const began = started ?? tracked.get(id)?.created ?? now;
	const isKnown = [...active, ...terminal].includes(facts.status);
	// A run in an unknown status is tracked for the length of its timeout and a day.
	if (!isKnown && now - began > timeout + DAY) giveUp(`has been ${facts.status} for too long`);
}
