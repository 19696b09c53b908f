/** A service that answers as a test tells it to, and notes which lists it is asked for. */
import { AuditEvent } from '../../../nodes/Wherobots/service/records/auditEvent';
import { JobRun, jobRuns } from '../../../nodes/Wherobots/service/records/jobRun';
import { toAuditEventId } from '../../../nodes/Wherobots/trigger/auditEvent';
import type { Budget, ListPosition, Source } from '../../../nodes/Wherobots/trigger/core/cursor';
import type {
	Range,
	RecordPage,
	RecordSource,
} from '../../../nodes/Wherobots/trigger/core/newRecords';
import type { RunSource } from '../../../nodes/Wherobots/trigger/core/runPoll';
import type { Page } from '../../../nodes/Wherobots/transport/records';

/** In microseconds, as all times here. */
export const NOW = Date.parse('2026-03-10T12:00:00Z') * 1000;

export const iso = (time: number) => new Date(time / 1000).toISOString();

export const unlimited: Budget = { spent: () => false };

export const failure = new Error('The service failed');

/** More requests than any poll here needs. */
const TOO_MANY = 60;

/** The clocks of n8n and of the service agree, and stand still. */
export class Asked<Entry> implements Source {
	readonly asked: Entry[] = [];

	time = NOW;

	isTimeKnown = true;

	/** Time for this many requests. */
	timeFor(requests: number): Budget {
		return { spent: (share = 1) => this.asked.length >= requests * share };
	}

	now = () => this.time;

	isClockSure = () => this.isTimeKnown;

	/** @throws when the requests do not end */
	protected note(entry: Entry): void {
		this.asked.push(entry);
		if (this.asked.length > TOO_MANY) throw new Error('The poll does not end');
	}
}

export class AskedLog
	extends Asked<[start: number, end?: number, cursor?: string, most?: number]>
	implements RecordSource<AuditEvent>
{
	way = 'query';

	plural = 'events';

	kept = { where: 'The audit log', days: 90 };

	toId = toAuditEventId;

	constructor(
		private readonly reply: (
			range: Range,
			cursor?: string,
			most?: number,
		) => RecordPage<AuditEvent>,
	) {
		super();
	}

	records: RecordSource<AuditEvent>['records'] = async ({ start, end }, cursor, most) => {
		this.note([start, end, cursor, most]);
		return await Promise.resolve(this.reply({ start, end }, cursor, most));
	};
}

export class AskedRuns extends Asked<string> implements RunSource<JobRun> {
	kind = jobRuns;

	/** The runs that can be read one by one; another one is not found. */
	single: Array<JobRun | Error> = [];

	isCrowded = () => false;

	/** @param reply `recent` or `active` */
	constructor(private readonly reply: (list: string, cursor?: string) => Page<JobRun>) {
		super();
	}

	runs: RunSource<JobRun>['runs'] = async (query, cursor) => {
		const list = 'statuses' in query ? 'active' : 'recent';
		this.note(cursor === undefined ? list : `${list} ${cursor}`);
		return await Promise.resolve(this.reply(list, cursor));
	};

	run: RunSource<JobRun>['run'] = async (id) => {
		this.note(id);
		const found = this.single.find((run) => run instanceof Error || run.id === id);
		return found instanceof Error ? await Promise.reject(found) : await Promise.resolve(found);
	};
}

/** A list in these pages, whose cursors are their numbers. */
export function paged<T>(pages: T[][], cursor = '0'): { items: T[]; next?: string } {
	const index = Number(cursor);
	const next = index + 1 < pages.length ? String(index + 1) : undefined;
	return { items: pages[index] ?? [], next };
}

export const position = (more: Partial<ListPosition> = {}): ListPosition => ({
	cursor: '1',
	count: 0,
	final: 0,
	...more,
});

export const event = (id: string, time: number) =>
	new AuditEvent({ event_id: id, event_time: iso(time) });

export const run = (id: string, created: number, status: string, more: object = {}): JobRun =>
	new JobRun({ id, name: id, status, createTime: iso(created), ...more });
