/** Tested by test/engine/trigger/usual.test.ts. What is usual for a run: the median of the last completed runs of the same work. */
import type { INodeProperties } from 'n8n-workflow';

import { defineCountField, defineTextField } from '../../form/declarations';
import { defineOptions } from '../../form/fields';
import type { Input } from '../../form/input';
import type { RunKind, RunRecord } from '../../service/records/kind';
import type { Client } from '../../transport/client';
import { clock } from '../../transport/clock';
import { runInParallel } from '../../transport/concurrency';
import { Failure, hasStatus, isTemporary, settle } from '../../transport/failure';
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
					: 'must be a number above 1, such as 2 or 1.5, or 0 to turn this off',
			description: `Also start the workflow for a run that ${takes} as the median of the last completed runs with the same name or of the same task, if there are at least five. A date or a small number at the end of a job run's name is ignored. Enter 0 to turn this off.`,
		}),
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 9_999 },
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

/** Fewer completed runs do not tell what is usual. */
export const LEAST_RUNS = 5;

/** How long what was read serves all triggers of a process, in milliseconds, and how much of it is kept. */
const MAX_AGE_MS = 3_600_000;
const MAX_READINGS = 2_000;

/** For how long a failure that may pass fails the polls, which loses nothing, in milliseconds. */
const PATIENCE_MS = 300_000;

/** How many requests are made at once for one name, and for how many names. */
export const READ_AT_ONCE = 5;

/** A manual test looks back for months, over more names than it has time for. */
const NAMES_OF_TEST = 20;

/** What completed runs took or cost, by their IDs, the last one first. */
type Values = ReadonlyArray<readonly [id: string, value: number]>;

/** What runs are measured by. */
export interface Measure {
	/** What a run must have in order to count, for sentences. */
	name: string;
	of(client: Client, past: readonly RunRecord[]): Promise<Values> | Values;
}

/** The median, of how many runs it is, and the limit that follows from it. */
export interface Usual {
	/** Undefined when it is not known, or nothing. */
	median?: number;
	runs: number;
	limit: number;
}

const UNKNOWN: Usual = { runs: 0, limit: Infinity };

/** What an item says of a comparison. @param isUsual whether the limit that was passed comes from it */
export const describeComparison = ({ factor }: Comparison, { runs }: Usual, isUsual: boolean) => ({
	exceededLimit: isUsual ? 'usual' : 'fixed',
	factor,
	comparedRuns: runs,
});

/** What completed runs took or cost, and why nothing follows from it, if that is so. */
interface Past {
	values: Values;
	problem?: string;
}

interface Reading {
	/** -Infinity after a failure that fails the poll. */
	readAt: number;
	result: Promise<Past>;
	failingSince?: number;
	/** The problem that was said last. */
	said?: string;
}

const readings = new Map<string, Reading>();

/** Forgets everything, as a restart of n8n does. */
export function forgetUsual(): void {
	readings.clear();
}

/**
 * Finds out what is usual for pieces of work, of which the service is asked at most once an hour.
 *
 * @param asked `comparison`: undefined when nothing is compared; `isTest`: whether it is for a manual test,
 * of the first few names then; `isAlone`: whether no fixed limit is left where the past is refused
 * @returns what is usual for a run of one of them, and what to say of those that are not known
 * @throws Failure when the service cannot be read at the moment, or there is no time for it
 */
export async function fetchUsual<R extends RunRecord>(
	client: Client,
	kind: RunKind<R>,
	measure: Measure,
	asked: { comparison?: Comparison; works: string[]; isTest: boolean; isAlone?: boolean },
): Promise<{ find(work: string | undefined, id: string): Usual; notes: string[] }> {
	const { comparison, isTest, isAlone } = asked;
	if (!comparison) return { find: () => UNKNOWN, notes: [] };
	const works = [...new Set(asked.works)].slice(0, isTest ? NAMES_OF_TEST : undefined);
	const pasts = await runInParallel(works.length, READ_AT_ONCE, async (index) => {
		const reading = readHourly(client, kind, measure, works[index]);
		const read = await settle(reading.result);
		if (read.ok) return { reading, ...read.value };
		const failure = read.error as Failure;
		const isRefused = hasStatus(failure, 401, 403);
		if (isAlone && isRefused) reading.readAt = -Infinity;
		// What one trigger asks for again does not hold back another, which has a limit of its own.
		if (isRefused ? isAlone : reading.readAt < 0) throw failure;
		return { reading, values: [], problem: `cannot be read. ${failure.message}` };
	});
	const notes: string[] = [];
	for (const [index, { reading, problem }] of pasts.entries()) {
		if (problem !== undefined && problem !== reading.said) {
			notes.push(`what is usual for ${kind.noun} "${works[index]}" ${problem}`);
		}
		// The notes of a manual test are not logged.
		if (!isTest) reading.said = problem;
	}
	const values = new Map(pasts.map((past, index) => [works[index], past.values]));
	const find = (work = '', id: string) => {
		const others = (values.get(work) ?? []).filter(([other]) => other !== id);
		return computeUsual(others.slice(0, comparison.compared), comparison.factor);
	};
	return { find, notes };
}

function computeUsual(values: Values, factor: number): Usual {
	const { length: runs } = values;
	if (runs < LEAST_RUNS) return UNKNOWN;
	const sorted = values.map(([, value]) => value).sort((a, b) => a - b);
	const median = (sorted[Math.floor((runs - 1) / 2)] + sorted[Math.floor(runs / 2)]) / 2;
	return median > 0 ? { median, runs, limit: factor * median } : UNKNOWN;
}

/**
 * What the completed runs of a piece of work on one page of the list took or cost, the last one first, or
 * why nothing follows from it.
 */
async function measurePast<R extends RunRecord>(
	client: Client,
	kind: RunKind<R>,
	measure: Measure,
	work: string,
): Promise<Past> {
	const filter = kind.ofWork(work);
	if (!filter) throw new Failure({ message: 'The service cannot filter by this name.' });
	const query = { ...filter, [kind.statusName]: [kind.completed] };
	const { items, next } = await fetchPage(client, kind, { query });
	const past = items
		.filter((run) => kind.toWork(run) === work)
		.sort((a, b) => (b.created ?? 0) - (a.created ?? 0));
	const values = await measure.of(client, past);
	if (values.length >= LEAST_RUNS) return { values };
	const which = next === undefined ? 'completed runs' : 'of its most recent completed runs';
	return { values, problem: `is not known yet: fewer than five ${which} have a ${measure.name}.` };
}

/** What was read in the last hour, or else is read now. A failure that may pass is not kept, for a while. */
function readHourly<R extends RunRecord>(
	client: Client,
	kind: RunKind<R>,
	measure: Measure,
	work: string,
): Reading {
	const key = JSON.stringify([client.account, kind.list, work, measure.name]);
	const now = clock.monotonic();
	const known = readings.get(key);
	if (known && now - known.readAt < MAX_AGE_MS) return known;
	const result = measurePast(client, kind, measure, work);
	const reading: Reading = { ...known, readAt: now, result };
	readings.delete(key);
	readings.set(key, reading);
	if (readings.size > MAX_READINGS) readings.delete([...readings.keys()][0]);
	reading.result.then(
		() => (reading.failingSince = undefined),
		(error: unknown) => {
			reading.failingSince ??= now;
			const isPassing = isTemporary(error) && now - reading.failingSince < PATIENCE_MS;
			if (isPassing || !(error instanceof Failure)) reading.readAt = -Infinity;
		},
	);
	return reading;
}
