/** What a handler can reach. */
import type { SandboxClock } from '../clock';
import type { Store } from '../model/store';
import type { Timings } from '../timings';
import type { Variants } from '../variants';
import type { SqlService } from '../sql';
import type { Tls } from './origin';
import type { PresignedStorage } from './presigned';

/** The part that needs no server. */
export interface Model {
	clock: SandboxClock;
	store: Store;
	variants: Variants;
	timings: Timings;
}

export interface Environment extends Model {
	/** What every origin encrypts with, if it does. */
	tls?: Tls;
	/** The second origin, which holds the files. */
	presigned: PresignedStorage;
	/** SQL sessions, with an origin of their own. */
	sql: SqlService;
}
