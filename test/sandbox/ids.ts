import { createHash } from 'node:crypto';

/** IDs that look random but are the same in every process: the n-th ID of a kind is always the same. */
export class Ids {
	private readonly counters = new Map<string, number>();

	next(kind: string, length = 20): string {
		const count = (this.counters.get(kind) ?? 0) + 1;
		this.counters.set(kind, count);
		return idOf(`${kind}:${count}`, length);
	}

	uuid(kind: string): string {
		const hex = this.next(kind, 32);
		return [8, 12, 16, 20].reduceRight((text, at) => `${text.slice(0, at)}-${text.slice(at)}`, hex);
	}
}

/** A hexadecimal ID that depends only on `text`. */
export function idOf(text: string, length = 20): string {
	return createHash('sha256').update(text).digest('hex').slice(0, length);
}
