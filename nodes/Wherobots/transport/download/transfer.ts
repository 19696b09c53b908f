import type { Client } from '../client';
import { CancelledError } from '../clock';
import { Failure, settle } from '../failure';
import type { StreamResponse } from '../http';
import { tryAgain } from '../retry';
import { BodyReader } from './bodyReader';

/**
 * Fetches the body of a response and passes it to `use`, again from the start when the transfer
 * breaks, stalls, ends early or is something else, as often as `tryAgain` allows.
 *
 * @param open sends the request
 * @param use reads the whole body; its result of a failed transfer is discarded
 * @throws Failure when the last attempt failed too
 * @throws CancelledError when the execution is cancelled
 */
export async function transfer<T>(
	client: Client,
	open: (number: number) => Promise<StreamResponse>,
	use: (reader: BodyReader) => Promise<T>,
): Promise<T> {
	return await tryAgain(client, async (number) => {
		const reader = new BodyReader(await open(number), client.signal);
		const used = await settle(use(reader));
		const { failed } = reader;
		reader.stop();
		if (used.ok) return used.value;
		const { error } = used;
		// n8n's stores rethrow the error of a stream, sometimes wrapped in their own.
		const found = [error, (error as Error | undefined)?.cause, failed].find(
			(each) => each instanceof Failure || each instanceof CancelledError,
		);
		if (!(found instanceof Failure)) throw found ?? error;
		const after = found.parts.attempt
			? `Tried ${number} times from the start; no partial file was kept. Try again later.`
			: 'No partial file was kept.';
		throw client.clean(found.withContext({ after }));
	});
}
