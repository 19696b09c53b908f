import {
	readCsv,
	readHeader,
	toRecord,
	writeCsv,
} from '../../../../nodes/Wherobots/transport/auditExport/csv';
import { TransferError } from '../../../../nodes/Wherobots/transport/download/bodyReader';

async function* inChunks(text: string, size: number): AsyncGenerator<Uint8Array> {
	const bytes = Buffer.from(text);
	for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string, size = 7, provenWhole = false) {
	const header = await readHeader(inChunks(text, size));
	const rows: string[][] = [];
	for await (const batch of readCsv(header, () => provenWhole)) rows.push(...batch);
	return { columns: header.columns, rows };
}

describe('readHeader', () => {
	it.each([
		['LF', 'id,name\n1,a\n', 'id,name\n', '\n'],
		['CRLF', 'id,name\r\n1,a\r\n', 'id,name\r\n', '\r\n'],
		['a byte order mark', '\uFEFFid,name\n', '\uFEFFid,name\n', '\n'],
		['quoted names', '"id","name"\n1,a\n', '"id","name"\n', '\n'],
	])('takes %s and leaves the rest', async (_, text, row, newline) => {
		for (const size of [1, 3, 64]) {
			const { rest, ...header } = await readHeader(inChunks(text, size));
			expect(header).toMatchObject({
				columns: ['id', 'name'],
				bytes: Buffer.from(row),
				ended: true,
				newline,
			});
			const blocks: Uint8Array[] = [];
			for await (const block of rest) blocks.push(block);
			expect(Buffer.concat(blocks).toString()).toBe(Buffer.from(text).toString().slice(row.length));
		}
	});

	it('takes a row without a line end, and says so', async () => {
		expect(await readHeader(inChunks('id,name', 3))).toMatchObject({
			columns: ['id', 'name'],
			ended: false,
		});
	});

	it('leaves no empty block of a body that is read to its end', async () => {
		const blocks: Uint8Array[] = [];
		for await (const block of (await readHeader(inChunks('id,name\n', 64))).rest)
			blocks.push(block);
		expect(blocks).toEqual([]);
	});

	it.each([
		['nothing', ''],
		['an open quote', '"id,name\n1,a\n'],
		['a line without an end', `${'x'.repeat(70_000)}`],
		['a line of 64 KiB', `${'x'.repeat(64 * 1024)}\n`],
	])('finds no columns in %s', async (_, text) => {
		const { columns, ended } = await readHeader(inChunks(text, 1024));
		expect({ columns, ended }).toEqual({ columns: [], ended: false });
	});
});

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

	it('separates the header by commas alone', async () => {
		const header = 'id;a;b\tc\td,"two\nlines"';
		for (const end of ['\n', '\r\n']) {
			expect((await read(`${header}${end}1,a${end}`)).columns).toEqual([
				'id;a;b\tc\td',
				'two\nlines',
			]);
		}
	});

	it('takes a header without commas as one name', async () => {
		expect((await read('id;name\n')).columns).toEqual(['id;name']);
	});

	it('tells blank lines from rows, and leaves out each of them', async () => {
		expect((await read('id,name\n\n\n1,a\n\n2,b\n')).rows).toEqual([
			['1', 'a'],
			['2', 'b'],
		]);
		for (const row of ['1', ',a,b']) {
			await expect(read(`id,name\n\n${row}\n`)).rejects.toMatchObject({
				problem: 'malformed',
				message: expect.stringMatching(/^Row 3 is malformed/),
			});
		}
	});

	it('makes column names unique', async () => {
		expect((await read('a,a,,a_2,a\n')).columns).toEqual(['a', 'a_3', 'column_3', 'a_2', 'a_4']);
	});

	it.each([
		['a last row without a line end', 'id,name\n1,a\n2,b', 'row 3, the last one, has no line end'],
		['a last row without all its values', 'id,name\n1,a\n2', 'Row 3 is incomplete'],
		['an end inside quotes', 'id,name\n1,"a\n2,b\n', 'Row 2 is incomplete'],
		['a value too few', 'id,name\n1,a\n2\n', 'Row 3 is malformed: 1 values for 2 columns'],
		['a value too many', 'id,name\n1,a,b\n', 'Row 2 is malformed: 3 values for 2 columns'],
		['text after a closing quote', 'id,name\n1,"a"b\n2,"c"\n', 'Row 2 is malformed'],
		['the same two rows later', 'id,name\n1,a\n2,b\n3,"c"d\n4,"e"\n', 'Row 4 is malformed'],
	])('refuses %s', async (_, text, message) => {
		const reading = read(text);
		await expect(reading).rejects.toThrow(TransferError);
		await expect(reading).rejects.toThrow(message);
	});

	it.each([
		['a last row', 'id,name\n1,a\n2,b', ['2', 'b']],
		['a last row that ends in an empty value', 'id,name\n1,a\n2,', ['2', '']],
		['a last row that ends in a space', 'id,name\n1,a\n2,b ', ['2', 'b ']],
		['a last row that ends in quotes', 'id,name\n1,a\n2,"b\n"', ['2', 'b\n']],
		['a last row amid its line end', 'id,name\r\n1,a\r\n2,b\r', ['2', 'b']],
		['a last row with a carriage return', 'id,name\r\n1,a\r\n2,"b\rc"\r', ['2', 'b\rc']],
		['the same without quotes', 'id,name\n1,a\n2,b\rc', ['2', 'b\rc']],
		[
			'a last row with other separators',
			'id,name\n1,a\n2,b;c;d\te\tf|g|h',
			['2', 'b;c;d\te\tf|g|h'],
		],
	])('takes %s without a line end when it is proven to be whole', async (_, text, last) => {
		for (const size of [1, 7, 64]) {
			expect((await read(text, size, true)).rows).toEqual([['1', 'a'], last]);
		}
		await expect(read(text)).rejects.toMatchObject({ problem: 'unproven' });
	});

	it.each([
		['inside quotes', 'id,name\n1,a\n2,"b'],
		['amid a quoted quote', 'id,name\n1,a\n2,"b""'],
		['without all its values', 'id,name\n1,a\n2'],
	])('refuses a last row that ends %s, whatever the transport says', async (_, text) => {
		for (const provenWhole of [true, false]) {
			const reading = read(text, 7, provenWhole);
			await expect(reading).rejects.toMatchObject({ problem: 'incomplete' });
		}
	});

	it('reads on only when the last batch was taken', async () => {
		const row = `1,${'x'.repeat(1000)}\n`;
		let given = 0;
		async function* source(): AsyncGenerator<Uint8Array> {
			yield Buffer.from('id,text\n');
			for (; given < 10_000; given++) yield Buffer.from(row);
		}
		const batches = readCsv(await readHeader(source()), () => false);
		const after = given;
		expect(after).toBeLessThan(10);
		await batches.next();
		expect(given - after).toBeLessThan(1000);
		await batches.return(undefined);
	});
});

describe('toRecord', () => {
	it('names the values', () => {
		expect(toRecord(['a', 'b'], ['1', ''])).toStrictEqual({ a: '1', b: '' });
	});
});

describe('writeCsv', () => {
	it('writes nothing for no rows', () => {
		expect(writeCsv([])).toBe('');
	});

	it('writes what readCsv reads', async () => {
		const rows = [
			['1', ' a "b", c\r\nd ', '='],
			['', '', ''],
		];
		expect((await read(`x,y,z\n${writeCsv(rows)}`)).rows).toEqual(rows);
	});
});
