import { createHash } from 'crypto';

export interface FileTally {
	bytes: number;
	/** SHA-256 of the bytes, in hexadecimal; empty until the last one has passed. */
	sha256: string;
	/** Why the bytes are not the file, if they are not. */
	problem?: string;
}

/**
 * Counts and hashes the bytes that pass through. The last block is held back until the source ends:
 * the tally is complete before it, and a file of another size never is.
 *
 * @param size the number of bytes that there have to be, if it is known
 * @throws Error in its output when there are more or fewer, with the tally's `problem` set
 */
export function hashed(
	source: AsyncIterable<Uint8Array>,
	size?: number,
): { output: AsyncIterable<Uint8Array>; tally: FileTally } {
	const tally: FileTally = { bytes: 0, sha256: '' };
	const fail = (problem: string) => new Error((tally.problem = problem));
	async function* bytes(): AsyncGenerator<Uint8Array> {
		const hash = createHash('sha256');
		let last: Uint8Array | undefined;
		for await (const block of source) {
			if (block.length === 0) continue;
			hash.update(block);
			tally.bytes += block.length;
			if (size !== undefined && tally.bytes > size) throw fail(`more than ${size} bytes arrived`);
			if (last) yield last;
			last = block;
		}
		if (size !== undefined && tally.bytes < size) {
			throw fail(`${tally.bytes} of ${size} bytes arrived`);
		}
		tally.sha256 = hash.digest('hex');
		if (last) yield last;
	}
	return { output: bytes(), tally };
}
