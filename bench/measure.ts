/** Measured values, and how they are described. */
import { max, median, min } from 'simple-statistics';

/** One run of one side. */
export interface Sample {
	ms: number;
	/** Processor time of the process that did the work, in milliseconds. */
	cpuMs?: number;
	/** Peak resident memory of that process, in bytes. */
	peak?: number;
}

export interface Spread {
	median: number;
	low: number;
	high: number;
}

/** One line of a comparison. */
export interface Row {
	side: string;
	/** In milliseconds. */
	time?: Spread;
	/** Processor time, in milliseconds. */
	cpu?: Spread;
	/** In bytes. */
	peak?: Spread;
	/** The outcome, in words and figures. */
	note?: string;
}

/** A figure that has to be reached. */
export interface Check {
	target: string;
	reached: string;
	met: boolean;
}

export interface Chapter {
	title: string;
	/** How it was measured. */
	how: string;
	rows: Row[];
	checks: Check[];
}

/**
 * Runs all sides once in each round, so that whatever else the machine does affects all of them
 * alike. The first rounds are not counted, because code is still compiled and caches fill.
 */
export async function inRounds<K extends string>(
	sides: Record<K, () => Promise<Sample>>,
	rounds: number,
	warmUps = 1,
): Promise<Record<K, Sample[]>> {
	const names = Object.keys(sides) as K[];
	const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
		K,
		Sample[]
	>;
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

export function row(side: string, samples: Sample[], note?: string): Row {
	const of = (what: keyof Sample) => {
		const values = samples.flatMap(({ [what]: value }) => value ?? []);
		return values.length > 0 ? spread(values) : undefined;
	};
	return { side, time: of('ms'), cpu: of('cpuMs'), peak: of('peak'), note };
}

/** How many times as long `one` takes as `other`, round by round. */
export function ratio(one: Sample[], other: Sample[]): Spread {
	return spread(one.map(({ ms }, round) => ms / other[round].ms));
}

/** A check of a measured spread: its median has to be on the right side of the limit. */
export function atMost(limit: number, what: string, reached: Spread, digits = 2): Check {
	const met = reached.median <= limit;
	return { target: `at most ${limit} ${what}`, reached: figure(reached, digits), met };
}

export function atLeast(limit: number, what: string, reached: Spread, digits = 2): Check {
	const met = reached.median >= limit;
	return { target: `at least ${limit} ${what}`, reached: figure(reached, digits), met };
}

/** A median with its lowest and highest value. */
export function figure({ median, low, high }: Spread, digits = 2): string {
	return `${median.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`;
}
