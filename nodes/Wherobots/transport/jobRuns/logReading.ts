import { isTerminal } from '../../service/runs';
import type { LogLine, Run } from '../../service/types';
import type { Client } from '../client';
import { clock } from '../clock';
import { hasStatus } from '../errors';
import { RunLog } from './runLog';

import { DEFAULT_MAX_INTERVAL_S, pollUntil } from '../polling';
import { readRun } from './readRun';

/** Which lines of a log are wanted. */
export type Selection = { which: 'all' } | { which: 'first' | 'last'; count: number };

export interface ReadOptions {
	selection: Selection;
	/** Read on until the run has ended, for this many milliseconds at most. */
	followMs?: number;
	/** How long an ended run's log must stay quiet to count as complete, in milliseconds. */
	quietMs: number;
}

export interface LogResult {
	run: Run;
	lines: LogLine[];
	/** False when the run was still going when reading stopped, and more lines may be wanted. */
	complete: boolean;
}

/** Between two looks for late lines. */
const LATE_INTERVAL_MS = 3_000;

/**
 * Reads the log of a run. Lines reach the service a little after they were written, and after the
 * run has ended, so the log of a run that ended just now is read until it stays quiet.
 *
 * @throws NodeApiError, CancelledError as the client does
 */
export async function readLog(
	client: Client,
	runId: string,
	{ selection, followMs = 0, quietMs }: ReadOptions,
): Promise<LogResult> {
	const log = new RunLog(client, runId);
	const kept = new Kept(selection);
	let seenGoing = false;
	const look = async (): Promise<Run> => {
		const run = await readRun(client, runId);
		if (isTerminal(run.status)) return run;
		seenGoing = true;
		await addLines(kept, log, run);
		return run;
	};
	const run = followMs > 0 ? await follow(client, look, kept, followMs) : await look();
	if (!isTerminal(run.status)) return { run, lines: kept.lines(), complete: kept.full };

	// When it was seen going before, it ended since then, whatever the clocks of the two sides say.
	let quietSince = seenGoing ? clock.now() : endOf(run);
	await addLines(kept, log, run);
	for (;;) {
		const left = quietSince + quietMs - clock.now();
		if (left <= 0 || kept.full) break;
		await clock.pause(Math.min(LATE_INTERVAL_MS, left), client.signal);
		if ((await addLines(kept, log, run)) > 0) quietSince = clock.now();
	}
	return { run, lines: kept.lines(), complete: true };
}

/** Reads on until the run has ended or enough was read, through outages of the service. */
async function follow(
	client: Client,
	look: () => Promise<Run>,
	kept: Kept,
	followMs: number,
): Promise<Run> {
	const polled = await pollUntil(client, look, (run) => kept.full || isTerminal(run.status), {
		maxWaitMs: followMs,
		maxIntervalMs: DEFAULT_MAX_INTERVAL_S * 1000,
	});
	if (polled.done) return polled.value;
	return polled.last instanceof Error ? await Promise.reject(polled.last) : polled.last;
}

/** Takes the lines that are there. A run that has not started may have no log yet: "not found". */
async function addLines(kept: Kept, log: RunLog, run: Run): Promise<number> {
	return await kept.addFrom(log).catch(async (error: unknown) => {
		return !run.startTime && hasStatus(error, 404) ? 0 : await Promise.reject(error as Error);
	});
}

/** When a run ended, in ms since the epoch; never in the future, whatever the clocks say. */
function endOf(run: Run): number {
	const end = Date.parse(run.completeTime ?? run.updateTime ?? '');
	return Number.isFinite(end) ? Math.min(end, clock.now()) : clock.now();
}

/** The wanted lines of all that were read; never many more than that in memory. */
class Kept {
	private kept: LogLine[] = [];

	full = false;

	constructor(private readonly selection: Selection) {}

	/** Takes all lines that are there now; tells how many came. */
	async addFrom(log: RunLog): Promise<number> {
		let added = 0;
		for await (const lines of log.available()) {
			added += lines.length;
			this.add(lines);
			if (this.full) break;
		}
		return added;
	}

	lines(): LogLine[] {
		return this.selection.which === 'last' ? this.kept.slice(-this.selection.count) : this.kept;
	}

	private add(lines: LogLine[]): void {
		for (const line of lines) this.kept.push(line);
		if (this.selection.which === 'all') return;
		const { which, count } = this.selection;
		if (which === 'last' && this.kept.length > 2 * count) this.kept = this.kept.slice(-count);
		if (which === 'first' && this.kept.length >= count) {
			this.kept.length = count;
			this.full = true;
		}
	}
}
