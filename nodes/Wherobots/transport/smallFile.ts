import type { EndpointId } from '../service/endpoints';
import type { CallOptions, Client } from './client';
import { CancelledError, clock, untilAborted } from './clock';
import { describeNetwork } from './failure';
import type { ByteStream, Headers } from './http';
import { decideRetry } from './retry';

export interface SmallFile {
	bytes: Buffer;
	headers: Headers;
}

type BodyRead = { kind: 'whole'; bytes: Buffer } | { kind: 'tooLarge' } | { kind: 'broken' };

/**
 * Reads a file that fits into memory, whatever its type. A transfer that breaks off is begun again:
 * what comes back is the whole file or an error.
 *
 * @param maxBytes larger files are refused as soon as that shows
 * @throws NodeApiError, CancelledError as the client does
 */
export async function readSmallFile(
	client: Client,
	id: EndpointId,
	options: CallOptions,
	maxBytes: number,
): Promise<SmallFile> {
	const begun = clock.now();
	for (let tries = 1; ; tries++) {
		const { body, headers } = await client.stream(id, options);
		const read = await readBody(body, maxBytes, client.signal);
		if (client.signal?.aborted) throw new CancelledError();
		if (read.kind === 'whole') return { bytes: read.bytes, headers };
		if (read.kind === 'tooLarge') {
			throw client.error({
				message: 'The file is larger than it should be',
				description: `More than ${maxBytes} bytes came. Check 'Base URL' in the credential.`,
				codes: [],
			});
		}
		const now = clock.now();
		const state = { tries, elapsedMs: now - begun };
		const attempt = { kind: 'network', code: 'TRUNCATED' } as const;
		const decision = decideRetry('repeatable', attempt, state, now, Math.random());
		if (!decision.retry) throw client.error(describeNetwork(attempt.code, ''));
		await clock.pause(decision.delayMs, client.signal);
	}
}

async function readBody(
	body: ByteStream,
	maxBytes: number,
	signal: AbortSignal | undefined,
): Promise<BodyRead> {
	try {
		return await untilAborted(collect(body, maxBytes), signal);
	} catch {
		return { kind: 'broken' };
	} finally {
		body.destroy();
	}
}

async function collect(body: ByteStream, maxBytes: number): Promise<BodyRead> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of body) {
		size += chunk.length;
		if (size > maxBytes) return { kind: 'tooLarge' };
		chunks.push(chunk);
	}
	return { kind: 'whole', bytes: Buffer.concat(chunks) };
}
