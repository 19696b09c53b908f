/** Measured values, and what is said about them. */
import { max, median, min } from 'simple-statistics';

/** One run of one side. */
export interface Sample {
	ms: number;
	/** Peak resident memory of the process that did the work, in bytes. */
	peak?: number;
	/** Processor time of that process, in milliseconds. */
	cpuMs?: number;
	/** Processor time of V8's own threads in it, in milliseconds. */
	v8Ms?: number;
	/** How often it collected the garbage of its whole heap. */
	collections?: number;
}

/** All runs of one side, in the order of the rounds. */
export type Samples = Sample[];

export interface Spread {
	median: number;
	low: number;
	high: number;
}

/** Anything with a time will do: an execution in n8n, a floor's result. */
export type Side = () => Promise<Sample>;

/**
 * Runs all sides once in each round, so that whatever else the machine does meets all of them
 * alike. The first rounds are not counted: code is compiled and caches fill.
 */
export async function inRounds<K extends string>(
	sides: Record<K, Side>,
	rounds: number,
	warmUps = 1,
): Promise<Record<K, Samples>> {
	const names = Object.keys(sides) as K[];
	const samples = Object.fromEntries(
		names.map((name) => [name, [] as Samples]),
	) as unknown as Record<K, Samples>;
	for (let round = -warmUps; round < rounds; round++) {
		for (const name of names) {
			const sample = await sides[name]();
			if (round >= 0) samples[name].push(sample);
		}
	}
	return samples;
}

export function spread(values: number[]): Spread {
	return { median: median(values), low: min(values), high: max(values) };
}

export function times(samples: Samples): Spread {
	return spread(samples.map(({ ms }) => ms));
}

export function peaks(samples: Samples): Spread | undefined {
	return known(samples, 'peak');
}

export function cpuTimes(samples: Samples): Spread | undefined {
	return known(samples, 'cpuMs');
}

function known(samples: Samples, what: 'peak' | 'cpuMs'): Spread | undefined {
	const values = samples.flatMap(({ [what]: value }) => (value === undefined ? [] : [value]));
	return values.length > 0 ? spread(values) : undefined;
}

/** How many times as long `one` takes as `other`, round by round. */
export function ratio(one: Samples, other: Samples): Spread {
	return spread(one.map(({ ms }, round) => ms / other[round].ms));
}
