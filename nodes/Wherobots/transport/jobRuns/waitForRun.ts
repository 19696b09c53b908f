import type { IDataObject } from 'n8n-workflow';

import type { EndpointId, PathValues } from '../../service/endpoints';
import type { Client } from '../client';
import { clock } from '../clock';
import { Failure, hasStatus, isTemporary, settle, withContext, type ErrorFacts } from '../failure';
import { minutes } from '../text';
import { pollUntil, type PollOptions } from '../polling';
import { watching, type WatchedKind } from './watch';

/** How long after its submission a run may not be found yet, in milliseconds. */
const MAX_LAG_MS = 120_000;

/** What differs between job runs and task runs when waiting for them. */
export interface RunKind<T extends IDataObject> extends WatchedKind<T> {
	/** Label of its ID in errors: `Run ID`. */
	idLabel: string;
	/** The operation with which to wait for it later. */
	later: string;
	cancelEndpoint: EndpointId;
	pathOf(id: string): PathValues;
	isOver(run: T): boolean;
	/** `status` */
	statusName: string;
	nameOf(run: T): string;
	/** Its facts for errors. @param run as last read */
	factsOf(id: string, run?: T): ErrorFacts;
}

export interface WaitOptions<T> extends PollOptions {
	/** Cancel the run in the service when the execution is stopped. */
	cancelOnStop: boolean;
	/** The run as its submission just returned it, so that "not found" means "not yet". */
	submitted?: T;
	/** Called with the run when its status is first known, and after each change. */
	onStatus?: (run: T) => void;
	/** Called with the run each time it was read. */
	onRead?: (run: T) => Promise<void>;
	/** Whether the run as lists show it will do. */
	suffices?: (run: T) => boolean;
}

/**
 * Waits until a run has ended: checks its status at once, then at growing intervals, together with
 * all waits of this process. An outage of the service does not end the wait; its deadline does.
 *
 * @throws Failure when the run has not ended by the deadline, or cannot be read
 * @throws CancelledError when the execution is cancelled, after cancelling the run if wanted
 */
export async function waitForRun<T extends IDataObject>(
	client: Client,
	kind: RunKind<T>,
	id: string,
	options: WaitOptions<T>,
): Promise<T> {
	const startedAt = clock.monotonic();
	const isLag = (error: unknown) =>
		options.submitted !== undefined &&
		hasStatus(error, 404) &&
		clock.monotonic() - startedAt < MAX_LAG_MS;
	let seen = options.submitted;
	let reported: unknown;
	const polled = await watching(
		client,
		kind,
		async (watch) =>
			await pollUntil(
				client,
				async () => {
					seen = await watch.read(client, id, options.suffices);
					if (seen[kind.statusName] !== reported) options.onStatus?.(seen);
					reported = seen[kind.statusName];
					await options.onRead?.(seen);
					return seen;
				},
				kind.isOver,
				{
					...options,
					continueAfter: (error) => isTemporary(error) || isLag(error),
					pauseMs: (intervalMs, maxIntervalMs) => watch.pauseMs(intervalMs, maxIntervalMs),
				},
			),
	).catch(async (error: unknown) => {
		if (client.executionSignal?.aborted && options.cancelOnStop) {
			// It may have ended meanwhile.
			const path = kind.pathOf(id);
			await settle(client.evenWhenCancelled().call(kind.cancelEndpoint, { path }));
		}
		// The run continues, and readers of the error have to find it.
		throw withContext(error, {
			before: `The node was waiting for ${kind.noun} ${id}${seen ? ` (${kind.nameOf(seen)})` : ''}.`,
			facts: kind.factsOf(id, seen),
		});
	});
	if (polled.done) return polled.value;

	const { last } = polled;
	const known = last instanceof Failure ? last.parts : undefined;
	const { noun, idLabel, later, statusName } = kind;
	const state =
		last instanceof Error ? last.message : `Its ${statusName} is ${String(last[statusName])}.`;
	throw new Failure({
		message: `The ${noun} did not end within ${minutes(options.maxWaitMs)}`,
		description: [
			`${state} It was not cancelled. ${idLabel}: ${id}`,
			`Raise 'Max Wait (Minutes)', or pick up the run later with ${later}.`,
		].join('\n'),
		httpCode: known?.httpCode,
		requestId: known?.requestId,
		temporary: known?.temporary,
		facts: kind.factsOf(id, seen),
	});
}
