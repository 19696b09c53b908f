import type { IDataObject } from 'n8n-workflow';

import { eventIdOf } from '../../../../../nodes/Wherobots/trigger/core/audit/auditEvents';
import { pollAudit } from '../../../../../nodes/Wherobots/trigger/core/audit/auditPoll';
import type { AuditReader } from '../../../../../nodes/Wherobots/trigger/core/audit/auditReading';
import type { AuditPage, Range } from '../../../../../nodes/Wherobots/trigger/core/source';
import type { AuditState } from '../../../../../nodes/Wherobots/trigger/core/state';
import { parseServiceTime } from '../../../../../nodes/Wherobots/service/time/time';

const START = Date.parse('2026-03-10T12:00:00Z') * 1000;
const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const unlimited = { spent: () => false };
const rules = { overlap: 5 * MINUTE, settle: MINUTE };

/** An audit log and its poller. */
class Log {
	now = START;

	/** How many minutes n8n's clock is ahead; undefined when responses tell the time. */
	skew: number | undefined;

	/** How many minutes n8n's clock is ahead, which stands in for the service's until a response tells it. */
	ahead = 0;

	events: IDataObject[] = [];

	/** Requests of the last poll. */
	requests = 0;

	/** Gives the page of a cursor. */
	page: (events: IDataObject[], cursor?: string) => AuditPage = (items) => ({ items });

	state: AuditState | undefined;

	record(ahead = 0): string {
		const event_time = new Date((this.now + ahead * MINUTE) / 1000).toISOString();
		this.events.push({ event_id: `e${this.events.length}`, event_time });
		return `audit/e${this.events.length - 1}`;
	}

	async poll(minutes = 1): Promise<string[]> {
		this.now += minutes * MINUTE;
		this.requests = 0;
		const read = async ({ start, end = Infinity }: Range, cursor?: string): Promise<AuditPage> => {
			this.requests += 1;
			const matching = this.events
				.filter((event) => {
					const time = parseServiceTime(event.event_time) ?? 0;
					return time >= start && time <= end;
				})
				.reverse();
			return await Promise.resolve(this.page(matching, cursor));
		};
		const source: AuditReader = {
			way: 'query',
			now: () =>
				this.now + (this.skew ?? 0) * MINUTE + (this.requests === 0 ? this.ahead * MINUTE : 0),
			knowsTime: () => this.skew === undefined && this.requests > 0,
			localNow: () => this.now + (this.skew ?? this.ahead) * MINUTE,
			broken: (what) => new Error(what),
			maySuspectCursor: () => false,
			events: read,
		};
		const polled = await pollAudit(this.state, 'scope', rules, source, unlimited);
		this.state = polled.state;
		return polled.events.map(({ event }) => eventIdOf(event));
	}
}

let log: Log;

beforeEach(() => {
	log = new Log();
});

test.each([undefined, 30, -30])(
	'an event from the future hides no other one (n8n ahead by: %s)',
	async (skew) => {
		log.skew = skew;
		log.record();
		await log.poll();
		const expected: string[] = [log.record(60)];
		const given = await log.poll();
		for (let minute = 0; minute < 90; minute++) {
			expected.push(log.record());
			given.push(...(await log.poll()));
		}
		given.push(...(await log.poll(5)));
		expect(given.sort()).toEqual(expected.sort());
		// The watermark goes on, whatever n8n's clock says.
		expect(log.state?.seen.length).toBeLessThan(50);
	},
);

test('an event that is ahead by less than clocks tell hides none of before it, when a first poll cannot read all', async () => {
	log.now += 0.25 * SECOND;
	for (let before = 3; before > 0; before--) log.record(-before);
	log.record(1.95 / 60);
	log.page = (items) => (items.length > 2 ? { items: items.slice(0, 2), isCut: true } : { items });
	await log.poll(0);
	const late = log.record();
	expect(await log.poll(5)).toEqual([late]);
});

test('at rest, events of before the watermark stay old, however far behind the clock of n8n is', async () => {
	log.skew = -180;
	for (const minutes of [10 * 24 * 60, 5]) log.record(-minutes);
	log.page = (items, cursor) => (cursor === undefined ? { items, next: 'rest' } : { items: [] });
	for (let polls = 0; polls < 4; polls++) expect(await log.poll(0)).toEqual([]);
});

test.each([-180, -5, 180])(
	"a poll at rest is one request, also when n8n's clock is %s minutes ahead of the service's",
	async (ahead) => {
		log.ahead = ahead;
		for (let count = 60; count > 0; count--) log.record(-count / 60);
		log.page = (items, cursor = '0') => {
			const end = Number(cursor) + 50;
			const next = items.length > end ? String(end) : undefined;
			return { items: items.slice(Number(cursor), end), next };
		};
		for (let polls = 0; polls < 20; polls++) expect(await log.poll()).toEqual([]);
		expect(log.requests).toBe(1);
	},
);
