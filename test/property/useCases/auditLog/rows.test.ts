import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import Papa from 'papaparse';

import { TransferError } from '../../../../nodes/Wherobots/transport/transfer';
import { parseTable } from '../../../../nodes/Wherobots/useCases/auditLog/auditExport';
import {
	writeFile,
	parseSelectedRows,
} from '../../../../nodes/Wherobots/useCases/auditLog/auditFiles';
import { collected, inChunks } from '../../../support/chunks';
import { forAll } from '../../../support/forAll';
import { runs } from '../../../support/runs';

const HEAD = 'event_id,event_time,other\n';

const value = fc.oneof(
	fc.string({ unit: 'grapheme', maxLength: 8 }),
	fc.constantFrom('"', '\n', '\r\n', '\r', ',', '', 'x'.repeat(40)),
);
const newline = fc.constantFrom<Array<'\n' | '\r\n'>>('\n', '\r\n');
const line = fc.record({ row: fc.array(value, { minLength: 3, maxLength: 3 }), newline });
const size = fc.integer({ min: 1, max: 90 });

const csvOf = (row: string[], end: string) => Papa.unparse([row], { newline: end as '\n' }) + end;

async function rowsOf(text: string, chunk: number): Promise<string[][]> {
	const table = await parseTable(inChunks(Buffer.from(text), chunk));
	return (await collected(parseSelectedRows(table).output)).flat();
}

async function fileOf(text: string, chunk: number, removeDuplicates: boolean) {
	const table = await parseTable(inChunks(Buffer.from(text), chunk));
	const options = { format: 'csv', compress: false, removeDuplicates } as const;
	const { output, tally } = writeFile(table, options);
	const blocks = await collected(output);
	expect(blocks.every((part) => part.length > 0)).toBe(true);
	return { text: Buffer.concat(blocks).toString(), ...tally };
}

it('rows are those that a CSV library finds, however the bytes are cut and lines end', async () =>
	await forAll(
		[fc.array(line, { minLength: 1 }), size, fc.boolean()],
		300,
		async (lines, chunk, ended) => {
			const texts = lines.map(({ row, newline: end }) => csvOf(row, end));
			if (!ended) texts.push((texts.pop() as string).replace(/\r?\n$/, ''));
			const text = HEAD + texts.join('');
			const options = { record_delimiter: ['\r\n', '\n'] };
			const parsed = texts.map((each) => (parse(each, options) as string[][])[0]);
			expect(await rowsOf(text, chunk)).toEqual(parsed);
			expect(await fileOf(text, chunk, false)).toEqual({
				text,
				rows: texts.length,
				duplicates: 0,
			});
		},
	));

it('nothing is made up from a row that is cut off', async () =>
	await forAll(
		[fc.array(line, { minLength: 1, maxLength: 4 }), size, fc.nat()],
		runs(500, 10_000),
		async (lines, chunk, at) => {
			const text = lines.map(({ row, newline: end }) => csvOf(row, end)).join('');
			const cut = [...text].slice(0, at % text.length).join('');
			const rows = await rowsOf(HEAD + cut, chunk).catch((error: Error) => error);
			if (rows instanceof Error) return expect(rows).toBeInstanceOf(TransferError);
			// Only the last value of a row can be cut off unnoticed.
			const values = lines.slice(0, rows.length).map(({ row }) => [...row]);
			const rest = rows.at(-1)?.pop() ?? '';
			if (rows.length > 0) expect(values.at(-1)?.pop()?.startsWith(rest)).toBe(true);
			expect(rows).toEqual(values);
		},
	));

const id = fc.oneof(
	fc.string({ unit: fc.constantFrom('a', 'B', '7', '-', '_'), minLength: 1, maxLength: 40 }),
	fc.constantFrom('', ' ', 'x,y', 'x\ny', 'x\r\ny', 'ä', '東京', '!', '(1)', '+', 'a'.repeat(37)),
);
const other = fc.constantFrom('', 'plain', 'a, b', 'two\nlines', '-');

it('rows come once for each ID, as they are, however they are cut and whatever column has the ID', async () =>
	await forAll(
		[
			fc.array(id, { minLength: 1, maxLength: 6 }),
			fc.array(fc.option(fc.tuple(fc.nat(), other, other), { freq: 9 }), { maxLength: 40 }),
			fc.integer({ min: 0, max: 2 }),
			newline,
			size,
		],
		300,
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
			expect(await fileOf(head + texts.join(''), chunk, true)).toEqual({
				text: head + kept.join(''),
				rows: kept.length - rows.filter((row) => !row).length,
				duplicates: texts.length - kept.length,
			});
		},
	));

it('one value of many megabytes, line breaks included, is read in linear time', async () => {
	const text = 'line "quoted"\n'.repeat(300_000);
	const rows = await rowsOf(`${HEAD}1,,"${text.replaceAll('"', '""')}"\n`, 1_024);
	expect(rows[0][2] === text).toBe(true);
});

it.each(['\n', '\r\n'])('a megabyte of blank lines is read in linear time (%j)', async (end) => {
	expect(await rowsOf(HEAD + end.repeat(2 ** 20), 65_536)).toEqual([]);
});
