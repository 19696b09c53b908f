import type { GrowthPoint } from '../lib/chapter';
import { type Samples, spread } from '../lib/samples';

/** The medians of a side at one size. */
export function pointOf(task: string, work: number, samples: Samples): GrowthPoint {
	return {
		task,
		side: 'this package',
		work,
		ms: spread(samples.map(({ ms }) => ms)).median,
		peak: spread(samples.map(({ peak }) => peak ?? 0)).median,
	};
}
