/** Fifty triggers with different filters share what one of them reads: each gets its own events, once. */
import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { forgetAll } from '../../../nodes/Wherobots/trigger/poll';
import { forgetThrottles } from '../../../nodes/Wherobots/transport/throttle';
import { forAll } from '../../support/forAll';
import { PlannedService, publishTrigger, type PlannedRun } from '../../support/publishedTriggers';
import { suiteInVirtualTime } from '../../support/virtualTime';
import { HISTORIES, SEED } from './histories';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const TRIGGERS = 50;

/** How many histories are run: each takes as long as ten of a single trigger. */
const WORLDS = Math.ceil(HISTORIES / 10);

/** Minutes in which everything may go wrong, and those after them in which nothing does. */
const [TROUBLED, CALM] = [12, 12];

const NAMES = ['etl', 'etl-eu', 'tiles', 'report'];

/** What a trigger wants: runs by the begin of their name, and whether only failed ones. */
const FILTERS = ['', ...NAMES].flatMap((name) =>
	[false, true].map((onlyFailed) => ({ name, onlyFailed })),
);

interface World {
	/** Seconds until the next run is created, how long it lasts, its name, and whether it fails. */
	runs: Array<[wait: number, lasts: number, name: number, hasFailed: boolean]>;
	/** When, in seconds, how many requests are refused, or how long each takes from then on. */
	troubles: Array<[at: number, refuses: number, latency: number]>;
	/** For each trigger: its filter, when it is published, and its second of the minute. */
	triggers: Array<[filter: number, published: number, second: number]>;
	/** Minutes in which n8n does not poll, and whether it is off: then it starts with an empty memory. */
	pause: [from: number, minutes: number, isOff: boolean];
}

const worlds: fc.Arbitrary<World> = fc.record({
	runs: fc.array(
		fc.tuple(
			fc.integer({ min: 0, max: 40 }),
			fc.oneof(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 0, max: 1_500 })),
			fc.nat(NAMES.length - 1),
			fc.boolean(),
		),
		{ minLength: 40, maxLength: 160 },
	),
	troubles: fc.array(
		fc.tuple(
			fc.integer({ min: 60, max: TROUBLED * 60 }),
			fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 80 })),
			fc.oneof(fc.constant(100), fc.integer({ min: 5, max: 9_000 })),
		),
		{ maxLength: 5 },
	),
	triggers: fc.array(
		fc.tuple(
			fc.nat(FILTERS.length - 1),
			fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 360 })),
			fc.nat(59),
		),
		{ minLength: TRIGGERS, maxLength: TRIGGERS },
	),
	pause: fc.tuple(
		fc.integer({ min: 2, max: 10 }),
		fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 9 })),
		fc.boolean(),
	),
});

const time = suiteInVirtualTime();

/** @returns what each trigger got, and should have got or may have got as well */
async function liveThrough({ runs: planned, troubles, triggers, pause }: World) {
	const start = Date.parse('2026-11-21T12:00:00Z');
	time.restart();
	time.now = start - 30 * MINUTE;
	forgetThrottles();
	forgetAll();
	const list: PlannedRun[] = [];
	let at = time.now;
	for (const [index, [wait, lasts, name, hasFailed]] of planned.entries()) {
		at += wait * SECOND;
		const id = `${NAMES[name]}-${index}`;
		list.unshift({ id, createdAt: at, endsAt: at + lasts * SECOND + 1, hasFailed });
	}
	const service = new PlannedService(time, list);
	const end = start + (TROUBLED + CALM) * MINUTE;
	const trouble = async () => {
		for (const [seconds, refuses, latency] of [...troubles].sort(([a], [b]) => a - b)) {
			await time.pause(start + seconds * SECOND - time.now);
			Object.assign(service, { refuses, latency });
		}
		await time.pause(start + TROUBLED * MINUTE - time.now);
		Object.assign(service, { refuses: 0, latency: 100 });
	};
	const restart = async () => {
		const [from, minutes, isOff] = pause;
		await time.pause(start + (from + minutes) * MINUTE - time.now);
		if (isOff) forgetAll();
	};
	const isPaused = (now: number) => {
		const minute = (now - start) / MINUTE;
		return minute > pause[0] && minute < pause[0] + pause[1];
	};
	const live = async ([filter, published, second]: World['triggers'][number], index: number) => {
		const { name, onlyFailed } = FILTERS[filter];
		const statuses = onlyFailed ? ['FAILED'] : ['finished'];
		const wanted = { event: 'runStatusChanged', statuses };
		const data: IDataObject = {};
		const pattern = name && `${name}-*`;
		const pollOnce = publishTrigger(service, index, pattern, undefined, wanted, data);
		const come: string[] = [];
		await time.pause(start + published * SECOND - time.now);
		let began = time.now;
		let armed = 0;
		for (let minute = Math.floor((time.now - start) / MINUTE) + 1; time.now < end; minute++) {
			const isFirst = armed === 0;
			if (isFirst) began = time.now;
			const items = await pollOnce().catch(() => []);
			if (data.state && isFirst) armed = time.now;
			come.push(...items.map(({ json }) => String(json.id)));
			const next = Math.max(start + minute * MINUTE + second * SECOND, time.now + SECOND);
			await time.pause(next - time.now);
			while (isPaused(time.now)) await time.pause(MINUTE);
		}
		const fits = list.filter(
			({ id, hasFailed }) => id.startsWith(name && `${name}-`) && (hasFailed || !onlyFailed),
		);
		const endedIn = (from: number, until: number) =>
			fits.filter(({ endsAt }) => endsAt > from && endsAt <= until).map(({ id }) => id);
		// What ends while the first poll reads may count as old.
		return { come, due: endedIn(armed, end - 5 * MINUTE), allowed: endedIn(began, end) };
	};
	const work = Promise.all([trouble(), restart(), ...triggers.map(live)]);
	const [, , ...lived] = await time.during(work, 1_000_000);
	return lived;
}

it(
	`${TRIGGERS} triggers lose, repeat and invent nothing in ${WORLDS} histories`,
	async () =>
		await forAll([worlds], { numRuns: WORLDS, seed: SEED, endOnFailure: true }, async (world) => {
			for (const { come, due, allowed } of await liveThrough(world)) {
				expect(come.filter((id, index) => come.indexOf(id) !== index)).toEqual([]);
				expect(due.filter((id) => !come.includes(id))).toEqual([]);
				expect(come.filter((id) => !allowed.includes(id))).toEqual([]);
			}
		}),
	600_000,
);
