import * as fc from 'fast-check';

import type { Weather } from './calls';
import type { Kill } from './engine';
import type { ListStyle } from './pages';
import type { ClockStep, ServiceHabits } from './serviceClock';

/** What may happen apart from changes in the service. */
export type CommonStep<C> =
	| { kind: 'wait'; seconds: number }
	/** A lot happens between polls: changes, with a number of seconds after each. */
	| { kind: 'busy'; changes: Array<[change: C, seconds: number]> }
	| PollStep<C>
	| { kind: 'restart' }
	| { kind: 'rollBack'; steps: number }
	| { kind: 'skew'; seconds: number }
	| { kind: 'rescope' }
	| ClockStep;

export interface PollStep<C> extends Omit<Weather, 'before'> {
	kind: 'poll';
	kill?: Kill;
	between?: Array<[call: number, change: C]>;
	/** Another poll begins before this request. */
	overlapAt?: number;
}

/** What a service is like, and what happens there and in n8n. */
export interface History<H, C> {
	engine: 'classic' | 'durable';
	habits: H;
	steps: Array<C | CommonStep<C>>;
}

export const engine = fc.constantFrom('classic' as const, 'durable' as const);

export const listStyle = fc.record({
	order: fc.constantFrom('newestFirst', 'oldestFirst', 'shuffled'),
	cursors: fc.constantFrom('keyset', 'offset', 'offset'),
	pageSize: fc.integer({ min: 2, max: 5 }),
}) as fc.Arbitrary<ListStyle>;

/** Something unusual one time in `weight`. */
export const rarely = <T, U>(weight: number, usual: T, arbitrary: fc.Arbitrary<U>) =>
	fc.oneof({ weight: weight - 1, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary });

/** How a service behaves for the length of a history. */
export const habits = (longestLag: number): fc.Arbitrary<ServiceHabits> =>
	fc.record({
		tellsTime: rarely(4, true, fc.constant(false)),
		dateSkewSeconds: rarely(
			12,
			0,
			fc
				.constantFrom(-1, 1)
				.chain((sign) => fc.integer({ min: 10, max: 300 }).map((days) => sign * days * 86_400)),
		),
		behindSeconds: rarely(4, 0, fc.integer({ min: 1, max: 7200 })),
		datesAhead: rarely(3, false, fc.constant(true)),
		replicaLagSeconds: rarely(2, 0, fc.integer({ min: 1, max: longestLag })),
		requestSeconds: rarely(2, 0, fc.integer({ min: 1, max: 10 })),
	});

/** A kind of step, and how often it occurs. */
export const step = <K extends string, T = object>(
	weight: number,
	kind: K,
	facts?: { [P in keyof T]: fc.Arbitrary<T[P]> },
) => ({
	weight,
	arbitrary: (facts
		? fc.record({ kind: fc.constant(kind), ...facts })
		: fc.constant({ kind })) as fc.Arbitrary<{ kind: K } & T>,
});

/** Waits of seconds: many short ones, so that lists have several pages, and some long ones, so that standstills last. */
const usualWaits = fc.oneof(
	{ weight: 3, arbitrary: fc.integer({ min: 1, max: 90 }) },
	{ weight: 1, arbitrary: fc.integer({ min: 1, max: 20_000 }) },
);

/** So many steps of a history in which `change` is what happens in the service. */
export function stepsOf<C>(
	length: number,
	change: fc.Arbitrary<C>,
	waits = usualWaits,
): fc.Arbitrary<Array<C | CommonStep<C>>> {
	// Mostly one of the first requests, since many polls need no more.
	const request = fc.oneof(
		fc.constant(1),
		fc.integer({ min: 2, max: 5 }),
		fc.integer({ min: 2, max: 20 }),
	);
	const pause = fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 20, max: 150 }));
	const busy = fc.array(fc.tuple(change, pause), { minLength: 6, maxLength: 20 });
	const poll = step<'poll', Omit<PollStep<C>, 'kind'>>(24, 'poll', {
		failAt: rarely(4, undefined, fc.integer({ min: 1, max: 7 })),
		calls: rarely(5, undefined, request),
		refuses: rarely(9, false, fc.constant(true)),
		emptyAt: rarely(9, undefined, request),
		blankAt: rarely(9, undefined, request),
		endAt: rarely(7, undefined, request),
		repeatAt: rarely(9, undefined, request),
		crowdedFrom: rarely(5, undefined, fc.integer({ min: 1, max: 5 })),
		missingFrom: rarely(9, undefined, fc.integer({ min: 1, max: 5 })),
		kill: rarely(
			14,
			'none' as const,
			fc.constantFrom('beforeCommit', 'betweenEmitAndSave', 'betweenSaveAndEmit'),
		),
		between: fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), change), { maxLength: 2 }),
		overlapAt: rarely(5, undefined, fc.integer({ min: 1, max: 3 })),
	});
	// Starting afresh is rare, because what was lost before need not come then.
	const any = fc.oneof(
		{ weight: 18, arbitrary: change },
		step(9, 'wait', { seconds: waits }),
		step(6, 'busy', { changes: busy }),
		poll,
		step(3, 'restart'),
		step(2, 'rollBack', { steps: fc.integer({ min: 1, max: 3 }) }),
		step(3, 'skew', { seconds: fc.integer({ min: -40_000, max: 40_000 }) }),
		step(1, 'rescope'),
		step(3, 'stall'),
		step(5, 'goOn', { speed: fc.constantFrom(Infinity, Infinity, 1, 1.5, 3) }),
	);
	return fc.array(any, { minLength: length, maxLength: length });
}
