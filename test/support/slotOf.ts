import type { Slot, Throttle } from '../../nodes/Wherobots/transport/throttle';

/** A slot of a throttle. Rejects when there is none in time. */
export async function slotOf(throttle: Throttle): Promise<Slot> {
	const { slot } = await throttle.acquire();
	if (!slot) throw new Error('No slot');
	return slot;
}

/** A result that is no refusal. */
export const ACCEPTED = { kind: 'json' } as const;

/** Ends the attempt of a slot with a 429, and returns for how long all requests wait. */
export function refuse(slot: Slot, retryAfterMs?: number): number {
	const retryAfter = retryAfterMs === undefined ? undefined : String(retryAfterMs / 1000);
	return slot.end({ kind: 'response', status: 429, retryAfter }) ?? NaN;
}
