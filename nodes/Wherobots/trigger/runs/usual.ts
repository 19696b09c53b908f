/** Tested by test/engine/trigger/usual.test.ts. What is usual for a run: the median of the last completed runs of the same work. */
import type { INodeProperties } from 'n8n-workflow';

import { defineCountField, defineTextField } from '../../form/declarations';
import type { Input } from '../../form/input';
import type { RunKind, RunRecord } from '../../service/records/kind';
import type { Micros } from '../../service/time';
import type { Client } from '../../transport/client';
import { clock } from '../../transport/clock';
import { runInParallel } from '../../transport/concurrency';
import { Failure, settle } from '../../transport/failure';
import { fetchPage } from '../../transport/records';
import type { Budget } from '../core/source';

/** How many times as much as usual is too much. @param takes `takes … times as long` */
export const defineFactorField = (displayName: string, takes: string): INodeProperties => ({
	...defineTextField({
		displayName,
		name: 'factor',
		rule: (text) =>
			/^\d{1,4}(\.\d{1,3})?$/.test(text) && (Number(text) === 0 || Number(text) > 1)
				? undefined
				: 'must be a number above 1, such as 2 or 1.5, or 0 for no such limit',
		description: `Also report a run that ${takes} as the median of the last completed runs of the same name, for example 2. A date or number at the end of a name does not count. 0 means no such limit.`,
	}),
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 9_999, numberPrecision: 3 },
	default: 0,
});

export const comparedRunsOption = defineCountField({
	displayName: 'Runs to Compare With',
	name: 'comparedRuns',
	typeOptions: { minValue: 5, maxValue: 100 },
	default: 20,
	description: 'Of how many of the last completed runs the median is taken',
});

/** @returns undefined when no run is compared with others */
export function readComparison(
	input: Input,
	factorField: INodeProperties,
	options: INodeProperties,
): Comparison | undefined {
	const factor = Number(input.text(factorField));
	if (factor === 0) return undefined;
	return { factor, compared: input.within(options).integer(comparedRunsOption) };
}

export interface Comparison {
	factor: number;
	/** How many completed runs are compared with. */
	compared: number;
}

/** Fewer completed runs do not tell what is usual. */
const LEAST_RUNS = 5;

/** How long what was read serves all triggers of a process, in milliseconds, and how much of it is kept. */
const MAX_AGE_MS = 3_600_000;
const MAX_REMEMBERED = 2_000;

const READ_AT_ONCE = 5;

/** A completed run. */
export interface PastRun {
	id: string;
	/** In microseconds. */
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

/** The median, and of how many runs it is. */
export interface Usual {
	median: number;
	runs: number;
}

const remembered = new Map<string, { readAt: number; value: Promise<unknown> }>();
const noted = new Set<string>();

/** Forgets everything, as a restart of n8n does. */
export function forgetUsual(): void {
	remembered.clear();
	noted.clear();
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
	{ works, compared }: { works: Iterable<string>; compared: number },
	budget: Budget,
): Promise<{ find(work: string, id: string): Usual | undefined; notes: string[] }> {
	const asked = [...new Set(works)];
	const values = new Map<string, Values>();
	const notes: string[] = [];
	const note = (text: string) => {
		if (noted.size >= MAX_REMEMBERED) noted.clear();
		if (!noted.has(text)) notes.push(text);
		noted.add(text);
	};
	await runInParallel(asked.length, READ_AT_ONCE, async (index) => {
		const work = asked[index];
		const key = [client.account, kind.list, work];
		const readPast = async () => await fetchPastRuns(client, kind, work);
		const read = await settle(
			readHourly([...key, measure.name], budget, async () =>
				measure.of(client, await readHourly(key, budget, readPast)),
			),
		);
		if (read.ok) {
			values.set(work, read.value);
			if (read.value.length < LEAST_RUNS) {
				note(
					`what is usual for ${kind.noun} "${work}" is not known yet: fewer than five have completed.`,
				);
			}
			return;
		}
		const { error } = read;
		if (!(error instanceof Failure) || error.parts.temporary) throw error;
		note(`what is usual for ${kind.noun} "${work}" cannot be read. ${error.message}`);
	});
	const find = (work: string, id: string) =>
		computeUsual((values.get(work) ?? []).filter(([other]) => other !== id).slice(0, compared));
	return { find, notes };
}

function computeUsual(values: Values): Usual | undefined {
	const { length } = values;
	if (length < LEAST_RUNS) return undefined;
	const sorted = values.map(([, value]) => value).sort((a, b) => a - b);
	const median = (sorted[Math.floor((length - 1) / 2)] + sorted[Math.floor(length / 2)]) / 2;
	return { median, runs: length };
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
		.filter((run) => kind.toWork(run) === work && run.shownStatus === kind.completed)
		.sort((a, b) => (b.created ?? 0) - (a.created ?? 0))
		.map(({ id, duration, appId }) => ({ id, duration, appId }));
}

/** What was read in the last hour, or else is read now. A failure is not kept. */
async function readHourly<T>(
	parts: readonly string[],
	budget: Budget,
	read: () => Promise<T>,
): Promise<T> {
	const key = JSON.stringify(parts);
	const now = clock.monotonic();
	const known = remembered.get(key);
	if (known && now - known.readAt < MAX_AGE_MS) return (await known.value) as T;
	if (budget.spent()) {
		throw new Failure({
			message: 'There was no time left to read what is usual',
			temporary: true,
		});
	}
	const value = read();
	remembered.delete(key);
	remembered.set(key, { readAt: now, value });
	if (remembered.size > MAX_REMEMBERED) remembered.delete([...remembered.keys()][0]);
	value.catch(() => remembered.delete(key));
	return await value;
}
