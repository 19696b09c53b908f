import { createHash } from 'crypto';

export interface FileTally {
	bytes: number;
	/** SHA-256 of the bytes, in hexadecimal. */
	sha256: string;
}

/** Counts and hashes the bytes that pass through; the tally is valid after the last one. */
export function hashed(source: AsyncIterable<Uint8Array>): {
	output: AsyncIterable<Uint8Array>;
	tally: FileTally;
} {
	const tally: FileTally = { bytes: 0, sha256: '' };
	async function* bytes(): AsyncGenerator<Uint8Array> {
		const hash = createHash('sha256');
		for await (const block of source) {
			hash.update(block);
			tally.bytes += block.length;
			yield block;
		}
		tally.sha256 = hash.digest('hex');
	}
	return { output: bytes(), tally };
}
