/** Maximum depth: reading takes a call per level. */
const MAX_DEPTH = 200;

/** The end of a list, map or string of indefinite length. */
const BREAK = Symbol('break');

const UTF8 = new TextDecoder();

/**
 * Reads the part of CBOR (RFC 8949) that JSON can represent, and bytes. Integers that a JavaScript
 * number cannot hold become strings of their digits, and tags are ignored but for long integers. It
 * reads strings of indefinite length, which Java encoders write for long ones and small libraries
 * reject.
 *
 * @throws SyntaxError when the bytes are not one value
 */
export function readCbor(bytes: Uint8Array): unknown {
	const reader = new CborReader(bytes);
	const value = reader.content(0);
	if (!reader.isAtEnd) throw new SyntaxError('There is something after the value');
	return value;
}

class CborReader {
	private readonly view: DataView;

	private at = 0;

	constructor(private readonly bytes: Uint8Array) {
		this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	}

	get isAtEnd(): boolean {
		return this.at === this.bytes.length;
	}

	/** A value, which must not be missing. */
	content(depth: number): unknown {
		const value = this.value(depth);
		if (value === BREAK) throw new SyntaxError('A value is missing');
		return value;
	}

	private value(depth: number): unknown {
		if (depth > MAX_DEPTH) throw new SyntaxError('The value is too deep');
		const head = this.bytes[this.skip(1)];
		const [major, info] = [head >> 5, head & 31];
		if (major === 7) return this.simple(info);
		const size = this.argument(info);
		switch (major) {
			case 0:
				return integer(known(size));
			case 1:
				return integer(-1n - BigInt(known(size)));
			case 2:
				return Buffer.concat(this.pieces(size, 2));
			case 3:
				return this.pieces(size, 3)
					.map((piece) => UTF8.decode(piece))
					.join('');
			case 4:
				return this.values(size, depth).map(([value]) => value);
			case 5:
				return Object.fromEntries(
					this.values(size, depth, true).map(([key, value]) => [String(key), value]),
				);
			default:
				return this.tagged(known(size), depth);
		}
	}

	/** The argument of a head; undefined for an indefinite length. */
	private argument(info: number): number | bigint | undefined {
		if (info < 24) return info;
		switch (info) {
			case 24:
				return this.view.getUint8(this.skip(1));
			case 25:
				return this.view.getUint16(this.skip(2));
			case 26:
				return this.view.getUint32(this.skip(4));
			case 27:
				return this.view.getBigUint64(this.skip(8));
			case 31:
				return undefined;
			default:
				throw new SyntaxError('A length is not valid');
		}
	}

	private simple(info: number): unknown {
		switch (info) {
			case 20:
				return false;
			case 21:
				return true;
			case 22:
				return null;
			case 25:
				return half(this.view.getUint16(this.skip(2)));
			case 26:
				return this.view.getFloat32(this.skip(4));
			case 27:
				return this.view.getFloat64(this.skip(8));
			case 31:
				return BREAK;
			default:
				if (info === 24) this.skip(1);
				return undefined;
		}
	}

	/** The chunks of a text or byte string. */
	private pieces(size: number | bigint | undefined, major: number): Uint8Array[] {
		if (size !== undefined) {
			const start = this.skip(Number(size));
			return [this.bytes.subarray(start, this.at)];
		}
		const pieces: Uint8Array[] = [];
		for (;;) {
			const head = this.bytes[this.skip(1)];
			if (head === 0xff) return pieces;
			if (head >> 5 !== major) throw new SyntaxError('A piece of a text is not valid');
			pieces.push(...this.pieces(known(this.argument(head & 31)), major));
		}
	}

	/** The values of a list, or the names and values of a map. */
	private values(size: number | bigint | undefined, depth: number, isMap = false): unknown[][] {
		const values: unknown[][] = [];
		while (size === undefined || values.length < size) {
			const value = size === undefined ? this.value(depth + 1) : this.content(depth + 1);
			if (value === BREAK) break;
			values.push(isMap ? [value, this.content(depth + 1)] : [value]);
		}
		return values;
	}

	private tagged(tag: number | bigint, depth: number): unknown {
		const value = this.content(depth + 1);
		const isLong = (tag === 2 || tag === 3) && value instanceof Uint8Array;
		if (!isLong) return value;
		const size = BigInt(`0x${Buffer.from(value).toString('hex') || '0'}`);
		return integer(tag === 2 ? size : -1n - size);
	}

	/** Advances by a number of bytes. @returns where they begin */
	private skip(count: number): number {
		const start = this.at;
		if (count > this.bytes.length - start) throw new SyntaxError('The value is incomplete');
		this.at += count;
		return start;
	}
}

function known(size: number | bigint | undefined): number | bigint {
	if (size === undefined) throw new SyntaxError('A length is not valid');
	return size;
}

function integer(value: number | bigint): number | string {
	const number = Number(value);
	return Number.isSafeInteger(number) ? number : String(value);
}

/** A 16-bit float: sign, 5-bit exponent, 10-bit mantissa (IEEE 754). */
function half(bits: number): number {
	const exponent = (bits >> 10) & 31;
	const mantissa = bits & 1023;
	const sign = bits & 0x8000 ? -1 : 1;
	if (exponent === 31) return mantissa === 0 ? sign * Infinity : NaN;
	return exponent === 0
		? sign * mantissa * 2 ** -24
		: sign * (1 + mantissa / 1024) * 2 ** (exponent - 15);
}
