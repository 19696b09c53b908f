import type * as ReadList from '../../../../nodes/Wherobots/trigger/core/readList';
import type * as ReadPages from '../../../../nodes/Wherobots/trigger/core/readPages';
import type * as SeenEvents from '../../../../nodes/Wherobots/trigger/core/audit/seenEvents';
import type { SeenEvent, TrackedRun } from '../../../../nodes/Wherobots/trigger/core/state';
import type * as TrackedRuns from '../../../../nodes/Wherobots/trigger/core/runs/trackedRuns';
import type * as Watermark from '../../../../nodes/Wherobots/trigger/core/watermark';

export type Core = 'runs' | 'audit';

type Mutate = (actual: never) => object;

export interface Mutant {
	mistake: string;
	/** The module of the core that has it. */
	module: string;
	mutate: Mutate;
	/** The histories that can notice it; both without. */
	only?: Core;
	/** It takes thousands of histories: whether a thousand of them notice it depends on the seed. */
	isRare?: true;
}

/** What the clock of the history says, for mistakes that believe in it. */
export const present = { time: 0 };

/**
 * The mistakes that a trigger is likely to make, planted one at a time: a property that lets one of
 * them pass proves nothing. `mutate` replaces members of the module of that name.
 */
export const mutants: Mutant[] = [
	{
		mistake: 'no overlap: records that appear after younger ones are forgotten',
		module: 'watermark',
		mutate: (actual: typeof Watermark) => ({
			nextWatermark: (watermark: number, shown: number | undefined) =>
				actual.nextWatermark(watermark, shown, 0),
		}),
	},
	{
		mistake: 'final by the clock alone: what a log shows later is lost',
		module: 'watermark',
		mutate: (actual: typeof Watermark) => ({
			nextWatermark: (watermark: number, shown: number | undefined, overlap: number) =>
				actual.nextWatermark(watermark, shown && Math.max(shown, present.time), overlap),
		}),
	},
	{
		mistake: 'times from the future move the watermark',
		module: 'watermark',
		mutate: () => ({ isFuture: () => false }),
	},
	{
		mistake: 'lists are asked for in fractions of a second',
		module: 'watermark',
		mutate: () => ({ listedFrom: (watermark: number) => watermark, wholeSecond: (t: number) => t }),
		only: 'audit',
	},
	{
		mistake: 'a failed page counts as the end of the list',
		module: 'readPages',
		mutate: (actual: typeof ReadPages) => ({
			readPages: async (plan: ReadPages.PagedRead<unknown>): Promise<ReadPages.PagedReadResult> => {
				const newest = plan.source.now();
				const end = { kind: 'complete' as const, pages: 1, shifted: false, short: false, newest };
				return await actual.readPages(plan).catch(() => end);
			},
		}),
		only: 'runs',
	},
	{
		mistake: 'a list that there was no time to read to its end counts as read',
		module: 'readPages',
		mutate: (actual: typeof ReadPages) => ({
			readPages: async (plan: ReadPages.PagedRead<unknown>): Promise<ReadPages.PagedReadResult> => {
				const read = await actual.readPages(plan);
				if (read.kind !== 'truncated') return read;
				const { newest, oldestNew } = read.resume;
				return { kind: 'complete', pages: 2, shifted: false, short: false, newest, oldestNew };
			},
		}),
		only: 'runs',
	},
	{
		mistake: 'a list with fewer records than its total is believed',
		module: 'readPages',
		mutate: (actual: typeof ReadPages) => ({
			readPages: async (plan: ReadPages.PagedRead<unknown>): Promise<ReadPages.PagedReadResult> => {
				const read = await actual.readPages(plan);
				return read.kind === 'complete' ? { ...read, short: false } : read;
			},
		}),
		only: 'runs',
	},
	{
		mistake: 'several pages count as one moment: runs',
		module: 'readPages',
		mutate: (actual: typeof ReadPages) => ({
			readPages: async (plan: ReadPages.PagedRead<unknown>): Promise<ReadPages.PagedReadResult> => {
				const read = await actual.readPages(plan);
				return read.kind === 'complete' ? { ...read, pages: 1 } : read;
			},
		}),
		only: 'runs',
	},
	...(
		[
			['a list that there was no time to read to its end counts as read', 'truncated', {}],
			['an export that was cut counts as whole', 'cut', {}],
			['a page where an earlier poll stopped counts as the last one', 'restart', {}],
			['several pages count as one moment', 'complete', { isWhole: true }],
			['a list that contradicts itself is believed', 'complete', { isOdd: false }],
		] as const
	).map(([mistake, kind, more]) => ({
		mistake: `${mistake}: events`,
		module: 'readList',
		mutate: (actual: typeof ReadList) => ({
			readList: async (plan: ReadList.ListPlan<unknown>): Promise<ReadList.ListReading> => {
				const read = await actual.readList(plan);
				if (read.kind !== kind) return read;
				const whole = { kind: 'complete' as const, isOdd: false, isWhole: true, isProven: true };
				return read.kind === 'complete' ? { ...read, ...more } : whole;
			},
		}),
		only: 'audit' as const,
	})),
	{
		mistake: 'one "not found" is enough',
		module: 'runs/trackedRuns',
		mutate: (actual: typeof TrackedRuns) => ({
			TrackedRuns: class extends actual.TrackedRuns {
				override noteMissing(): [number, number] {
					return [99, -Infinity];
				}
			},
		}),
		only: 'runs',
	},
	{
		mistake: 'the scope knows no identity: runs',
		module: 'recognizeKey',
		mutate: () => ({ isKnownService: async () => await Promise.resolve(true) }),
		only: 'runs',
	},
	{
		mistake: 'the scope knows no identity: events',
		module: 'recognizeKey',
		mutate: () => ({ isKnownLog: async () => await Promise.resolve(true) }),
		only: 'audit',
	},
	{
		mistake: 'every new key is one of another organization: runs',
		module: 'recognizeKey',
		mutate: () => ({ isKnownService: async () => await Promise.resolve(undefined) }),
		only: 'runs',
	},
	{
		mistake: 'every new key is one of another organization: events',
		module: 'recognizeKey',
		mutate: () => ({ isKnownLog: async () => await Promise.resolve(undefined) }),
		only: 'audit',
	},
	{
		mistake: 'a stored cursor that is refused is asked for again and again',
		module: 'readPages',
		mutate: (actual: typeof ReadPages) => ({
			readPages: async (plan: ReadPages.PagedRead<unknown>): Promise<ReadPages.PagedReadResult> =>
				await actual.readPages({
					...plan,
					source: { ...plan.source, now: () => plan.source.now(), maySuspectCursor: () => false },
				}),
		}),
		only: 'runs',
	},
	{
		mistake: 'ended runs are forgotten beyond a limit',
		module: 'runs/trackedRuns',
		mutate: (actual: typeof TrackedRuns) => ({
			TrackedRuns: class extends actual.TrackedRuns {
				override entries(from: number, now: number): TrackedRun[] {
					return super.entries(from, now).slice(-2);
				}
			},
		}),
		only: 'runs',
	},
	{
		mistake: 'keys are dropped beyond a limit',
		module: 'audit/seenEvents',
		mutate: (actual: typeof SeenEvents) => ({
			SeenEvents: class extends actual.SeenEvents {
				override entries(from: number): SeenEvent[] {
					return super.entries(from).slice(-4);
				}
			},
		}),
		only: 'audit',
	},
];
