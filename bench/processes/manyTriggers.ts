/**
 * Triggers on one key at the package's own pace, in virtual time: hours pass as fast as they are computed.
 * What the service gets, and when, does not depend on the machine.
 */
import type { IDataObject } from 'n8n-workflow';

import { PUBLISHED } from '../pace';
import { forgetAll } from '../../nodes/Wherobots/trigger/poll';
import { forgetThrottles } from '../../nodes/Wherobots/transport/throttle';
import { clientWith } from '../../test/support/clientWith';
import {
	createStarter,
	type PlannedRun,
	PlannedService,
	publishTrigger,
} from '../../test/support/publishedTriggers';
import { liveInVirtualTime } from '../../test/support/virtualTime';
import { serve } from './remote';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Minutes of polls before a pause, after it until all has to be as before, and after that. */
const BEFORE = 6;
const RECOVERY = 5;
const AFTER = 6;

/** Between two job runs; each tenth fails, and each fortieth takes longer than lists are read back. */
const NEW_RUN_EVERY = 3 * SECOND;

const NAMES = 10;

export interface Scene {
	triggers: number;
	/** Whether they watch five kinds of events instead of the status of job runs. */
	isMixed?: boolean;
	/** How long nothing polls. */
	pausedMinutes?: number;
	/** Between two polls of a trigger; one unless given. n8n has them all poll in the same minute. */
	everyMinutes?: number;
}

export interface Figures {
	/** Requests in a minute once all is as before, and in the first one after the pause. */
	perMinute: number;
	inFirstMinute: number;
	/** From the ends of runs to their events, in milliseconds: once all is as before. */
	lateMs: number[];
	/** From the end of the pause until each trigger has polled once, in milliseconds. */
	allPolledMs: number;
	/** How many requests came while the service had already got as many as it allows. */
	overRate: number;
	/** How long a request of an execution waited at most, in milliseconds. */
	longestWaitMs: number;
	/** Events that came twice. */
	repeated: number;
}

/** What a trigger of this place watches, and by which name. */
function chooseEvent(index: number, isMixed: boolean): [name: string, event?: IDataObject] {
	if (!isMixed) return [`run-${index % NAMES}-`];
	const place = Math.floor(index / 5);
	const name = `run-${place % 4}-`;
	return (
		[
			[name],
			[name, { event: 'runExceededDuration', pendingMinutes: 30, runningMinutes: 120 }],
			[name, { event: 'runExceededCost', costLimit: '25' }],
			['', { event: 'auditEvent', searchTerm: `term-${place % 3}` }],
			[
				'',
				{
					...{ event: 'tableChanged', watch: 'table', catalogId: 'c1', namespace: 'sales' },
					table: `table-${place % 3}`,
				},
			],
		] as Array<[string, IDataObject?]>
	)[index % 5];
}

function planRuns(from: number, until: number): PlannedRun[] {
	const runs: PlannedRun[] = [];
	for (let at = from - 90 * MINUTE; at < until; at += NEW_RUN_EVERY) {
		const number = runs.length;
		const lasts = number % 40 === 0 ? 7 * MINUTE : (number % 20) * 10 * SECOND;
		runs.unshift({
			...{ id: `run-${number % NAMES}-${number}`, createdAt: at, endsAt: at + lasts },
			hasFailed: number % 10 === 0,
		});
	}
	return runs;
}

function countOverRate(asked: number[]): number {
	const { requests, windowMs } = PUBLISHED;
	return asked.filter((at, index) => at - (asked[index - requests] ?? -Infinity) < windowMs).length;
}

export const manyTriggersFunctions = {
	async measure({
		triggers,
		isMixed,
		pausedMinutes = 0,
		everyMinutes = 1,
	}: Scene): Promise<Figures> {
		forgetThrottles();
		forgetAll();
		const time = liveInVirtualTime();
		time.now = Date.parse('2026-11-21T12:00:00Z');
		const began = time.now;
		const end = began + (BEFORE + pausedMinutes) * MINUTE;
		const interval = everyMinutes * MINUTE;
		const settled = end + RECOVERY * interval;
		const until = settled + AFTER * interval;
		const service = new PlannedService(time, planRuns(began, until));
		for (let at = began; at < until; at += 10 * SECOND) {
			service.events.unshift({ id: `event-${at}`, at });
			if (at % MINUTE === 0) service.commits.push(at);
		}
		const start = createStarter();
		const polled: number[] = [];
		let repeated = 0;
		const found = new Set<string>();
		const live = async (index: number) => {
			const [name, event] = chooseEvent(index, isMixed === true);
			const poll = publishTrigger(service, index, name && `${name}*`, undefined, event);
			const noticed = new Map<string, number>();
			const pollAt = async (at: number) => {
				await time.pause(at - time.now);
				for (const { json } of await poll()) {
					found.add(String(event?.event));
					if (event) continue;
					if (noticed.has(String(json.id))) repeated++;
					noticed.set(String(json.id), time.now);
				}
			};
			// n8n gives each trigger a second of the minute, and polls each when it starts.
			const second = (index % 60) * SECOND;
			for (let minute = 0; minute < BEFORE; minute++)
				await pollAt(began + minute * MINUTE + second);
			await time.pause(end - time.now);
			if (index === 0) forgetAll();
			await start(async () => pollAt(time.now));
			polled.push(time.now - end);
			for (let at = end + second; at < until; at += interval) if (at >= time.now) await pollAt(at);
			return service.runs
				.filter(({ id, endsAt }) => !event && id.startsWith(name) && isJudged(endsAt))
				.map(({ id, endsAt }) => (noticed.get(id) ?? Infinity) - endsAt);
		};
		const isJudged = (endsAt: number) => endsAt >= settled && endsAt < until - 2 * interval;

		let longestWaitMs = 0;
		const execute = async () => {
			const answer = async () => await Promise.resolve({ body: '{}' });
			const credential = { apiKey: 'wbk_key', baseUrl: 'https://api.example.com' };
			const { client } = await clientWith({ credential, answer });
			while (time.now < until) {
				await time.pause(7 * SECOND);
				const asked = time.now;
				await client.call('getOrganization');
				longestWaitMs = Math.max(longestWaitMs, time.now - asked);
			}
		};
		const all = Promise.all([
			...Array.from({ length: triggers }, async (_, index) => await live(index)),
			execute().then(() => []),
		]);
		const lateMs = (await time.during(all, Infinity)).flat().sort((a, b) => a - b);
		// Those on duration and cost have nothing to say here.
		if (isMixed && !['auditEvent', 'tableChanged'].every((event) => found.has(event))) {
			throw new Error(`Only these events came: ${[...found].join(', ')}`);
		}
		return {
			...{ lateMs, repeated, longestWaitMs, overRate: countOverRate(service.asked) },
			perMinute: Math.round(service.countFrom(settled, until) / (AFTER * everyMinutes)),
			inFirstMinute: service.countFrom(end, end + MINUTE),
			allPolledMs: Math.max(...polled),
		};
	},
};

export type ManyTriggersFunctions = typeof manyTriggersFunctions;

serve(manyTriggersFunctions);
