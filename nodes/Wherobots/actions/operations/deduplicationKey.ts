/**
 * Deduplication Key: what a node has sent is noted in n8n's own database, which all workers share and
 * which outlives them, so that another execution does not send it again.
 *
 * Two notes for each key: that something is sent, and that its outcome is open. n8n reads and writes all notes
 * of a node at once, so two executions at the same instant may not see each other, and one may overwrite
 * what another has just noted.
 */
import type { IExecuteFunctions } from 'n8n-workflow';

import { defineTextField } from '../../form/declarations';
import type { Input } from '../../form/input';
import { show } from '../../form/values';
import type { Client } from '../../transport/client';
import { clock } from '../../transport/clock';
import { Failure, isAmbiguous, settle } from '../../transport/failure';

export const deduplicationKeyOption = defineTextField({
	displayName: 'Deduplication Key',
	name: 'deduplicationKey',
	exact: true,
	placeholder: 'e.g. {{ $json.orderId }}',
	description:
		'Any text that identifies the work. An item is skipped if this node has already sent one with the same deduplication key, in any execution. n8n remembers the last 10,000 of them for each node.',
});

/** For the output of an item that is skipped. */
export interface Skipped {
	skipped: true;
	deduplicationKey: string;
}

/** By then, an execution that read the notes before these were written has written them back, in milliseconds. */
const SETTLED_MS = 100;

/** How often notes are written anew that others have overwritten. */
const MAX_TRIES = 50;

/** Two notes for each of 10,000 keys. */
const KEPT = { mode: 'entries', maxEntries: 20_000 } as const;

/** The key, if the option was added. An empty one is refused: nobody chose to send something twice. */
export function readDeduplicationKey(options: Input): string | undefined {
	return options.isSet(deduplicationKeyOption) ? options.text(deduplicationKeyOption) : undefined;
}

/**
 * Sends something unless an earlier execution has. Without a key, it is sent.
 *
 * @param mayBeDone whether a failure leaves open that it was done; otherwise the key can be used again
 * @throws Failure when an earlier execution may have sent it; otherwise as `send` does
 */
export async function sendOnceForKey<T>(
	{ client, context }: { client: Client; context: IExecuteFunctions },
	key: string | undefined,
	send: () => Promise<T>,
	mayBeDone: (failure: Failure) => boolean = isAmbiguous,
): Promise<T | Skipped> {
	if (key === undefined) return await send();
	const { checkProcessedAndRecord, removeProcessed } = context.helpers;
	const [sent, open] = [`sent ${key}`, `open ${key}`];
	const remove = async (...notes: string[]) => await removeProcessed(notes, 'node', KEPT);
	const { processed } = await checkProcessedAndRecord([sent, open], 'node', KEPT);
	if (processed.includes(sent) && !processed.includes(open)) {
		await remove(open);
		return { skipped: true, deduplicationKey: key };
	}
	if (processed.includes(sent)) {
		throw new Failure({
			message: `It is not certain whether an earlier execution did this for the deduplication key ${show(key)}`,
			description:
				'That execution ended before it knew the outcome, or is still in progress. Nothing was sent.',
			nextStep: `Check whether it was done. To send it anyway, enter another value in '${deduplicationKeyOption.displayName}'.`,
			ambiguous: true,
			facts: { deduplicationKey: key },
		});
	}
	for (let tries = 0, isLost = true; isLost && tries < MAX_TRIES; tries++) {
		await clock.pause(SETTLED_MS, client.signal);
		isLost = (await checkProcessedAndRecord([sent, open], 'node', KEPT)).new.length > 0;
	}
	const done = await settle(send());
	if (done.ok) {
		// The result must not be lost for a note.
		await settle(remove(open));
		return done.value;
	}
	const { error } = done;
	if (error instanceof Failure && !mayBeDone(error)) await settle(remove(sent, open));
	throw error;
}

export const isSkipped = (value: unknown): value is Skipped =>
	typeof value === 'object' && value !== null && 'skipped' in value && 'deduplicationKey' in value;
