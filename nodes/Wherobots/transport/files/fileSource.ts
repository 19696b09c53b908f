import { createHash } from 'crypto';

import type { ByteStream } from '../bodies';

/** A file to upload, which can be read from its start more than once. */
export interface FileSource {
	/** In bytes, known before anything is sent. */
	size: number;
	/** The bytes: all of them at once, or as a stream where the store allows. */
	open(): Promise<Uint8Array | ByteStream>;
}

/** What has gone through, when all of it has. */
export interface Passed {
	/** SHA-256 of the bytes in hexadecimal; empty until the last byte has passed. */
	sha256: string;
	/** Why the bytes cannot be the file. */
	problem?: string;
}

/**
 * Lets the bytes of a file through when there are exactly as many as there should be: what is sent
 * has a length in its header, and a byte more or less would be taken for another file. The last block
 * waits for the end of the source, so that nobody gets a whole file that is none, and a response to
 * it finds the checksum there.
 *
 * @throws Error in its output, with `problem` set
 */
export async function* exactly(
	bytes: AsyncIterable<Uint8Array>,
	size: number,
	passed: Passed,
): AsyncGenerator<Uint8Array> {
	const hash = createHash('sha256');
	let count = 0;
	let last: Uint8Array | undefined;
	const fail = (problem: string) => {
		passed.problem = problem;
		return new Error(problem);
	};
	for await (const block of bytes) {
		if (block.length === 0) continue;
		count += block.length;
		if (count > size) throw fail(`more than ${size} bytes arrived`);
		hash.update(block);
		if (last) yield last;
		last = block;
	}
	if (count < size) throw fail(`${count} of ${size} bytes arrived`);
	passed.sha256 = hash.digest('hex');
	if (last) yield last;
}

/** SHA-256 of bytes in hexadecimal. */
export function sha256Of(bytes: Uint8Array): string {
	return createHash('sha256').update(bytes).digest('hex');
}
