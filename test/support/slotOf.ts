import type { Slot, Throttle } from '../../nodes/Wherobots/transport/throttle';

/** A slot of a throttle. Rejects when there is none in time. */
export async function slotOf(
	throttle: Throttle,
	options?: Parameters<Throttle['acquire']>[0],
): Promise<Slot> {
	const admission = await throttle.acquire(options);
	if (!admission.admitted) throw new Error(`No slot: ${JSON.stringify(admission)}`);
	return admission.slot;
}
