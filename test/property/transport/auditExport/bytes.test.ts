import { parse } from 'csv-parse/sync';
import fc from 'fast-check';

import {
	readCsv,
	readHeader,
	writeCsv,
} from '../../../../nodes/Wherobots/transport/auditExport/csv';
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
					expect([...seen.addAll(bytes, bounds)].map(Boolean)).toEqual(expected);
				}
			}),
		);
	});
});

it('one value of many megabytes, line breaks included, is read in linear time', async () => {
	const text = 'line "quoted"\n'.repeat(1_500_000);
	const bytes = Buffer.from(`id,text\n1,"${text.replaceAll('"', '""')}"\n`);
	async function* chunks() {
		for (let at = 0; at < bytes.length; at += 65_536) {
			yield await Promise.resolve(bytes.subarray(at, at + 65_536));
		}
	}
	const rows: string[][] = [];
	for await (const batch of readCsv(await readHeader(chunks()), () => true)) rows.push(...batch);
	expect(rows[0][1] === text).toBe(true);
});
