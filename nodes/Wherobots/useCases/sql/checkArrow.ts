/**
 * Holds what an Arrow IPC stream says of itself against its bytes. The library that reads the rows
 * believes every length, offset and index: it would take rows from bytes that belong to others, or read
 * for hours. Numbers of entries are those of the format's own description.
 */
import { type Table as Rows, tableFromIPC, TimeUnit, Type } from '@uwdata/flechette';

import { checkUtf8, isWithinCharacter, Table } from './flatbuffer';

/** What else is used of the library: each file that imported it would be published with its own copy. */
export { TimeUnit, Type };

/** What a column, or a part of one, consists of. */
interface Layout {
	type: number;
	/** Bits of a value, or of the offset of one that has no fixed length. */
	bits: number;
	children: Layout[];
}

/** Most values of a result. As items, more would not fit into memory. */
const MAX_VALUES = 50_000_000;

/** How many of them may take no bytes, as in a column that has nothing but NULL. */
const MAX_WITHOUT_BYTES = 1_000_000;

/** As deep as other readers go. */
const MAX_DEPTH = 64;

/** Versions 4 and 5 of the format, and the types of its messages. */
const VERSIONS = [3, 4];
const [SCHEMA, ROWS] = [1, 3];

type Integers = ArrayLike<number | bigint>;

/** What each of Spark's types has for `bits`; undefined where it contradicts itself. */
const BITS: Partial<Record<number, (type: Table) => number | undefined>> = {
	[Type.Null]: () => 0,
	[Type.Bool]: () => 1,
	[Type.Int]: (type) => [8, 16, 32, 64].find((bits) => bits === type.number(4, 4)),
	[Type.Float]: (type) => [16, 32, 64][type.number(4, 2)],
	[Type.Decimal]: (type) => {
		const [digits, scale, bits] = [type.number(4, 4), type.number(6, 4), type.number(8, 4, 128)];
		return digits * Math.log2(10) < bits && scale >= 0 && scale <= digits ? bits : undefined;
	},
	[Type.Date]: (type) => [32, 64][type.number(4, 2, 1)],
	[Type.Time]: (type) => {
		const bits = [32, 32, 64, 64][type.number(4, 2, 1)];
		return bits === type.number(6, 4, 32) ? bits : undefined;
	},
	[Type.Timestamp]: (type) => {
		type.checkText(6);
		return [64, 64, 64, 64][type.number(4, 2)];
	},
	[Type.Duration]: (type) => [64, 64, 64, 64][type.number(4, 2, 1)],
	[Type.Interval]: (type) => [32, undefined, 128][type.number(4, 2)],
	[Type.Binary]: () => 32,
	[Type.Utf8]: () => 32,
	[Type.LargeBinary]: () => 64,
	[Type.LargeUtf8]: () => 64,
	[Type.List]: () => 32,
	[Type.Map]: () => 32,
	[Type.Struct]: () => 0,
};

const TEXTS = new Set<number>([Type.Utf8, Type.LargeUtf8]);
const BINARIES = new Set<number>([Type.Binary, Type.LargeBinary]);
const LISTS = new Set<number>([Type.List, Type.Map]);

/** The rows of a stream. @throws Error when the bytes are not a whole one, or it is not what it says */
export function readArrow(bytes: Uint8Array): Rows {
	checkArrow(bytes);
	const options = { useBigInt: true, useBigIntTimestamp: true, useDecimalInt: true };
	return tableFromIPC(bytes, options);
}

function checkArrow(bytes: Uint8Array): void {
	const allowance = { values: Math.min(8 * bytes.length + MAX_WITHOUT_BYTES, MAX_VALUES) };
	let columns: Layout[] | undefined;
	for (const { type, header, body } of parseMessages(bytes)) {
		if (type === SCHEMA && !columns) {
			if (header.number(4, 2) !== 0) throw new Error('their bytes are in another order');
			checkMetadata(header, 8);
			columns = header.tables(6).map((field) => parseLayout(field));
		} else if (type === ROWS && columns) {
			new Batch(header, body, allowance).check(columns);
		} else {
			throw new Error('the messages are of other types or in another order');
		}
	}
	if (!columns) throw new Error('they have no schema');
}

/** The messages up to the mark of the end. */
function* parseMessages(bytes: Uint8Array) {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
	let at = 0;
	const take = (size: number) => {
		if (size < 0 || at + size > bytes.length) throw new Error('they end too early');
		return bytes.subarray(at, (at += size));
	};
	const takeSize = () => view.getInt32(take(4).byteOffset - bytes.byteOffset, true);
	for (;;) {
		const size = takeSize();
		// Older streams have no mark before the size.
		const head = take(size === -1 ? takeSize() : size);
		if (head.length === 0) return;
		const message = Table.in(head);
		const header = message.table(8);
		const version = message.number(4, 2);
		if (!header || !VERSIONS.includes(version)) throw new Error('their format is not supported');
		yield { type: message.number(6, 1), header, body: take(message.number(10, 8)) };
	}
}

function parseLayout(field: Table, depth = 0): Layout {
	const type = field.number(8, 1);
	const table = field.table(10);
	const bits = table && BITS[type]?.(table);
	if (bits === undefined || depth > MAX_DEPTH) {
		throw new Error(`a column has a type that is not supported (${type})`);
	}
	if (field.table(12)) throw new Error('a column has a dictionary, which is not supported');
	// Nothing depends on these but that they are there: the library reads them, too.
	field.checkText(4);
	field.number(6, 1);
	checkMetadata(field, 16);
	const children = field.tables(14).map((child) => parseLayout(child, depth + 1));
	const layout = { type, bits, children };
	if (!isWhole(layout)) throw new Error('a column has other parts than its type');
	return layout;
}

/** Names and values that are of no interest here, but that the library reads. */
function checkMetadata(table: Table, entry: number): void {
	for (const pair of table.tables(entry, { isOptional: true })) {
		pair.checkText(4);
		pair.checkText(6);
	}
}

/** Whether a type has the parts that it needs. */
function isWhole({ type, children }: Layout): boolean {
	if (type === Type.Struct) return true;
	const [entries] = children;
	if (type === Type.Map && (entries?.type !== Type.Struct || entries.children.length !== 2)) {
		return false;
	}
	return children.length === (LISTS.has(type) ? 1 : 0);
}

/** A batch of rows: how many values each part of a column has, and in which bytes. */
class Batch {
	private readonly nodes: Array<[number, number]>;

	private readonly buffers: Array<[number, number]>;

	constructor(
		private readonly header: Table,
		private readonly body: Uint8Array,
		private readonly allowance: { values: number },
	) {
		this.nodes = header.pairs(6).reverse();
		this.buffers = header.pairs(8).reverse();
		if (header.table(10)) throw new Error('their buffers are compressed');
		// Counts of views, which no column has: the library reads them, too.
		header.checkVector(12, 8);
	}

	check(columns: Layout[]): void {
		const count = this.header.number(4, 8);
		for (const column of columns) {
			if (this.checkPart(column) !== count) throw new Error(TOO_FEW);
		}
	}

	/** Checks a column, or a part of one, and returns its length. */
	private checkPart(layout: Layout): number {
		const { type, bits } = layout;
		const [length, nulls] = this.nodes.pop() ?? [-1, 0];
		this.allowance.values -= length;
		if (length < 0 || this.allowance.values < 0) throw new Error(TOO_FEW);
		if (type === Type.Null) return length;
		this.takeValidity(length, nulls);
		if (type === Type.Struct) {
			for (const child of layout.children) {
				if (this.checkPart(child) < length) throw new Error(TOO_FEW);
			}
		} else if (LISTS.has(type)) {
			const offsets = this.takeOffsets(bits, length);
			// Of a map, entries come next, and then their keys.
			const isMissing = this.nodes.slice(-2).some(([, missing]) => missing !== 0);
			if (type === Type.Map && isMissing) throw new Error('an entry of a map has no key');
			const [child] = layout.children;
			checkOffsets(offsets, this.checkPart(child));
		} else if (TEXTS.has(type) || BINARIES.has(type)) {
			const offsets = this.takeOffsets(bits, length);
			const values = this.takeBuffer(0);
			checkOffsets(offsets, values.length);
			if (TEXTS.has(type)) checkTexts(offsets, values);
		} else {
			this.takeBuffer(Math.ceil((length * bits) / 8));
		}
		return length;
	}

	/** The bytes of a part, of which there have to be so many. */
	private takeBuffer(needed: number): Uint8Array {
		const [offset, size] = this.buffers.pop() ?? [-1, 0];
		const isInside = offset >= 0 && size >= needed && offset + size <= this.body.length;
		if (!isInside || offset % 8 !== 0) throw new Error(TOO_FEW);
		return this.body.subarray(offset, offset + size);
	}

	/** Which values are there: a bit for each, if any is missing. */
	private takeValidity(length: number, nulls: number): void {
		const bits = this.takeBuffer(nulls === 0 ? 0 : Math.ceil(length / 8));
		if (nulls === 0) return;
		let missing = 0;
		for (let at = 0; at < length; at++) if ((bits[at >> 3] & (1 << (at & 7))) === 0) missing++;
		if (missing !== nulls) throw new Error('another number of values is missing');
	}

	/** Where each value begins, and where the last one ends. */
	private takeOffsets(bits: number, length: number): Integers {
		const count = length === 0 ? 0 : length + 1;
		const { buffer, byteOffset } = this.takeBuffer((count * bits) / 8);
		return bits === 32
			? new Int32Array(buffer, byteOffset, count)
			: new BigInt64Array(buffer, byteOffset, count);
	}
}

const TOO_FEW = 'there are fewer bytes than the rows need';

/** Values begin where the one before ends, and end within what is there. */
function checkOffsets(offsets: Integers, end: number): void {
	let before: number | bigint = 0;
	for (let at = 0; at < offsets.length; at++) {
		if (offsets[at] < before) throw new Error('a value ends before it begins');
		before = offsets[at];
	}
	if (before > end) throw new Error(TOO_FEW);
}

/** Texts are UTF-8, each for itself. */
function checkTexts(offsets: Integers, bytes: Uint8Array): void {
	if (offsets.length === 0) return;
	const end = Number(offsets[offsets.length - 1]);
	checkUtf8(bytes.subarray(Number(offsets[0]), end));
	for (let at = 0; at < offsets.length; at++) {
		const start = Number(offsets[at]);
		if (start < end && isWithinCharacter(bytes[start])) throw new Error('a text ends too early');
	}
}
