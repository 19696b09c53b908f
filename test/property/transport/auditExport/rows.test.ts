import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import Papa from 'papaparse';

import { parseRows } from '../../../../nodes/Wherobots/transport/auditExport/csv';
import { unparsedRows } from '../../../../nodes/Wherobots/transport/auditExport/exportSteps';
import { TransferError } from '../../../../nodes/Wherobots/transport/download/bodyReader';
import { readTable } from '../../../../nodes/Wherobots/transport/auditExport/readExport';
import { rowBlocks } from '../../../../nodes/Wherobots/transport/auditExport/rowBlocks';

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
	for (let at = 0; at < bytes.length; at += size) {
		yield await Promise.resolve(bytes.subarray(at, at + size));
	}
}

const value = fc.oneof(
	fc.string({ unit: 'grapheme', maxLength: 8 }),
	fc.constantFrom('"', '\n', '\r\n', '\r', ',', '', 'x'.repeat(40)),
);
const newline = fc.constantFrom<Array<'\n' | '\r\n'>>('\n', '\r\n');
const line = fc.record({ row: fc.array(value, { minLength: 3, maxLength: 3 }), newline });
const size = fc.integer({ min: 1, max: 90 });

const csvOf = (row: string[], end: string) => Papa.unparse([row], { newline: end as '\n' }) + end;

it('rows are those that a CSV library finds, however the bytes are cut and lines end', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(line, { minLength: 1 }),
			size,
			fc.boolean(),
			async (lines, chunk, ended) => {
				const texts = lines.map(({ row, newline: end }) => csvOf(row, end));
				if (!ended) texts.push((texts.pop() as string).replace(/\r?\n$/, ''));
				const found: string[] = [];
				const rows: string[][] = [];
				for await (const block of rowBlocks(inChunks(Buffer.from(texts.join('')), chunk))) {
					const starts = [0, ...block.ends];
					const parts = block.ends.map((end, index) => block.text.slice(starts[index], end));
					found.push(...parts.map((part) => Buffer.from(part, 'latin1').toString()));
					rows.push(...parseRows(block, 3));
				}
				expect(found).toEqual(texts);
				const parsed = texts.map((text) => {
					return (parse(text, { record_delimiter: ['\r\n', '\n'] }) as string[][])[0];
				});
				expect(rows).toEqual(parsed);
			},
		),
		{ numRuns: 300 },
	);
});

it('nothing is made up from a row that is cut off', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(line, { minLength: 1, maxLength: 4 }),
			size,
			fc.nat(),
			async (lines, chunk, at) => {
				const text = lines.map(({ row, newline: end }) => csvOf(row, end)).join('');
				const cut = [...text].slice(0, at % text.length).join('');
				const rows: string[][] = [];
				try {
					for await (const block of rowBlocks(inChunks(Buffer.from(`a,b,c\n${cut}`), chunk))) {
						rows.push(...parseRows(block, 3));
					}
				} catch (error) {
					return expect(error).toBeInstanceOf(TransferError);
				}
				// Only the last value of a row can be cut off unnoticed.
				const last = rows.length - 2;
				const rest = rows[last + 1].pop() ?? '';
				const values = lines.slice(0, rows.length - 1).map(({ row }) => [...row]);
				if (last >= 0) expect(values[last].pop()?.startsWith(rest)).toBe(true);
				expect(rows.slice(1)).toEqual(values);
			},
		),
		{ numRuns: 2_000 },
	);
});

const id = fc.oneof(
	fc.string({ unit: fc.constantFrom('a', 'B', '7', '-', '_'), minLength: 1, maxLength: 40 }),
	fc.constantFrom('', ' ', 'x,y', 'x\ny', 'x\r\ny', 'ä', '東京', '!', '(1)', '+', 'a'.repeat(37)),
);
const other = fc.constantFrom('', 'plain', 'a, b', 'two\nlines', '-');

it('rows come once for each ID, as they are, however they are cut and whatever column has the ID', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(id, { minLength: 1, maxLength: 6 }),
			fc.array(fc.option(fc.tuple(fc.nat(), other, other), { freq: 9 }), { maxLength: 40 }),
			fc.integer({ min: 0, max: 2 }),
			newline,
			size,
			async (ids, picks, column, end, chunk) => {
				const names = ['event_time', 'other'];
				names.splice(column, 0, 'event_id');
				const rows = picks.map((pick) => {
					if (!pick) return undefined;
					const [index, ...others] = pick;
					const row: string[] = others;
					row.splice(column, 0, ids[index % ids.length]);
					return row;
				});
				// There may be blank lines.
				const texts = rows.map((row) => (row ? csvOf(row, end) : end));
				const seen = new Set<string>();
				const kept = texts.filter((_, index) => {
					const key = rows[index]?.[column] ?? '';
					return key === '' || seen.size < seen.add(key).size;
				});
				const head = csvOf(names, end);
				const table = await readTable(inChunks(Buffer.from(head + texts.join('')), chunk));
				const { output, tally } = unparsedRows(table, true);
				const given: Uint8Array[] = [];
				for await (const block of output) given.push(block);
				expect(Buffer.concat(given).toString()).toBe(head + kept.join(''));
				expect(given.every((part) => part.length > 0)).toBe(true);
				const blanks = rows.filter((row) => !row).length;
				expect(tally).toEqual({
					rows: kept.length - blanks,
					duplicates: texts.length - kept.length,
				});
			},
		),
		{ numRuns: 300 },
	);
});
