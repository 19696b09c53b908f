/** Messages in FlatBuffers, in which everything is found by offsets: none leads out of the message. */

/** How much may be read of a message, as a multiple of its length: parts that are used twice are rare. */
const MAX_REUSE = 4;

/** Refuses bytes that are not UTF-8. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** How many bytes are decoded at once. */
const CHUNK = 2 ** 20;

/** @throws TypeError when the bytes are not UTF-8 */
export function checkUtf8(bytes: Uint8Array): void {
	for (let start = 0, end; start < bytes.length; start = end) {
		end = Math.min(start + CHUNK, bytes.length);
		while (end < bytes.length && isWithinCharacter(bytes[end])) end++;
		UTF_8.decode(bytes.subarray(start, end));
	}
}

/** Whether a byte of UTF-8 continues a character. */
export function isWithinCharacter(byte: number): boolean {
	return (byte & 0xc0) === 0x80;
}

/** A table: numbers, texts and other tables, each at an entry. One that is left out has its default. */
export class Table {
	private readonly start: number;

	private readonly entries: number;

	private readonly size: number;

	private constructor(
		private readonly message: Message,
		reference: number,
	) {
		this.start = message.follow(reference);
		this.entries = this.start - message.read(this.start, 4);
		this.size = message.read(this.entries, 2);
		// The last entry has to be there, too.
		message.read(this.entries + this.size - 2, 2);
	}

	/** The table that a message consists of. */
	static in(bytes: Uint8Array): Table {
		return new Table(new Message(bytes), 0);
	}

	/** A number of this many bytes. */
	number(entry: number, size: Size, fallback = 0): number {
		const at = this.place(entry);
		return at === undefined ? fallback : this.message.read(at, size);
	}

	/** @throws TypeError when it is not UTF-8 */
	checkText(entry: number): void {
		const at = this.place(entry);
		if (at === undefined) return;
		const { start, count, bytes } = this.message.part(at, 1);
		checkUtf8(bytes);
		if (this.message.read(start + count, 1) !== 0) throw new RangeError('a text has no end');
	}

	table(entry: number): Table | undefined {
		const at = this.place(entry);
		return at === undefined ? undefined : new Table(this.message, at);
	}

	/** The tables of a vector, which may be missing if it is optional. */
	tables(entry: number, { isOptional = false } = {}): Table[] {
		if (isOptional && this.place(entry) === undefined) return [];
		return this.vector(entry, 4).map((at) => new Table(this.message, at));
	}

	/** Pairs of numbers of 64 bits. */
	pairs(entry: number): Array<[number, number]> {
		return this.vector(entry, 16).map((at) => [
			this.message.read(at, 8),
			this.message.read(at + 8, 8),
		]);
	}

	/** A vector that may be missing, and whose elements are of no interest. */
	checkVector(entry: number, stride: number): void {
		const at = this.place(entry);
		if (at !== undefined) this.message.part(at, stride);
	}

	/** Where the elements of a vector are. */
	private vector(entry: number, stride: number): number[] {
		const at = this.place(entry);
		if (at === undefined) throw new RangeError('a message is not complete');
		const { start, count } = this.message.part(at, stride);
		return Array.from({ length: count }, (_, index) => start + index * stride);
	}

	private place(entry: number): number | undefined {
		const offset = entry < this.size ? this.message.read(this.entries + entry, 2) : 0;
		// It has no sign, but the library that reads the rows takes its first bit for one.
		if (offset < 0) throw new RangeError(OUTSIDE);
		return offset === 0 ? undefined : this.start + offset;
	}
}

type Size = 1 | 2 | 4 | 8;

const OUTSIDE = 'a message refers to what is not in it';

class Message {
	private readonly view: DataView;

	private left: number;

	constructor(private readonly bytes: Uint8Array) {
		this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
		this.left = MAX_REUSE * bytes.length;
	}

	/**
	 * The number at this place, with a sign if it has more than one byte.
	 *
	 * @throws RangeError when it is outside the message
	 */
	read(at: number, size: Size): number {
		if (at < 0 || at + size > this.bytes.length) throw new RangeError(OUTSIDE);
		if (size === 1) return this.view.getUint8(at);
		if (size === 2) return this.view.getInt16(at, true);
		return size === 4 ? this.view.getInt32(at, true) : Number(this.view.getBigInt64(at, true));
	}

	/** Where a reference leads. */
	follow(at: number): number {
		this.spend(4);
		const distance = this.read(at, 4);
		if (distance <= 0) throw new RangeError(OUTSIDE);
		return at + distance;
	}

	/** A text or a vector: its count of elements, and then these. */
	part(at: number, stride: number): { start: number; count: number; bytes: Uint8Array } {
		const start = this.follow(at) + 4;
		const count = this.read(start - 4, 4);
		const end = start + count * stride;
		if (count < 0 || end > this.bytes.length) throw new RangeError(OUTSIDE);
		this.spend(count * stride);
		return { start, count, bytes: this.bytes.subarray(start, end) };
	}

	/** Parts that contain each other would never end. */
	private spend(count: number): void {
		this.left -= count;
		if (this.left < 0) throw new RangeError('parts of a message contain each other');
	}
}
