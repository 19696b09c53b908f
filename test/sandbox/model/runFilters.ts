/** Results of run filters, kept until a run changes. */
import type { RunRecord } from './runTypes';

interface Kept {
	positions: number[];
	from: number;
	/** The next moment at which a run changes its status or appears. */
	until: number;
}

/** How many results are kept: a benchmark uses a few filters, but a property test may use thousands. */
const MOST_FILTERS = 50;

function nextChange(run: RunRecord, now: number): number {
	if (run.visibleAt > now) return run.visibleAt;
	const { transitions } = run;
	if (transitions[transitions.length - 1].at <= now) return Infinity;
	return transitions.find(({ at }) => at > now)?.at ?? Infinity;
}

export class RunFilters {
	private readonly kept = new Map<string, Kept>();

	/** To be called when runs were added or moved. */
	clear(): void {
		this.kept.clear();
	}

	positions(
		key: string,
		list: RunRecord[],
		now: number,
		matches: (run: RunRecord) => boolean,
	): number[] {
		const kept = this.kept.get(key);
		if (kept && kept.from <= now && now < kept.until) return kept.positions;
		const positions: number[] = [];
		let until = Infinity;
		list.forEach((run, position) => {
			until = Math.min(until, nextChange(run, now));
			if (matches(run)) positions.push(position);
		});
		if (this.kept.size >= MOST_FILTERS) this.kept.clear();
		this.kept.set(key, { positions, from: now, until });
		return positions;
	}
}
