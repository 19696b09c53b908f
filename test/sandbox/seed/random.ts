/** Choices that look random but are the same each time (mulberry32). */
export class Choices {
	constructor(private state: number) {}

	/** 0 ≤ x < 1. */
	next(): number {
		this.state = (this.state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	}

	/** A whole number from `low` to `high`, both included. */
	between(low: number, high: number): number {
		return low + Math.floor(this.next() * (high - low + 1));
	}

	of<T>(list: readonly T[]): T {
		return list[this.between(0, list.length - 1)];
	}

	/** Every item of the list once, in any order, and then all of them again. */
	*rounds<T>(list: readonly T[]): Generator<T, never> {
		for (;;) {
			const left = [...list];
			while (left.length > 0) yield left.splice(this.between(0, left.length - 1), 1)[0];
		}
	}
}
