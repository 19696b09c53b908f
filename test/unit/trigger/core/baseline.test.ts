import type { Run } from '../../../../nodes/Wherobots/service/types';
import type { IDataObject } from 'n8n-workflow';

import { eventId } from '../../../../nodes/Wherobots/trigger/core/ids';
import { pollAudit } from '../../../../nodes/Wherobots/trigger/core/audit/auditPoll';
import type { AuditSource } from '../../../../nodes/Wherobots/trigger/core/source';
import { pollRuns } from '../../../../nodes/Wherobots/trigger/core/runs/runPoll';
import type { RunSource } from '../../../../nodes/Wherobots/trigger/core/source';
import type { AuditState, RunState } from '../../../../nodes/Wherobots/trigger/core/state';
import { changeId } from '../../../../nodes/Wherobots/trigger/events/runStatusChanged';
import { iso, MINUTE, runService, SECOND, SlowService, START, TIMES } from './slowService';

test('an event that comes while a first poll is reading pages is news, whatever page shows it', async () => {
	const service = new SlowService(2);
	const shown = () => TIMES.filter((time) => time <= service.now);
	const event = (time: number): IDataObject => ({ event_id: String(time), event_time: iso(time) });
	const source: AuditSource = {
		...service.common(),
		way: 'query',
		events: async ({ start, end = Infinity }, cursor) => {
			const all = shown().filter((time) => time >= start && time <= end);
			return service.page(all.map(event), cursor);
		},
	};
	const rules = { overlap: 5 * MINUTE, settle: 0 };
	let state: AuditState | undefined;
	const given: string[] = [];
	for (let poll = 0; poll < 8; poll++) {
		const polled = await pollAudit(state, 'scope', rules, source, service.budget());
		if (poll === 0) expect(polled.state.began).toBeDefined();
		state = polled.state;
		given.push(...polled.events.map(({ id }) => id));
		service.now += 30 * SECOND;
	}
	const last = Number(state?.seen.at(-1)?.[1]);
	const wanted = TIMES.filter((time) => time > START + SECOND && time <= last);
	expect(wanted.length).toBeGreaterThan(100);
	const ids = new Set(given);
	expect(wanted.filter((time) => !ids.has(eventId('audit', String(time))))).toEqual([]);
	expect(given.length).toBe(ids.size);
	// Nothing that was there at the first response, except perhaps an event of that very second.
	expect(given.length).toBeLessThanOrEqual(wanted.length + 1);
});

test('a run that is created or ends while a first poll is reading pages is news, whatever page shows it', async () => {
	const service = new SlowService(0.2);
	const lifetime = 20 * SECOND;
	const source = runService(service, TIMES, lifetime);
	let state: RunState | undefined;
	const given: string[] = [];
	for (let poll = 0; poll < 10; poll++) {
		const polled = await pollRuns(state, 'scope', source, service.budget());
		if (poll === 0) expect(polled.state.began).toBeDefined();
		state = polled.state;
		given.push(...polled.changes.map(({ run }) => changeId(run)));
		service.now += 30 * SECOND;
	}
	const ends = TIMES.filter((time) => time + lifetime > START + SECOND);
	const wanted = ends.filter((time) => time + lifetime < service.now - 2 * MINUTE);
	expect(wanted.length).toBeGreaterThan(60);
	const missing = wanted.filter((time) => !given.includes(`run/${time}/COMPLETED`));
	expect(missing).toEqual([]);
	const before = TIMES.filter((time) => time + lifetime < START).map(
		(time) => `run/${time}/COMPLETED`,
	);
	expect(given.filter((id) => before.includes(id))).toEqual([]);
	expect(new Set(given).size).toBe(given.length);
});

test.each<[string, number, Partial<RunSource<Run>>]>([
	['no response tells the time', 2, { knowsTime: () => false }],
])(
	'a run that was created after the first request is news, even when %s',
	async (_, seconds, clock) => {
		// Each response takes four seconds, and shows what was there when it was requested.
		const service = new SlowService(4);
		const created = START + seconds * SECOND;
		const source = { ...runService(service, [START - MINUTE, created], MINUTE), ...clock };
		let state: RunState | undefined;
		const given: string[] = [];
		for (let poll = 0; poll < 2; poll++) {
			const polled = await pollRuns(state, 'scope', source, service.budget(60));
			state = polled.state;
			given.push(...polled.changes.map(({ run }) => changeId(run)));
		}
		expect(given).toContain(`run/${created}/RUNNING`);
	},
);
