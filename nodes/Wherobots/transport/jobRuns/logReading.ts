import { explainFailure, tellingLines, type FailedRun } from '../../service/jobRuns/failedRun';
import { shownLines, withoutPlatformLines } from '../../service/jobRuns/logLines';
import { isTerminal, outcomeOf } from '../../service/jobRuns/runs';
import { MICROS_PER_MS, parseServiceTime } from '../../service/time/time';
import type { LogLine, Run } from '../../service/types';
import type { Client } from '../client';
import { clock } from '../clock';
import { hasStatus, settle } from '../failure';
import { DEFAULT_MAX_INTERVAL_S, pollUntil } from '../polling';
import { readRun } from '../records';
import { RunLog } from './runLog';

export type Selection = { which: 'all' } | { which: 'first' | 'last'; count: number };

export interface ReadOptions {
	selection: Selection;
	/** Keep reading until the run has ended, for at most this many milliseconds. */
	followMs?: number;
	/** How long an ended run's log must stay quiet to count as complete, in milliseconds. */
	quietMs: number;
	/** The run, where it is known to have ended. */
	ended?: Run;
	/** Leave out what the platform wrote, and show the rest as a terminal does. */
	onlyProgram?: boolean;
}

export interface LogResult {
	run: Run;
	lines: LogLine[];
	/** False when reading stopped while the run was active, so that lines may be missing. */
	complete: boolean;
	/** Why it failed, if it did and all of its log was read. */
	failure?: FailedRun;
}

/**
 * How many of the telling lines are kept for finding out why a run failed. The program's own exception
 * can stand a few hundred lines before the end.
 */
export const MAX_TELLING_LINES = 2_000;

/** Between two checks for late lines. */
const LATE_INTERVAL_MS = 3_000;

/** How long lines may go on to arrive after the end of a run, in milliseconds. */
const MAX_LATE_MS = 600_000;

/** How far n8n's clock may be off when no response has shown the service's time, in milliseconds. */
const CLOCK_MARGIN_MS = 3_600_000;

/**
 * Reads the log of a run. Lines reach the service with a delay, even after the run has ended, so the
 * log of a run that has just ended is read until it stays quiet.
 *
 * @throws Failure, CancelledError as the client does
 */
export async function readLog(
	client: Client,
	runId: string,
	{ selection, followMs = 0, quietMs, ended, onlyProgram = false }: ReadOptions,
): Promise<LogResult> {
	const log = new RunLog(client, runId);
	// A log can only be read from its beginning: all lines pass by, and few are kept.
	const telling = new SelectedLines<string>({ which: 'last', count: MAX_TELLING_LINES });
	const selected = new SelectedLines<LogLine>(selection, (lines) => {
		const shown = shownLines(lines);
		telling.add(tellingLines(shown.map(({ raw }) => raw)));
		return onlyProgram ? withoutPlatformLines(shown) : lines;
	});
	let seenActive = false;
	const check = async (): Promise<Run> => {
		const run = ended ?? (await readRun(client, runId));
		if (isTerminal(run.status)) return run;
		seenActive = true;
		await addLines(selected, log, run);
		return run;
	};
	// Continues through outages of the service.
	const polled = await pollUntil(client, check, (run) => selected.full || isTerminal(run.status), {
		maxWaitMs: followMs,
		maxIntervalMs: DEFAULT_MAX_INTERVAL_S * 1000,
	});
	const run = polled.done ? polled.value : polled.last;
	if (run instanceof Error) throw run;
	if (!isTerminal(run.status)) return { run, lines: selected.lines(), complete: selected.full };

	// When it was seen active before, it has ended since then, whatever its record says.
	let quietSince = clock.monotonic() - (seenActive ? 0 : endedAgo(client, run));
	const end = clock.monotonic() + quietMs + MAX_LATE_MS;
	await addLines(selected, log, run);
	for (;;) {
		const left = quietSince + quietMs - clock.monotonic();
		if (left <= 0 || selected.full || clock.monotonic() >= end) break;
		await clock.pause(Math.min(LATE_INTERVAL_MS, left), client.signal);
		if ((await addLines(selected, log, run)) > 0) quietSince = clock.monotonic();
	}
	const result = { run, lines: selected.lines(), complete: true };
	if (outcomeOf(run) !== 'FAILED' || selected.full) return result;
	return { ...result, failure: explainFailure(telling.lines()) };
}

/** Adds the available lines. A run that has not started may have no log yet: "not found". */
async function addLines(selected: SelectedLines<LogLine>, log: RunLog, run: Run): Promise<number> {
	const added = await settle(selected.addFrom(log));
	if (added.ok) return added.value;
	if (!run.startTime && hasStatus(added.error, 404)) return 0;
	throw added.error;
}

/** Minimum time since a run ended, in milliseconds by the service's clock. */
function endedAgo(client: Client, run: Run): number {
	const end = Number(parseServiceTime(run.completeTime ?? run.updateTime)) / MICROS_PER_MS;
	const doubt = client.knowsServiceTime ? 0 : CLOCK_MARGIN_MS;
	return Number.isFinite(end) ? Math.max(0, client.serviceNow() - end - doubt) : 0;
}

/** The selected lines of a log; keeps few others in memory. */
export class SelectedLines<T> {
	private selected: T[] = [];

	full = false;

	/** @param pick what to select from, of the lines of a page */
	constructor(
		private readonly selection: Selection,
		private readonly pick = (lines: T[]) => lines,
	) {}

	/** Adds all available lines and returns their number. */
	async addFrom(log: { available(): AsyncIterable<T[]> }): Promise<number> {
		let added = 0;
		for await (const lines of log.available()) {
			added += lines.length;
			this.add(this.pick(lines));
			if (this.full) break;
		}
		return added;
	}

	lines(): T[] {
		return this.selection.which === 'last'
			? this.selected.slice(-this.selection.count)
			: this.selected;
	}

	add(lines: T[]): void {
		for (const line of lines) this.selected.push(line);
		if (this.selection.which === 'all') return;
		const { which, count } = this.selection;
		if (which === 'last' && this.selected.length > 2 * count)
			this.selected = this.selected.slice(-count);
		if (which === 'first' && this.selected.length >= count) {
			this.selected.length = count;
			this.full = true;
		}
	}
}
