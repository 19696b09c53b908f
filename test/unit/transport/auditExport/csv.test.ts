import { readCsv, toRecord, writeCsv } from '../../../../nodes/Wherobots/transport/auditExport/csv';
import { CsvError } from '../../../../nodes/Wherobots/transport/auditExport/textPieces';

async function* inChunks(text: string, size: number): AsyncGenerator<Uint8Array> {
	const bytes = Buffer.from(text);
	for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string, size = 7) {
	const rows: string[][] = [];
	let columns: string[] = [];
	for await (const batch of readCsv(inChunks(text, size))) {
		columns = batch.columns;
		rows.push(...batch.rows);
	}
	return { columns, rows };
}

describe('readCsv', () => {
	it('reads quotes, commas, quoted line breaks and characters of several bytes', async () => {
		const text = 'id,name,note\n1,"a, ""b""","two\nlines"\n2,Zoë 東京 🗺,\n';
		for (const size of [1, 2, 3, 5, 64]) {
			expect(await read(text, size)).toEqual({
				columns: ['id', 'name', 'note'],
				rows: [
					['1', 'a, "b"', 'two\nlines'],
					['2', 'Zoë 東京 🗺', ''],
				],
			});
		}
	});

	it.each([
		['a byte order mark', '\uFEFFid,name\n1,a\n'],
		['CRLF', 'id,name\r\n1,a\r\n'],
		['CRLF after a quoted header', '\uFEFF"id","name"\r\n"1","a"\r\n'],
		['blank lines', 'id,name\n\n1,a\n\n'],
	])('takes %s', async (_, text) => {
		expect(await read(text)).toEqual({ columns: ['id', 'name'], rows: [['1', 'a']] });
	});

	it('gives the header of a table without rows', async () => {
		expect(await read('id,name\n')).toEqual({ columns: ['id', 'name'], rows: [] });
	});

	it('makes column names unique', async () => {
		expect((await read('a,a,,a_2,a\n')).columns).toEqual(['a', 'a_3', 'column_3', 'a_2', 'a_4']);
	});

	it.each([
		['nothing', '', 'no complete header'],
		['a header without an end', 'id,name', 'no complete header'],
		['an open quote in the header', '"id,name\n1,a\n', 'no complete header'],
		['a last line without an end', 'id,name\n1,a\n2,b', 'Row 3 is not complete'],
		['an end inside quotes', 'id,name\n1,"a\n2,b\n', 'Row 2 is not complete'],
		['a value too few', 'id,name\n1,a\n2\n', 'Row 3 is malformed: 1 values for 2 columns'],
		['a value too many', 'id,name\n1,a,b\n', 'Row 2 is malformed: 3 values for 2 columns'],
		['text after a closing quote', 'id,name\n1,"a"b\n2,"c"\n', 'Row 2 is malformed'],
	])('refuses %s', async (_, text, message) => {
		const reading = read(text);
		await expect(reading).rejects.toThrow(CsvError);
		await expect(reading).rejects.toThrow(message);
	});

	it('reads on only when the last batch was taken', async () => {
		const row = `1,${'x'.repeat(1000)}\n`;
		let given = 0;
		async function* source(): AsyncGenerator<Uint8Array> {
			yield Buffer.from('id,text\n');
			for (; given < 10_000; given++) yield Buffer.from(row);
		}
		const batches = readCsv(source());
		await batches.next();
		const after = given;
		expect(after).toBeLessThan(1000);
		await batches.next();
		expect(given - after).toBeLessThan(1000);
		await batches.return(undefined);
	});

	it('takes one value of many megabytes, line breaks included, in linear time', async () => {
		const value = 'line "quoted"\n'.repeat(1_500_000);
		const text = `id,text\n1,"${value.replaceAll('"', '""')}"\n`;
		const { rows } = await read(text, 64 * 1024);
		expect(rows[0][1] === value).toBe(true);
	});
});

describe('toRecord', () => {
	it('names the values', () => {
		expect(toRecord(['a', 'b'], ['1', ''])).toEqual({ a: '1', b: '' });
	});
});

describe('writeCsv', () => {
	it('writes what readCsv reads', async () => {
		const rows = [
			['1', ' a "b", c\r\nd ', '='],
			['', '', ''],
		];
		expect((await read(`x,y,z\n${writeCsv(rows)}`)).rows).toEqual(rows);
	});
});
