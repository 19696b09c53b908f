/** A stream of rows that is not what it says: nothing of it becomes a row. */
import {
	Binary,
	Bool,
	type DataType,
	DateDay,
	Decimal,
	Dictionary,
	Field,
	FixedSizeBinary,
	FixedSizeList,
	Float32,
	Int16,
	Int32,
	Int64,
	LargeUtf8,
	List,
	makeData,
	Map_,
	Null,
	RecordBatch,
	RecordBatchStreamWriter,
	Schema,
	Struct,
	TimeMicrosecond,
	TimestampMicrosecond,
	Utf8,
	type Vector,
	vectorFromArray,
} from 'apache-arrow';
import fc from 'fast-check';

import { advice } from '../../../../nodes/Wherobots/actions/sql/query';
import { readRows } from '../../../../nodes/Wherobots/useCases/sql/rows';
import { clientWith } from '../../../support/clientWith';
import { forAll } from '../../../support/forAll';
import { runs } from '../../../support/runs';

async function read(bytes: Uint8Array) {
	const sent = { bytes, format: 'arrow', compression: 'none', geoColumns: [] };
	const { client } = await clientWith();
	return (await readRows(client, sent, advice)).rows;
}

const refused = expect.objectContaining({
	message: 'The rows that the SQL session sent cannot be read',
	// Words of the program say nothing to a person.
	description: expect.not.stringContaining('DataView'),
});

/** A stream of one batch for each list of columns. */
function streamOf(...batches: Vector[][]): Buffer {
	return write(new RecordBatchStreamWriter(), batches);
}

function write(writer: RecordBatchStreamWriter, batches: Vector[][]): Buffer {
	const fields = batches[0].map(({ type }, at) => new Field(`column ${at}`, type, true));
	for (const columns of batches) {
		const children = columns.map(({ data }) => data[0]);
		const { length } = columns[0];
		const data = makeData({ type: new Struct(fields), length, nullCount: 0, children });
		writer.write(new RecordBatch(new Schema(fields), data as never));
	}
	return Buffer.from(writer.finish().toUint8Array(true));
}

const item = (type: DataType) => new Field('item', type, true);
const entries = new Struct([new Field('key', new Utf8(), false), new Field('value', new Int32())]);

/** The seven values of a column of each type. */
const COLUMNS: Record<string, Vector> = {
	booleans: vectorFromArray([true, false, true, true, false, null, true], new Bool()),
	numbers: vectorFromArray([1, 2, null, 4, 5, 6, 8], new Int32()),
	'long numbers': vectorFromArray([1n, 2n, 3n, 4n, 5n, 6n, 8n], new Int64()),
	'numbers with a fraction': vectorFromArray([1.5, 2, 3, 4, 5, 6, 7], new Float32()),
	decimals: vectorFromArray([1n, 2n, 3n, 4n, 5n, 6n, 8n].map(words), new Decimal(2, 38)),
	days: vectorFromArray(Array<Date>(7).fill(new Date(0)), new DateDay()),
	moments: vectorFromArray(Array<number>(7).fill(86_400_000), new TimestampMicrosecond('UTC')),
	'times of day': vectorFromArray(Array<bigint>(7).fill(1n), new TimeMicrosecond()),
	texts: vectorFromArray(['Bonn', 'Köln', null, '', 'Kaş', 'Graz', 'Porto'], new Utf8()),
	'long texts': vectorFromArray(['a', 'é', 'c', 'd', 'e', 'f', 'g'], new LargeUtf8()),
	bytes: vectorFromArray(Array<Uint8Array>(7).fill(Buffer.from('ab')), new Binary()),
	lists: vectorFromArray([[1, 2], [], null, [3], [4], [5], [6]], new List(item(new Int32()))),
	objects: vectorFromArray(
		Array<object>(7).fill({ a: 1, b: 'x' }),
		new Struct([new Field('a', new Int32()), new Field('b', new Utf8())]),
	),
	maps: vectorFromArray(
		Array<Map<string, number>>(7).fill(new Map([['a', 1]])),
		new Map_(new Field('entries', entries, false) as never),
	),
};

/** Columns of types that Spark never sends. */
const FOREIGN: Record<string, Vector> = {
	'bytes of one length': vectorFromArray([Buffer.from('abc')], new FixedSizeBinary(3)),
	pairs: vectorFromArray([[1, 2]], new FixedSizeList(2, item(new Int16()))),
	abbreviations: vectorFromArray(['a', 'b', 'a'], new Dictionary(new Utf8(), new Int32())),
};

it.each(Object.entries(FOREIGN))(
	'is refused with %s, which Spark never sends',
	async (_, column) => {
		await expect(read(streamOf([column]))).rejects.toEqual(refused);
	},
);

function words(value: bigint): Uint32Array {
	return Uint32Array.of(Number(value), 0, 0, 0);
}

/** Where a stream says so many: in lengths of its batches and of the columns in them. */
function claims(bytes: Buffer, count: number): number[] {
	const places = Array.from({ length: bytes.length / 8 }, (_, at) => 8 * at);
	return places.filter((at) => bytes.readBigInt64LE(at) === BigInt(count));
}

/** The stream with other numbers, which have 64 bits, at these places. */
function changed(bytes: Buffer, places: number[], value: number | bigint): Buffer {
	const copy = Buffer.from(bytes);
	for (const at of places) copy.writeBigInt64LE(BigInt(value), at);
	return copy;
}

/** The stream with one of its texts, or any other bytes, replaced. */
function replaced(bytes: Buffer, from: Buffer, to: Buffer): Buffer {
	const at = bytes.indexOf(from);
	expect(at).toBeGreaterThan(0);
	return Buffer.concat([bytes.subarray(0, at), to, bytes.subarray(at + from.length)]);
}

const int32s = (...values: number[]) => Buffer.from(Int32Array.from(values).buffer);

describe.each(Object.entries(COLUMNS))('a stream with %s', (_, column) => {
	const stream = streamOf([column]);

	it('is read as it is', async () => {
		expect(await read(stream)).toHaveLength(7);
	});

	it('is refused when it says that it has more rows than its bytes hold', async () => {
		const places = claims(stream, 7);
		expect(places.length).toBeGreaterThan(1);
		for (const count of [12, 700, 2 ** 40, -7]) {
			await expect(read(changed(stream, places, count))).rejects.toEqual(refused);
			for (const place of places) {
				await expect(read(changed(stream, [place], count))).rejects.toEqual(refused);
			}
		}
	});

	it('is refused when it is cut off, wherever that is', async () => {
		for (let end = 0; end < stream.length; end += 4) {
			// What marks the end of older streams is all of its mark that arrived.
			await expect(read(stream.subarray(0, end))).rejects.toEqual(refused);
		}
	});
});

it('is refused when texts begin or end outside of their bytes, or within a character', async () => {
	const texts = streamOf([vectorFromArray(['Bonn', 'Köln', 'Kaş'], new Utf8())]);
	const offsets = int32s(0, 4, 9, 13);
	for (const wrong of [
		[0, 9, 4, 13],
		[0, 4, 9, 99],
		[-4, 4, 9, 13],
		[0, 4, 6, 13],
		[0, 4, 2 ** 30, 2 ** 31 - 1],
	]) {
		const stream = replaced(texts, offsets, int32s(...wrong));
		await expect(read(stream)).rejects.toEqual(refused);
	}
	const noText = replaced(texts, Buffer.from('Bonn'), Buffer.from([0x42, 0xff, 0x6e, 0x6e]));
	await expect(read(noText)).rejects.toEqual(refused);
});

it('is refused when lists take elements that are not there', async () => {
	const lists = streamOf([vectorFromArray([[1, 2], [3]], new List(item(new Int32())))]);
	const stream = replaced(lists, int32s(0, 2, 3), int32s(0, 2, 9));
	await expect(read(stream)).rejects.toEqual(refused);
});

it('is refused when it says that fewer values are missing than are', async () => {
	const nulls = vectorFromArray([1, null, null, null, null, null, 7], new Int32());
	const stream = streamOf([nulls]);
	const places = claims(stream, 5);
	expect(places).toHaveLength(1);
	await expect(read(changed(stream, places, 3))).rejects.toEqual(refused);
});

it('is refused when a value is beyond what its type holds', async () => {
	const decimals = streamOf([vectorFromArray([words(7n)], new Decimal(0, 2))]);
	const large = replaced(decimals, int32s(7, 0, 0, 0), int32s(700, 0, 0, 0));
	await expect(read(large)).rejects.toEqual(refused);
	const late = streamOf([vectorFromArray([86_400_000_000n], new TimeMicrosecond())]);
	await expect(read(late)).rejects.toEqual(refused);
});

/** A stream with so many rows, which take no bytes. */
function nothing(length: number): Buffer {
	const data = [makeData({ type: new Null(), length })];
	return streamOf([{ type: new Null(), data, length } as never]);
}

it('may have rows without bytes, but not millions of them', async () => {
	expect(await read(nothing(1_000))).toHaveLength(1_000);
	const claim = nothing(20_000_000);
	expect(claim.length).toBeLessThan(400);
	const began = performance.now();
	await expect(read(claim)).rejects.toEqual(refused);
	await expect(read(nothing(2 ** 31 - 1))).rejects.toEqual(refused);
	expect(performance.now() - began).toBeLessThan(1_000);
});

it('is refused when it lists more views than it has bytes, though no column has any', async () => {
	class Writer extends RecordBatchStreamWriter {
		protected override _assembleRecordBatch(batch: RecordBatch | Vector) {
			return { ...super._assembleRecordBatch(batch), variadicBufferCounts: [77] };
		}
	}
	const stream = write(new Writer(), [[COLUMNS.numbers]]);
	expect(await read(stream)).toHaveLength(7);
	const [place] = claims(stream, 77);
	stream.writeInt32LE(2 ** 22, place - 4);
	await expect(read(stream)).rejects.toEqual(refused);
});

it('is refused, or read within a second, when anything of it is another number', async () => {
	const columns = Object.values(COLUMNS);
	const stream = streamOf(columns, columns);
	const change = fc.record({
		at: fc.nat({ max: stream.length - 8 }),
		bytes: fc.oneof(
			fc.uint8Array({ minLength: 1, maxLength: 8 }),
			fc.constantFrom<Uint8Array>(
				...[0, 1, -1, 2 ** 31 - 1, -(2 ** 31), 1 << 20].map((number) => int32s(number)),
			),
		),
	});
	await forAll(
		[fc.array(change, { minLength: 1, maxLength: 3 })],
		{
			seed: 18,
			numRuns: runs(2_000, 20_000),
		},
		async (changes) => {
			const copy = Buffer.from(stream);
			for (const { at, bytes } of changes) copy.set(bytes, at);
			const began = performance.now();
			const outcome = await read(copy).catch((error: unknown) => error);
			expect(performance.now() - began).toBeLessThan(1_000);
			if (Array.isArray(outcome)) expect(outcome.length).toBeLessThanOrEqual(14);
			else expect(outcome).toEqual(refused);
		},
	);
});
