import type { TriggerState } from './core/state';

/**
 * What this process knows about one trigger beyond its stored state. Nothing here is needed to be
 * correct after a restart; it covers what n8n does not store.
 */
export interface ProcessMemory {
	/**
	 * The state after a first poll. n8n's durable scheduler does not store it when the poll gave no
	 * items, and would leave a gap up to the first scheduled poll.
	 */
	baseline?: TriggerState;
	/** The state that the last items were found from, and when they were handed over (ms since the epoch). */
	handedOver?: { from: string; at: number };
	/** The failure that was reported last, and when (ms since the epoch). */
	failure?: { key: string; reportedAt: number };
	/** How many polls in a row have failed. */
	failures?: number;
	/** A failure of an activation was passed over, and no poll has succeeded since. */
	isOverlooking?: boolean;
	/** No request before this time (ms since the epoch): the service asked to wait. */
	notBefore?: number;
}

/** More triggers than this in one n8n: the ones that were used longest ago are forgotten. */
const MAX_NODES = 5_000;

const memories = new Map<string, ProcessMemory>();

/** The memory of a trigger, by the ids of its workflow and node. */
export function processMemoryOf(key: string): ProcessMemory {
	const memory = memories.get(key) ?? {};
	memories.delete(key);
	memories.set(key, memory);
	if (memories.size > MAX_NODES) memories.delete([...memories.keys()][0]);
	return memory;
}

/** Forgets everything, as a restart of n8n does. */
export function forgetAll(): void {
	memories.clear();
}
