import { explainFailure, type FailedRun, selectTellingLines } from '../../service/runs/failedRun';
import { toShownLines, removePlatformLines, findOutput } from '../../service/runs/logLines';
import { isRecord, type LogLine } from '../../service/records';
import { jobRuns, type JobRun } from '../../service/records/jobRun';
import { MICROS_PER_MS } from '../../service/time';
import type { Client } from '../../transport/client';
import { clock } from '../../transport/clock';
import { DEFAULT_MAX_INTERVAL_S, pollUntil } from '../../transport/concurrency';
import { Failure, hasStatus, settle } from '../../transport/failure';
import { fetchEachPage, fetchRun, refuseErrors } from '../../transport/records';

/** Lines per request. The service documents no maximum; this is the most that its own clients use. */
const PAGE_SIZE = 1_000;

/** Maximum number of lines with the same time, which have to fit into one page. */
const LARGEST_PAGE = 128_000;

interface LogPage {
	items: LogLine[];
	next?: string;
}

/** Where a log begins. As a next page, it means that there is none. */
const FIRST_CURSOR = '0';

/**
 * The log of one run, read forward, each line once.
 *
 * A cursor is the position after the last line, or the time of the last line, with which the lines of
 * that time come again (docs/adr/0004-log-cursors.md). A next page that is missing, or equal to the
 * cursor, ends the log for now; the same page is then requested again for new lines.
 */
export class RunLog {
	private cursor = FIRST_CURSOR;

	/** Whether the log goes on after the most pages to read. */
	isCut = false;

	/** Lines that were returned and come again with this cursor. */
	private known: LogLine[] = [];

	constructor(
		private readonly client: Client,
		private readonly runId: string,
		private pagesLeft = Infinity,
	) {}

	/**
	 * The new lines since the last call, page by page, until there are no more for now.
	 *
	 * @throws Failure when a page is invalid, or pages do not end
	 */
	async *available(): AsyncGenerator<LogLine[]> {
		let hasLines = true;
		const readPage = async (cursor = FIRST_CURSOR) => await this.readAll(cursor);
		const pages = fetchEachPage(readPage, {
			cursor: this.cursor,
			hasNew: () => hasLines,
			fail: (what) => this.broken(what),
		});
		for await (const { items, next } of pages) {
			const fresh = removeKnown(items, this.known);
			hasLines = items.length > 0;
			if (fresh.length > 0) yield fresh;
			if (next === undefined) this.known = [...this.known, ...fresh];
			else this.moveTo(next, items);
			this.isCut = next !== undefined && this.pagesLeft-- <= 0;
			if (this.isCut) return;
		}
	}

	/** A page that is large enough for all lines of one time. */
	private async readAll(cursor: string): Promise<LogPage> {
		let page = await this.read(cursor, PAGE_SIZE);
		if (page.next === cursor && page.items.length >= PAGE_SIZE) {
			page = await this.read(cursor, LARGEST_PAGE);
			const { length } = page.items;
			if (page.next === cursor && (length <= PAGE_SIZE || length >= LARGEST_PAGE)) {
				throw this.broken(`more than ${length} lines had the same timestamp`);
			}
		}
		const { items, next } = page;
		return { items, next: next === cursor || next === FIRST_CURSOR ? undefined : next };
	}

	/** Its lines, and the cursor of the next page when the page names one. */
	private async read(cursor: string, size: number): Promise<LogPage> {
		const page = await this.client.call<{ items?: unknown; next_page?: unknown } | undefined>(
			'getRunLogs',
			{ path: { run_id: this.runId }, query: { cursor, size } },
		);
		refuseErrors(this.client, 'getRunLogs', page);
		const items = page?.items;
		if (!Array.isArray(items) || !items.every((line) => isRecord(line) && 'raw' in line)) {
			throw this.broken('a page arrived without a list of lines');
		}
		const next = page?.next_page ?? '';
		return { items: items as LogLine[], next: next === '' ? undefined : String(next) };
	}

	private moveTo(cursor: string, items: LogLine[]): void {
		this.cursor = cursor;
		this.known = items.filter(({ timestamp }) => String(timestamp) === cursor);
	}

	private broken(what: string): Error {
		return new Failure({
			message: 'The log could not be read to the end',
			description: `Reading its pages failed: ${what}. Try again later. Run ID: ${this.runId}`,
			facts: { runId: this.runId },
		});
	}
}

/** The lines that are not among the known ones, counting equal lines separately. */
function removeKnown(lines: LogLine[], known: LogLine[]): LogLine[] {
	if (known.length === 0) return lines;
	const left = new Map<string, number>();
	for (const line of known) left.set(toKey(line), (left.get(toKey(line)) ?? 0) + 1);
	return lines.filter((line) => {
		const key = toKey(line);
		const count = left.get(key) ?? 0;
		if (count > 0) left.set(key, count - 1);
		return count === 0;
	});
}

function toKey({ timestamp, raw }: LogLine): string {
	return `${timestamp} ${raw}`;
}

export type Selection = { which: 'all' } | { which: 'first' | 'last'; count: number };

export interface ReadOptions {
	selection: Selection;
	/** Keep reading until the run has ended, for at most this many milliseconds. */
	followMs?: number;
	/** How long an ended run's log must stay quiet to count as complete, in milliseconds. */
	quietMs: number;
	/** The run as just read. */
	known?: JobRun;
	/** The most pages to read. */
	maxPages?: number;
	/** Leave out what the platform wrote, and show the rest as a terminal does. */
	onlyProgram?: boolean;
}

export interface LogResult {
	run: JobRun;
	lines: LogLine[];
	/** False when lines may be missing: the run was active, or there are more pages. */
	complete: boolean;
	/** What the program returned as data, so far if more may come. */
	output?: string;
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
export async function fetchLog(
	client: Client,
	runId: string,
	{ selection, followMs = 0, quietMs, known, maxPages, onlyProgram = false }: ReadOptions,
): Promise<LogResult> {
	const log = new RunLog(client, runId, maxPages);
	// A log can only be read from its beginning: all lines pass by, and few are kept.
	const telling = new SelectedLines<string>({ which: 'last', count: MAX_TELLING_LINES });
	const selected = new SelectedLines<LogLine>(selection, (lines) => {
		const texts = lines.map(({ raw }) => String(raw ?? ''));
		telling.add(selectTellingLines(texts));
		output = findOutput(texts) ?? output;
		// A secret that codes for colors were within is masked only without them.
		return onlyProgram ? client.withoutSecrets(removePlatformLines(toShownLines(lines))) : lines;
	});
	let output: string | undefined;
	let seenActive = false;
	const check = async (): Promise<JobRun> => {
		const run = known ?? (await fetchRun(client, jobRuns, runId));
		if (run.isOver) return run;
		seenActive = true;
		await addLines(selected, log, run);
		return run;
	};
	// Continues through outages of the service.
	const polled = await pollUntil(client, check, (run) => selected.full || run.isOver, {
		maxWaitMs: followMs,
		maxIntervalMs: DEFAULT_MAX_INTERVAL_S * 1000,
	});
	const run = polled.done ? polled.value : polled.last;
	if (run instanceof Error) throw run;
	if (!run.isOver) return { run, lines: selected.lines(), complete: selected.full, output };

	// When it was seen active before, it has ended since then, whatever its record says.
	let quietSince = clock.monotonic() - (seenActive ? 0 : measureSinceEnd(client, run));
	const end = clock.monotonic() + quietMs + MAX_LATE_MS;
	await addLines(selected, log, run);
	for (;;) {
		const left = quietSince + quietMs - clock.monotonic();
		if (left <= 0 || selected.full || log.isCut || clock.monotonic() >= end) break;
		await clock.pause(Math.min(LATE_INTERVAL_MS, left), client.signal);
		if ((await addLines(selected, log, run)) > 0) quietSince = clock.monotonic();
	}
	const result = { run, lines: selected.lines(), complete: !log.isCut, output };
	if (run.outcome !== 'FAILED' || selected.full) return result;
	return { ...result, failure: explainFailure(telling.lines()) };
}

/** Adds the available lines. A run that has not started may have no log yet: "not found". */
async function addLines(
	selected: SelectedLines<LogLine>,
	log: RunLog,
	run: JobRun,
): Promise<number> {
	const added = await settle(selected.addFrom(log));
	if (added.ok) return added.value;
	if (run.started === undefined && hasStatus(added.error, 404)) return 0;
	throw added.error;
}

/** Minimum time since a run ended, in milliseconds by the service's clock. */
export function measureSinceEnd(client: Client, run: JobRun): number {
	const end = Number(run.ended ?? run.updated) / MICROS_PER_MS;
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
