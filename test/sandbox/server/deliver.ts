/** Puts responses on the wire, whole or as a fault wants them. */
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import type { FastifyReply } from 'fastify';

import type { FaultPlan } from '../faults/faults';
import { drop } from './origin';

export interface WireHead {
	status: number;
	headers: Record<string, string>;
}

export interface WireResponse extends WireHead {
	body: Buffer | string | AsyncIterable<Buffer> | Iterable<Buffer>;
}

type Fault = NonNullable<FaultPlan['fault']>;

/** How a body ends: as HTTP wants it, or not. */
type Ending = 'clean' | 'reset' | 'close' | 'hang';

type Chunks = AsyncIterable<Buffer> | Iterable<Buffer>;

function isWhole(body: WireResponse['body']): body is Buffer | string {
	return typeof body === 'string' || Buffer.isBuffer(body);
}

export async function* firstBytes(chunks: Chunks, bytes: number): AsyncGenerator<Buffer> {
	let left = bytes;
	for await (const chunk of chunks) {
		if (left <= 0) return;
		yield chunk.subarray(0, left);
		left -= chunk.length;
	}
}

async function* inPieces(chunks: Chunks, bytes: number, everyMs: number): AsyncGenerator<Buffer> {
	for await (const chunk of chunks) {
		for (let at = 0; at < chunk.length; at += bytes) {
			yield chunk.subarray(at, at + bytes);
			await sleep(everyMs, undefined, { ref: false });
		}
	}
}

/** Writes a response as fast as the client reads it. */
export async function write(
	raw: ServerResponse,
	response: WireHead,
	chunks: Chunks,
	ending: Ending,
): Promise<void> {
	// The body then ends with the connection, as in HTTP/1.0, unless its length is given.
	if (response.headers.connection === 'close') raw.useChunkedEncodingByDefault = false;
	raw.writeHead(response.status, response.headers);
	raw.flushHeaders();
	try {
		await pipeline(chunks, raw, { end: false });
	} catch {
		// The client is gone.
		return;
	}
	if (ending === 'clean') raw.end();
	if (ending === 'close') raw.socket?.end();
	if (ending === 'reset') {
		// A reset discards what the client hasn't read yet, so give it time to read.
		await sleep(15);
		drop(raw.socket);
	}
}

/** Drops the connection without a response. */
export function dropConnection(reply: FastifyReply): void {
	reply.hijack();
	drop(reply.raw.socket);
}

/** Keeps the connection open and sends nothing. */
export function hang(reply: FastifyReply): void {
	reply.hijack();
}

export async function deliver(
	reply: FastifyReply,
	response: WireResponse,
	fault?: Fault,
): Promise<void> {
	const { body } = response;
	const writeRaw = async (head: WireHead, part: Chunks, ending: Ending) => {
		reply.hijack();
		await write(reply.raw, head, part, ending);
	};
	const whole = isWhole(body) ? Buffer.from(body) : undefined;
	const chunks: Chunks = whole ? [whole] : (body as Chunks);
	const length = whole?.length ?? response.headers['content-length'];
	const framed: WireHead = length === undefined ? response : withLength(response, Number(length));
	switch (fault?.kind) {
		case 'truncate': {
			const bytes = Math.min(
				fault.bytes ?? Math.floor(Number(length ?? 2048) / 2),
				Number(length ?? Infinity),
			);
			const headers = whole ? withLength(response, bytes) : withoutLength(response);
			return await writeRaw(headers, firstBytes(chunks, bytes), 'clean');
		}
		case 'cut': {
			const headers = fault.how === 'end' ? withoutLength(response) : framed;
			const ending = fault.how === 'end' ? 'clean' : fault.how;
			return await writeRaw(headers, firstBytes(chunks, fault.bytes), ending);
		}
		case 'stall':
			return await writeRaw(framed, firstBytes(chunks, fault.bytes), 'hang');
		case 'trickle':
			return await writeRaw(framed, inPieces(chunks, fault.bytes, fault.everyMs), 'clean');
		default:
			if (!whole) return await writeRaw(response, chunks, 'clean');
			reply.code(response.status).headers(response.headers);
			await reply.send(body);
	}
}

function withLength(response: WireHead, length: number): WireHead {
	return { ...response, headers: { ...response.headers, 'content-length': String(length) } };
}

function withoutLength(response: WireHead): WireHead {
	const headers = Object.entries(response.headers).filter(([name]) => name !== 'content-length');
	return { ...response, headers: Object.fromEntries(headers) };
}
