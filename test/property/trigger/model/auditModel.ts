import type { IDataObject } from 'n8n-workflow';

import type { AuditReader } from '../../../../nodes/Wherobots/trigger/core/auditPoll';
import { Refused, type Calls } from './calls';
import { pageOf, type ListStyle } from './pages';
import { isoMicros } from './runModel';

export interface ModelEvent {
	key: string;
	/** Microseconds. */
	time: number;
	visibleAt: number;
	record: IDataObject;
}

/** The audit log as the service knows it, with its clock in microseconds. */
export class AuditModel {
	now = Date.parse('2026-03-01T12:00:00.250Z') * 1000;

	/** How far n8n's clock is off. */
	skew = 0;

	/** Whether responses tell the service's time, which makes n8n's clock good for the rest of a poll. */
	tellsTime = true;

	/** Whether only the export is there, which gives a range in one piece. */
	wholeRanges = false;

	readonly events: ModelEvent[] = [];

	constructor(readonly style: ListStyle) {}

	/** @param lateness from its time to its appearance @param inFuture its time is so much ahead */
	record(lateness: number, inFuture: number, withoutId: boolean): ModelEvent {
		const key = `event-${this.events.length}`;
		const time = this.now - lateness + inFuture;
		const id = withoutId ? {} : { event_id: key };
		const record = { ...id, event_time: isoMicros(time), action_name: 'ACT', user_id: key };
		const event = { key, time, visibleAt: this.now, record };
		this.events.push(event);
		return event;
	}

	source(calls: Calls): AuditReader {
		const responded = { once: false };
		const wholeRanges = this.wholeRanges;
		return {
			now: () => this.now + (responded.once && this.tellsTime ? 0 : this.skew),
			broken: (what) => new Error(what),
			refusesCursor: (error) => error instanceof Refused,
			way: wholeRanges ? 'export' : 'query',
			wholeRanges,
			events: async ({ start, end = Infinity }, cursor) => {
				await calls.next(cursor);
				responded.once = true;
				const matching = this.events.filter(({ time }) => time >= start && time <= end);
				if (wholeRanges) return { items: matching.map(({ record }) => record) };
				const page = pageOf(matching, this.events, this.style, cursor);
				return calls.gives({ ...page, items: page.items.map(({ record }) => record) });
			},
		};
	}
}
