/** What a part of the benchmarks hands over to the report. */
import { cpuTimes, peaks, type Samples, type Spread, times } from './samples';

/** One line of a comparison. */
export interface Row {
	side: string;
	/** In milliseconds. */
	time?: Spread;
	/** Processor time of the process that did the work, in milliseconds. */
	cpu?: Spread;
	/** Peak resident memory in bytes. */
	peak?: Spread;
	/** What came of it, in words and figures. */
	note?: string;
}

/** A figure that has to be reached. */
export interface Check {
	target: string;
	reached: string;
	met: boolean;
}

/** The same work in other sizes. */
export interface GrowthPoint {
	task: string;
	side: string;
	/** Records or bytes, in the unit that the task names. */
	work: number;
	ms: number;
	peak: number;
}

export interface Chapter {
	title: string;
	/** How it was measured. */
	how: string;
	rows: Row[];
	checks: Check[];
	/** Why a figure is what it is. */
	remarks?: string[];
	growth?: GrowthPoint[];
}

export function row(side: string, samples: Samples, note?: string): Row {
	return { side, time: times(samples), cpu: cpuTimes(samples), peak: peaks(samples), note };
}

/** A check of a measured spread: its median has to be on the right side of the limit. */
export function atMost(limit: number, what: string, reached: Spread, digits = 2): Check {
	return {
		target: `at most ${limit} ${what}`,
		reached: `${figure(reached, digits)} ${what}`,
		met: reached.median <= limit,
	};
}

export function atLeast(limit: number, what: string, reached: Spread, digits = 2): Check {
	return {
		target: `at least ${limit} ${what}`,
		reached: `${figure(reached, digits)} ${what}`,
		met: reached.median >= limit,
	};
}

/** A median with its lowest and highest value. */
export function figure({ median, low, high }: Spread, digits = 2): string {
	return `${median.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`;
}
