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
import { isPossiblyRounded, show } from '../../form/values';
import type { Client } from '../../transport/client';
import { clock } from '../../transport/clock';
import { addContext, Failure, isAmbiguous, settle } from '../../transport/failure';

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

/** Random, so that executions that begin together do not meet again. */
const waitToSettle = async (signal?: AbortSignal) =>
	await clock.pause(SETTLED_MS * (1 + Math.random()), signal);

/** How often notes are written anew until they stay. */
const MAX_REWRITES = 50;

/** How often a key whose outcome is open is looked at: one that is done is open while it is looked at. */
const MAX_LOOKS = 4;

/** Two notes for each of 10,000 keys. */
const KEPT = { mode: 'entries', maxEntries: 20_000 } as const;

/** The key, if the option was added. An empty one is refused: nobody chose to send something twice. */
export function readDeduplicationKey(options: Input): string | undefined {
	if (!options.isSet(deduplicationKeyOption)) return undefined;
	if (isPossiblyRounded(options.raw(deduplicationKeyOption, ''))) {
		const what = 'is a number that n8n cannot hold exactly: send it as text';
		throw options.problem(deduplicationKeyOption, what);
	}
	return options.text(deduplicationKeyOption);
}

/**
 * Sends something unless an earlier execution has. Without a key, it is sent.
 *
 * @param send calls its argument when it begins to send: after a failure before that, and after one that
 * does not leave open whether it was done, the key can be used again
 * @param mayBeDone whether a failure leaves that open
 * @throws Failure when an earlier execution may have sent it; otherwise as `send` does
 */
export async function sendOnceForKey<T>(
	{ client, context }: { client: Client; context: IExecuteFunctions },
	key: string | undefined,
	send: (begin: () => void) => Promise<T>,
	mayBeDone: (failure: Failure) => boolean = isAmbiguous,
): Promise<T | Skipped> {
	let isBegun = false;
	const begin = () => {
		isBegun = true;
	};
	if (key === undefined) return await send(begin);
	const notes = new KeyNotes(context, key);
	const state = await notes.open(client.signal);
	if (state === 'sent') {
		await settle(notes.close());
		return { skipped: true, deduplicationKey: key };
	}
	if (state === 'unclear') {
		throw new Failure({
			message: `It is not certain whether this was already done for the deduplication key ${show(key)}`,
			description:
				'An earlier attempt or execution ended before it knew the outcome, or is still in progress. Nothing was sent this time.',
			nextStep: `Check whether it was done. To send it anyway, enter another value in '${deduplicationKeyOption.displayName}'.`,
			ambiguous: true,
			facts: { deduplicationKey: key },
		});
	}
	const sendNoted = async () => {
		await notes.rewrite(client.signal);
		return await send(begin);
	};
	const done = await settle(sendNoted());
	if (done.ok) {
		// The result must not be lost for a note.
		await settle(notes.close());
		return done.value;
	}
	const { error } = done;
	const isOpen = isBegun && (!(error instanceof Failure) || mayBeDone(error));
	if (!isOpen) await settle(notes.remove());
	throw isOpen ? addContext(error, { facts: { deduplicationKey: key } }) : error;
}

/** The two notes of a key: that it was sent, and that its outcome is open. */
class KeyNotes {
	private readonly sent: string;

	private readonly outcome: string;

	constructor(
		private readonly context: IExecuteFunctions,
		key: string,
	) {
		[this.sent, this.outcome] = [`sent ${key}`, `open ${key}`];
	}

	/** Writes both notes, and tells what those of earlier executions said. */
	async open(signal?: AbortSignal): Promise<'new' | 'sent' | 'unclear'> {
		let { processed } = await this.write();
		for (let looks = 1; processed.length === 2 && looks < MAX_LOOKS; looks++) {
			await waitToSettle(signal);
			({ processed } = await this.write());
		}
		if (!processed.includes(this.sent)) return 'new';
		return processed.includes(this.outcome) ? 'unclear' : 'sent';
	}

	/** Writes both notes until they stay. */
	async rewrite(signal?: AbortSignal): Promise<void> {
		for (let tries = 0, isLost = true; isLost && tries < MAX_REWRITES; tries++) {
			await waitToSettle(signal);
			isLost = (await this.write()).new.length > 0;
		}
	}

	/** The outcome is known. Another execution that has read the notes before may write them back once. */
	async close(): Promise<void> {
		await this.remove([this.outcome]);
		await waitToSettle();
		await this.remove([this.outcome]);
	}

	/** As if nothing had been sent. */
	async remove(notes = [this.sent, this.outcome]): Promise<void> {
		await this.context.helpers.removeProcessed(notes, 'node', KEPT);
	}

	/** Which of the notes were there before, and which are new. */
	private async write(): Promise<{ processed: unknown[]; new: unknown[] }> {
		const both = [this.sent, this.outcome];
		const noted = await settle(this.context.helpers.checkProcessedAndRecord(both, 'node', KEPT));
		if (noted.ok) return noted.value;
		throw new Failure({
			message: "n8n's database could not keep the deduplication key",
			description: `Nothing was sent. ${(noted.error as Error).message}`,
		});
	}
}

export const isSkipped = (value: unknown): value is Skipped =>
	typeof value === 'object' && value !== null && 'skipped' in value && 'deduplicationKey' in value;
