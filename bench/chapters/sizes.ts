import { median } from 'simple-statistics';

import type { Check, Sample } from '../measure';

const MIB = 2 ** 20;
const MAX_GROWTH_MIB = 64;

export function size(bytes: number): string {
	return bytes >= 1024 * MIB
		? `${bytes / 1024 / MIB} GiB`
		: `${Number((bytes / MIB).toFixed(1))} MiB`;
}

export function speed(bytes: number, samples: Sample[]): string {
	const seconds = median(samples.map(({ ms }) => ms)) / 1_000;
	return `${Math.round(bytes / MIB / seconds)} MiB/s`;
}

/** Checks that memory stays the same when a file is a hundred times as large as the small one. */
export function flatMemory(bytes: number, small: Sample[], large: Sample[]): Check {
	const peakOf = (samples: Sample[]) => median(samples.map(({ peak = NaN }) => peak)) / MIB;
	const more = peakOf(large) - peakOf(small);
	return {
		target: `peak memory at most ${MAX_GROWTH_MIB} MiB above that of ${size(bytes / 100)}`,
		reached: `${more.toFixed(0)} MiB above`,
		met: more <= MAX_GROWTH_MIB,
	};
}
