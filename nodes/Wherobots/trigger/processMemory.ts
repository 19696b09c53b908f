import type { TriggerState } from './core/state';

/**
 * What this process knows about one trigger beyond its stored state. It covers what n8n does not
 * store; after a restart, the trigger is correct without it.
 */
export interface ProcessMemory {
	/**
	 * The state after a first poll. n8n's durable scheduler does not store it when the poll found no
	 * items, which would leave a gap until the first scheduled poll.
	 */
	baseline?: TriggerState;
	/** The state from which the last items were found, and when they were returned (ms since the epoch). */
	handedOver?: { from: string; at: number };
	/** The last reported failure, and when (ms since the epoch). */
	failure?: { key: string; reportedAt: number };
}

/** Maximum number of triggers; the least recently used ones are forgotten. */
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
