/** Tested by test/engine/trigger/usual.test.ts. What is usual for a run: the median of the last completed runs of the same work. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { defineCountField, defineTextField } from '../../form/declarations';
import { defineOptions } from '../../form/fields';
import type { Input } from '../../form/input';
import type { RunKind, RunRecord } from '../../service/records/kind';
import type { Micros } from '../../service/time';
import type { Client } from '../../transport/client';
import { clock } from '../../transport/clock';
import { runInParallel } from '../../transport/concurrency';
import { Failure, settle } from '../../transport/failure';
import { fetchPage } from '../../transport/records';

export interface Comparison {
	factor: number;
	/** How many completed runs are compared with. */
	compared: number;
}

const comparedRunsOption = defineCountField({
	displayName: 'Runs to Compare With',
	name: 'comparedRuns',
	typeOptions: { minValue: 5, maxValue: 100 },
	default: 20,
	description: 'Number of recent completed runs whose median counts as usual',
});

/**
 * The fields for how many times as much as usual is too much.
 *
 * @param takes `takes this many times as long`
 */
export function defineComparison(displayName: string, takes: string) {
	const factorField: INodeProperties = {
		...defineTextField({
			displayName,
			name: 'factor',
			rule: (text) =>
				/^\d{1,4}(\.\d{1,3})?$/.test(text) && (Number(text) === 0 || Number(text) > 1)
					? undefined
					: 'must be a number above 1, such as 2 or 1.5, or 0 for no such limit',
			description: `Also report a run that ${takes} as the median of the last completed runs of the same name, for example 2. A date or a number from 2 to 99 at the end of a name does not count. 0 means no such limit.`,
		}),
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 9_999, numberPrecision: 3 },
		default: 0,
	};
	const optionsField = defineOptions(comparedRunsOption);
	return {
		factorField,
		optionsField,
		/** Undefined when no run is compared with others. */
		read(input: Input): Comparison | undefined {
			const factor = Number(input.text(factorField));
			const compared = input.within(optionsField).integer(comparedRunsOption);
			return factor === 0 ? undefined : { factor, compared };
		},
	};
}

/** What an item says of a comparison. @param isUsual whether the limit that was passed comes from it */
export const describeComparison = (
	{ factor }: Comparison,
	usual: Usual | undefined,
	isUsual: boolean,
): IDataObject => ({
	exceededLimit: isUsual ? 'usual' : 'fixed',
	factor,
	comparedRuns: usual?.runs ?? 0,
});

/** Fewer completed runs do not tell what is usual. */
export const LEAST_RUNS = 5;

/** How long what was read serves all triggers of a process, in milliseconds, and how much of it is kept. */
const MAX_AGE_MS = 3_600_000;
const MAX_READINGS = 2_000;

/** How many requests are made at once for one name, and for how many names. */
export const READ_AT_ONCE = 5;

/** A manual test looks back for months, over more names than it has time for. */
const NAMES_OF_TEST = 20;

/** A completed run. */
export interface PastRun {
	id: string;
	/** Whether its results are those of an earlier run. */
	isCached: boolean;
	ended: Micros | undefined;
	/** Undefined where its times say nothing. */
	duration: Micros | undefined;
	/** The ID under which it is billed. */
	appId: string | undefined;
}

/** What completed runs took or cost, by their IDs, the last one first. */
type Values = ReadonlyArray<readonly [id: string, value: number]>;

/** What runs are measured by. */
export interface Measure {
	name: string;
	of(client: Client, past: readonly PastRun[]): Promise<Values> | Values;
}

/** The median, of how many runs it is, and the limit that follows from it. */
export interface Usual {
	median: number;
	runs: number;
	limit: number;
}

/** What completed runs took or cost, or why that is not known. */
interface Past {
	values: Values;
	problem?: string;
}

interface Reading<T = unknown> {
	readAt: number;
	result: Promise<T>;
	/** The problem that was said last. */
	said?: string;
}

const readings = new Map<string, Reading>();

/** Forgets everything, as a restart of n8n does. */
export function forgetUsual(): void {
	readings.clear();
}

interface Asked {
	/** Undefined when nothing is compared. */
	comparison: Comparison | undefined;
	works: Iterable<string>;
	/** Whether it is for a manual test: of the first few names then. */
	isTest: boolean;
}

/**
 * Finds out what is usual for pieces of work, of which the service is asked at most once an hour.
 *
 * @returns what is usual for a run of one of them; undefined when too few others have completed
 * @throws Failure when the service cannot be read at the moment, or there is no time for it
 */
export async function fetchUsual<R extends RunRecord>(
	client: Client,
	kind: RunKind<R>,
	measure: Measure,
	{ comparison, works, isTest }: Asked,
): Promise<{ find(work: string, id: string): Usual | undefined; notes: string[] }> {
	if (!comparison) return { find: () => undefined, notes: [] };
	const asked = [...new Set(works)].slice(0, isTest ? NAMES_OF_TEST : undefined);
	const values = new Map<string, Values>();
	const notes: string[] = [];
	await runInParallel(asked.length, READ_AT_ONCE, async (index) => {
		const work = asked[index];
		const reading = readHourly(
			[client.account, kind.list, work, measure.name],
			async () => await measurePast(client, kind, measure, work),
		);
		const past = await reading.result;
		values.set(work, past.values);
		const { problem } = past;
		if (problem !== undefined && problem !== reading.said) {
			notes.push(`what is usual for ${kind.noun} "${work}" ${problem}`);
		}
		reading.said = problem;
	});
	const find = (work: string, id: string) => {
		const others = (values.get(work) ?? []).filter(([other]) => other !== id);
		return computeUsual(others.slice(0, comparison.compared), comparison.factor);
	};
	return { find, notes };
}

function computeUsual(values: Values, factor: number): Usual | undefined {
	const { length } = values;
	if (length < LEAST_RUNS) return undefined;
	const sorted = values.map(([, value]) => value).sort((a, b) => a - b);
	const median = (sorted[Math.floor((length - 1) / 2)] + sorted[Math.floor(length / 2)]) / 2;
	return { median, runs: length, limit: factor * median };
}

/** @throws Failure when the service cannot be read at the moment */
async function measurePast<R extends RunRecord>(
	client: Client,
	kind: RunKind<R>,
	measure: Measure,
	work: string,
): Promise<Past> {
	const { result } = readHourly(
		[client.account, kind.list, work],
		async () => await fetchPastRuns(client, kind, work),
	);
	const read = await settle(result.then(async (past) => await measure.of(client, past)));
	if (read.ok) {
		const isKnown = read.value.length >= LEAST_RUNS;
		const problem = isKnown ? undefined : 'is not known yet: fewer than five have completed.';
		return { values: read.value, problem };
	}
	const { error } = read;
	if (!(error instanceof Failure) || error.parts.temporary) throw error;
	return { values: [], problem: `cannot be read. ${error.message}` };
}

/** The completed runs of a piece of work on one page of the list, the last one first. */
async function fetchPastRuns<R extends RunRecord>(
	client: Client,
	kind: RunKind<R>,
	work: string,
): Promise<PastRun[]> {
	const filter = kind.ofWork(work);
	if (!filter) return [];
	const query = { ...filter, [kind.statusName]: [kind.completed] };
	const { items } = await fetchPage(client, kind, { query });
	return items
		.filter((run) => kind.toWork(run) === work)
		.sort((a, b) => (b.created ?? 0) - (a.created ?? 0))
		.map(({ id, started, ended, isCached = false, appId }) => ({
			...{ id, appId, isCached, ended },
			duration:
				isCached || started === undefined || ended === undefined ? undefined : ended - started,
		}));
}

/** What was read in the last hour, or else is read now. A failure is not kept. */
function readHourly<T>(parts: readonly string[], read: () => Promise<T>): Reading<T> {
	const key = JSON.stringify(parts);
	const now = clock.monotonic();
	const known = readings.get(key) as Reading<T> | undefined;
	if (known && now - known.readAt < MAX_AGE_MS) return known;
	const reading: Reading<T> = { readAt: now, result: read(), said: known?.said };
	readings.delete(key);
	readings.set(key, reading);
	if (readings.size > MAX_READINGS) readings.delete([...readings.keys()][0]);
	reading.result.catch(() => readings.delete(key));
	return reading;
}
