import { linearRegression, median } from 'simple-statistics';

import { type MemorySample } from './memoryHook';
import { HOUR_MS } from '../suite/calendar';

const MIB = 2 ** 20;

/** Until then n8n loads what it needs, and fills its caches. */
const WARM_UP = 0.4;

export interface Growth {
	/** Median of what was held in the first and in the last third after the warm-up, in MiB. */
	first: number;
	last: number;
	/** By a straight line through all samples after the warm-up, in MiB an hour. */
	perHour: number;
	/** Largest resident size, in MiB. */
	peak: number;
	samples: number;
}

export function growthOf(all: MemorySample[]): Growth {
	const samples = all.slice(Math.ceil(all.length * WARM_UP));
	const third = Math.floor(samples.length / 3);
	const held = samples.map((sample) => sample.held / MIB);
	const line = linearRegression(samples.map(({ at }, index) => [at / HOUR_MS, held[index]]));
	return {
		first: median(held.slice(0, third)),
		last: median(held.slice(-third)),
		perHour: line.m,
		peak: Math.max(...all.map(({ rss }) => rss / MIB)),
		samples: samples.length,
	};
}
