import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until something is so. */
export async function until(
	condition: () => boolean | Promise<boolean>,
	timeoutMs = 120_000,
): Promise<void> {
	const deadline = Date.now() + timeoutMs;
	while (!(await condition())) {
		if (Date.now() > deadline) throw new Error(`Not so in time: ${String(condition)}`);
		await sleep(250);
	}
}
