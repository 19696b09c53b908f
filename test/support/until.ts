import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits in real time until `condition` holds.
 *
 * @param everyMs pause between two checks; more than the default for conditions that ask a server
 * @throws Error that shows the condition when it does not hold in time
 */
export async function until(
	condition: () => boolean | Promise<boolean>,
	{ timeoutMs = 20_000, everyMs = 5 } = {},
): Promise<void> {
	const deadline = performance.now() + timeoutMs;
	while (!(await condition())) {
		if (performance.now() > deadline) {
			throw new Error(`This does not hold within ${timeoutMs} ms: ${String(condition)}`);
		}
		await sleep(everyMs);
	}
}

/**
 * Lets work that is under way in this process go on, for what must not happen: a hundred turns of the
 * event loop of a millisecond or more, in which a busy machine gets as far as an idle one.
 */
export async function aWhile(): Promise<void> {
	for (let turn = 0; turn < 100; turn++) await sleep(1);
}
