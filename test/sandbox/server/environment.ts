/** What a handler can reach. */
import type { SandboxClock } from '../clock';
import type { Store } from '../model/store';
import type { Timings, Variants } from '../variants';
import type { PresignedStorage } from './presigned';

export interface Environment {
	clock: SandboxClock;
	store: Store;
	variants: Variants;
	timings: Timings;
	/** The second origin, which holds the files. */
	presigned: PresignedStorage;
}
