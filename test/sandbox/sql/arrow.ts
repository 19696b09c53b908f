/** Rows as an Arrow IPC stream, the form in which a session sends them unless asked for another. */
import {
	Binary,
	Bool,
	DataType,
	Field,
	Float64,
	Int32,
	Int64,
	List,
	makeData,
	Map_,
	Null,
	RecordBatch,
	RecordBatchStreamWriter,
	Schema,
	Struct,
	TimestampMicrosecond,
	Utf8,
	vectorFromArray,
} from 'apache-arrow';

import type { Table } from './answers';

/** The IPC stream of a table, with its schema even where it has no rows. */
export function arrowStream({ columns, rows, types }: Table): Buffer {
	const vectors = columns.map((name, at) => {
		const values = rows.map((row) => row[at]);
		const type = Object.hasOwn(types, name) ? types[name] : typeOf(values, name);
		return vectorFromArray(
			values.map((value) => fitting(value, type)),
			type,
		);
	});
	const fields = columns.map((name, at) => new Field(name, vectors[at].type, true));
	const children = vectors.map(({ data, type }) => data[0] ?? makeData({ type }));
	const rowsOf = makeData({
		type: new Struct(fields),
		length: rows.length,
		nullCount: 0,
		children,
	});
	const writer = new RecordBatchStreamWriter();
	writer.write(new RecordBatch(new Schema(fields), rowsOf));
	return Buffer.from(writer.finish().toUint8Array(true));
}

/** The type that Spark gives such values. */
function typeOf(values: unknown[], name: string): DataType {
	const known = values.filter((value) => value !== null && value !== undefined);
	const every = (is: (value: unknown) => boolean) => known.every(is);
	if (known.length === 0) return new Null();
	if (every((value) => typeof value === 'string')) return new Utf8();
	if (every((value) => typeof value === 'boolean')) return new Bool();
	if (every((value) => Number.isInteger(value) && Math.abs(value as number) < 2 ** 31)) {
		return new Int32();
	}
	if (every((value) => typeof value === 'bigint' || Number.isSafeInteger(value))) {
		return new Int64();
	}
	if (every((value) => typeof value === 'bigint' || typeof value === 'number')) {
		return new Float64();
	}
	if (every((value) => value instanceof Date)) return new TimestampMicrosecond('UTC');
	if (every((value) => value instanceof Uint8Array)) return new Binary();
	if (every(Array.isArray)) {
		return new List(new Field('element', typeOf((known as unknown[][]).flat(), name), true));
	}
	if (every((value) => value instanceof Map)) {
		const maps = known as Array<Map<unknown, unknown>>;
		const [keys, entries] = [0, 1].map((at) => maps.flatMap((map) => [...map].map((e) => e[at])));
		const pair = [
			new Field('key', typeOf(keys, name), false),
			new Field('value', typeOf(entries, name), true),
		];
		return new Map_(new Field('entries', new Struct(pair), false) as never);
	}
	if (every((value) => typeof value === 'object')) {
		const rows = known as Array<Record<string, unknown>>;
		const names = [...new Set(rows.flatMap(Object.keys))];
		const valuesOf = (each: string) => rows.map((row) => row[each]);
		return new Struct(names.map((each) => new Field(each, typeOf(valuesOf(each), each), true)));
	}
	throw new Error(`sandbox: the values of column ${name} have no type in common`);
}

/** A value as the builders want it for a type. Decimals are digits, or their text without a point. */
function fitting(value: unknown, type: DataType): unknown {
	if (value === null || value === undefined) return null;
	if (DataType.isInt(type) && type.bitWidth === 64) return BigInt(value as number);
	if (DataType.isFloat(type)) return Number(value);
	if (DataType.isDecimal(type)) {
		const bytes = BigInt.asUintN(type.bitWidth, BigInt(value as bigint));
		const words = Array.from({ length: type.bitWidth / 32 }, (_, at) =>
			Number((bytes >> BigInt(32 * at)) & 0xffffffffn),
		);
		return Uint32Array.from(words);
	}
	if (DataType.isList(type)) {
		return (value as unknown[]).map((each) => fitting(each, type.children[0].type));
	}
	if (DataType.isStruct(type)) {
		const record = value as Record<string, unknown>;
		return Object.fromEntries(
			type.children.map(({ name, type: inner }) => [name, fitting(record[name], inner)]),
		);
	}
	if (DataType.isMap(type)) {
		const [keys, entries] = (type.children[0].type as Struct).children.map((each) => each.type);
		return new Map(
			[...(value as Map<unknown, unknown>)].map(([key, each]) => [
				fitting(key, keys),
				fitting(each, entries),
			]),
		);
	}
	return value;
}
