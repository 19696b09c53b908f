import type { IDataObject } from 'n8n-workflow';

import { removeCodes } from '../runs/logLines';
import { checkRunNamePattern } from '../rules';
import { isRecord, toPlainText, toExactText } from './index';
import { formatTime, MICROS_PER_MS, MICROS_PER_SECOND, parseTime, type Micros } from '../time';
import { type RunKind, RunRecord } from './kind';

/** Statuses of a run that has not ended (interface, "States and transitions"). */
export const ACTIVE_STATUSES = ['PENDING', 'RUNNING'] as const;

/** Final statuses. An unknown status is not one of them. */
const TERMINAL_STATUSES = ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'] as const;

export const RUN_STATUSES = [...ACTIVE_STATUSES, ...TERMINAL_STATUSES] as const;

const FIELDS = {
	id: 'id',
	statusName: 'status',
	times: ['createTime', 'startTime', 'completeTime'],
	active: ACTIVE_STATUSES,
	terminal: TERMINAL_STATUSES,
} as const;

/** The statuses to ask the service for, to find all runs that are shown in one of these. */
export function listStatusesBehind(shown: string[]): string[] {
	return shown.includes('TIMED_OUT') ? [...new Set([...shown, 'FAILED'])] : shown;
}

const SAYS_FAILURE = /FAIL|TIME_?OUT/i;

/** A job run (interface, "Run"). This file alone knows what the service calls the fields of a run. */
export class JobRun extends RunRecord {
	protected get fields() {
		return FIELDS;
	}

	get name(): string {
		return toExactText(this.raw.name);
	}

	/** The outcome once it has ended. A timeout is TIMED_OUT, or FAILED with an event that says so. */
	get outcome() {
		const status = TERMINAL_STATUSES.find((each) => each === this.status);
		return status === 'FAILED' && this.events.some(isTimeout) ? 'TIMED_OUT' : status;
	}

	override get shownStatus(): string {
		return this.outcome ?? this.status;
	}

	get updated(): Micros | undefined {
		return parseTime(this.raw.updateTime);
	}

	/** When it reached its status, as the service writes it. */
	get changeTime(): string | undefined {
		const { createTime, startTime, completeTime, updateTime } = this.raw;
		const times: Record<string, unknown> = { RUNNING: startTime, PENDING: createTime };
		const time = this.isOver ? completeTime : times[this.status];
		return (time ?? updateTime ?? createTime) as string | undefined;
	}

	get changed(): Micros | undefined {
		return parseTime(this.changeTime);
	}

	/** What it was asked to run (interface, "Run payload"); a list may omit parts of it. */
	get payload(): IDataObject {
		const { payload } = this.raw;
		return isRecord(payload) ? payload : {};
	}

	/**
	 * The region of its compute resources, or the one that was requested, which the service's own clients
	 * read from the payload or the record itself.
	 */
	get region(): string | undefined {
		return [this.app.regionName, this.payload.region, this.raw.region]
			.map(toPlainText)
			.find(Boolean);
	}

	/** The ID under which it is billed; undefined until it has compute resources. */
	override get appId(): string | undefined {
		return toExactText(this.app.id) || undefined;
	}

	/** The service's explanation of its status; empty when there is none. */
	get message(): string {
		const message = removeCodes(toPlainText(this.app.message)).trim();
		if (message !== '') return message;
		const failed = this.events.filter((event) => SAYS_FAILURE.test(toPlainText(event.code)));
		return removeCodes(toPlainText(failed.at(-1)?.message)).trim();
	}

	/** The URL of its Spark UI as a field for outputs and errors, once there is one. */
	get sparkUi(): { sparkUiUrl?: string } {
		const { appMeta } = this.app;
		const url = toPlainText(isRecord(appMeta) ? appMeta.spark_ui_url : undefined);
		return url === '' ? {} : { sparkUiUrl: url };
	}

	get facts(): IDataObject {
		return { runId: this.id, runName: this.name, status: this.status, ...this.sparkUi };
	}

	/**
	 * The ten fields that people need. `status` is the outcome of a run that has ended: TIMED_OUT also when
	 * the service reports a timeout as FAILED. Times are ISO 8601; the duration is null until the run has
	 * started, and the URL of the Spark UI is added once there is one.
	 *
	 * @param now milliseconds since the epoch, for the duration of an active run
	 */
	simplify(now: number): IDataObject {
		const { createTime = null, startTime = null, completeTime = null } = this.raw;
		return {
			id: this.id,
			name: this.name,
			status: this.shownStatus,
			runtime: this.payload.runtime ?? null,
			region: this.region ?? null,
			...{ createTime, startTime, completeTime },
			durationSeconds: this.computeDuration(now),
			message: this.message,
			...this.sparkUi,
		};
	}

	private computeDuration(now: number): number | null {
		const { started: start, isOver, ended } = this;
		const end = isOver || this.raw.completeTime ? ended : now * MICROS_PER_MS;
		if (start === undefined || end === undefined) return null;
		return Math.max(0, Math.round((end - start) / MICROS_PER_SECOND));
	}

	private get app(): IDataObject {
		const { kubeApp } = this.raw;
		return isRecord(kubeApp) ? kubeApp : {};
	}

	private get events(): IDataObject[] {
		const { events } = this.app;
		return Array.isArray(events) ? (events as unknown[]).filter(isRecord) : [];
	}
}

/** Events of other kinds mention timeouts that did not happen: settings, limits, retries. */
function isTimeout({ code, message }: IDataObject): boolean {
	const kind = toPlainText(code);
	if (kind !== '' && !SAYS_FAILURE.test(kind)) return false;
	return /time(d)?[ _-]?out/i.test(`${kind} ${toPlainText(message)}`);
}

/**
 * Lists omit the JAR in the payload, which never changes, and nothing else (interface, "Run"). One that has
 * less than a record from before its end did not come from such a list.
 */
function complete(listed: JobRun, earlier: JobRun): JobRun | undefined {
	const [now, before] = [listed.raw, earlier.raw];
	const hasAll = (part: unknown, whole: unknown) =>
		isRecord(part) && isRecord(whole) && Object.keys(whole).every((name) => name in part);
	const { payload } = before;
	const isComplete =
		hasAll(now, before) && hasAll(now.kubeApp, before.kubeApp) && isRecord(payload);
	return isComplete && listed.ended !== undefined ? new JobRun({ ...now, payload }) : undefined;
}

// The names that the runs of one piece of work get, one after the other.

const MONTH = '(?:19|20)\\d\\d[-_.]?(?:0[1-9]|1[0-2])';
const DAY = '[-_.]?(?:0[1-9]|[12]\\d|3[01])';
const TIME = '[-_.T]?(?:[01]\\d|2[0-3])(?:[-_.]?[0-5]\\d){0,2}';

/** A name with a number from 2, but for months and days: `etl-2026-11`. */
const NUMBERED = new RegExp(`^(.*)-([2-9]|[1-9]\\d)(?<!(?:^|[-_.])${MONTH}(?:${DAY})?)$`);

/**
 * A name with a date, perhaps with a time, or the seconds or milliseconds of one: `etl-2026-11-28`,
 * `etl_20261128T0300`, `etl-1764300000`, `etl-2026`; not `tiles-2048`, `epsg-2056`.
 */
const DATED = new RegExp(
	`^(.*)[-_.](?:${MONTH}(?:${DAY}(?:${TIME})?)?Z?|20[0-3]\\d|1[4-9]\\d{8}(?:\\d{3})?)$`,
);

const MAX_NAME_LENGTH = 255;

/** The name of the next run of the same work: `etl-2` after `etl`, `etl-3` after `etl-2`. */
export function toNextName(name: string): string {
	const [, base = name, number = '1'] = NUMBERED.exec(name) ?? [];
	const end = `-${Number(number) + 1}`;
	return base.slice(0, MAX_NAME_LENGTH - end.length) + end;
}

export const jobRuns: RunKind<JobRun> = {
	...FIELDS,
	noun: 'job run',
	list: 'listRuns',
	of: (raw) => new JobRun(raw),
	get: 'getRun',
	cancel: 'cancelRun',
	idInPath: 'run_id',
	idLabel: 'Run ID',
	completed: 'COMPLETED',
	// What the names have in common: `etl` of `etl`, `etl-2026-11-28` and `etl-2026-11-28-2`.
	toWork({ name }) {
		const [, unnumbered = name] = NUMBERED.exec(name) ?? [];
		const [, undated = unnumbered] = DATED.exec(unnumbered) ?? [];
		return undated === '' ? name : undated;
	},
	ofWork(work) {
		const name = `${work.slice(0, MAX_NAME_LENGTH - 1)}*`;
		return checkRunNamePattern(name) === undefined ? { name } : undefined;
	},
	// The service names no bound; its documented lag of statuses is two minutes.
	overlap: 300 * MICROS_PER_SECOND,
	createdFrom: (time) => ({ created_after: formatTime(time) }),
	complete,
};
