import { parse } from 'csv-parse/sync';
import fc from 'fast-check';

import { writeCsv } from '../../../../nodes/Wherobots/transport/auditExport/csv';
import { gzipped } from '../../../../nodes/Wherobots/transport/download/gzip';
import { RowScanner } from '../../../../nodes/Wherobots/transport/auditExport/rowScanner';
import { SeenIds } from '../../../../nodes/Wherobots/transport/auditExport/seenIds';

const value = fc.oneof(
	fc.string({ unit: 'grapheme', maxLength: 8 }),
	fc.constantFrom('"', '\n', '\r\n', ',', '', 'x'.repeat(40)),
);
const table = fc.array(fc.array(value, { minLength: 3, maxLength: 3 }), { minLength: 1 });

describe('RowScanner', () => {
	it('finds the rows that a CSV library finds, however the bytes are cut and aligned', () => {
		fc.assert(
			fc.property(
				table,
				fc.constantFrom('\n', '\r\n'),
				fc.integer({ min: 1, max: 50 }),
				fc.integer({ min: 0, max: 3 }),
				(rows, newline, size, shift) => {
					const text = Buffer.from(writeCsv(rows, newline));
					const bytes = Buffer.concat([Buffer.alloc(shift), text]).subarray(shift);
					const scanner = new RowScanner();
					const unended = new RowScanner();
					const ends: number[] = [];
					for (let at = 0; at < bytes.length; at += size) {
						scanner.scan(bytes.subarray(at, at + size));
						ends.push(...scanner.ends.map((end) => end + at));
					}
					expect(scanner.rows).toBe(rows.length);
					expect(scanner.openRow).toHaveLength(0);
					expect(scanner.inQuotes).toBe(false);
					const parsed = ends.map((end, index) => text.subarray(ends[index - 1] ?? 0, end));
					expect(
						parsed.map((row) => (parse(row, { record_delimiter: newline }) as string[][])[0]),
					).toEqual(rows);

					const cut = text.subarray(0, text.length - newline.length);
					for (let at = 0; at < cut.length; at += size) unended.scan(cut.subarray(at, at + size));
					expect(unended.rows).toBe(rows.length - 1);
					expect(unended.openRow).toEqual(cut.subarray(ends.at(-2) ?? 0));
				},
			),
			{ numRuns: 300 },
		);
	});
});

describe('SeenIds', () => {
	it('remembers what a set remembers, however many are added together; empty ones are no repeats', () => {
		fc.assert(
			fc.property(fc.array(fc.array(value, { maxLength: 50 }), { maxLength: 8 }), (groups) => {
				const seen = new SeenIds();
				const set = new Set<string>();
				for (const ids of groups) {
					const expected = ids.map((id) => id === '' || set.size < set.add(id).size);
					const bounds: number[] = [];
					let bytes = Buffer.alloc(0);
					for (const id of ids) {
						const from = bytes.length;
						bytes = Buffer.concat([bytes, Buffer.from(`${id}|`)]);
						bounds.push(from, bytes.length - 1);
					}
					expect(seen.addAll(bytes, bounds)).toEqual(expected);
				}
			}),
		);
	});

	it('tells many similar IDs apart while it grows', () => {
		const seen = new SeenIds();
		let repeats = 0;
		for (let index = 0; index < 300_000; index += 1) {
			if (!seen.add(Buffer.from(`bulk-${String(index).padStart(12, '0')}`))) repeats += 1;
		}
		expect(repeats).toBe(0);
		expect(seen.add(Buffer.from('bulk-000000123456'))).toBe(false);
	});
});

describe('gzipped', () => {
	async function* failing(): AsyncGenerator<Uint8Array> {
		yield Buffer.alloc(100_000, 'x');
		await new Promise((resolve) => setTimeout(resolve, 5));
		throw new RangeError('from the source');
	}

	it('fails with the error of its source', async () => {
		const taken = async () => {
			let bytes = 0;
			for await (const chunk of gzipped(failing())) bytes += chunk.length;
			return bytes;
		};
		await expect(taken()).rejects.toThrow(new RangeError('from the source'));
	});

	it('lets go of its source when nobody reads on', async () => {
		let released = false;
		async function* endless(): AsyncGenerator<Uint8Array> {
			try {
				for (let index = 0; ; index += 1) yield Buffer.from(`${Math.random()}`.repeat(5_000));
			} finally {
				released = true;
			}
		}
		for await (const chunk of gzipped(endless())) {
			if (chunk.length > 100) break;
		}
		await new Promise((resolve) => setTimeout(resolve, 50));
		expect(released).toBe(true);
	});
});
