/** Whole numbers, kept as ranges: those of a million items are one. */
export class Ranges {
	private readonly ranges: Array<[from: number, to: number]> = [];

	add(from: number, to = from): void {
		const last = this.ranges.at(-1);
		if (last && last[1] === from - 1) last[1] = to;
		else this.ranges.push([from, to]);
	}

	addAll({ ranges }: Ranges): void {
		for (const range of ranges) this.add(...range);
		this.ranges.sort(([one], [other]) => one - other);
	}

	has(number: number): boolean {
		return this.ranges.some(([from, to]) => from <= number && number <= to);
	}

	/** How many there are. */
	get size(): number {
		return this.ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);
	}

	*[Symbol.iterator](): Generator<number> {
		for (const [from, to] of this.ranges) for (let each = from; each <= to; each++) yield each;
	}

	/** `0 to 499, 501` */
	toString(): string {
		return this.ranges.map(([from, to]) => (from === to ? from : `${from} to ${to}`)).join(', ');
	}
}
