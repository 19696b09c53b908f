import {
	parseRows,
	readRow,
	toRecord,
} from '../../../../nodes/Wherobots/transport/auditExport/csv';
import { rowBlocks } from '../../../../nodes/Wherobots/transport/auditExport/rowBlocks';

/** Parses rows of two columns that come as one block after this many others. */
async function parse(text: string, width = 2): Promise<string[][]> {
	const rows: string[][] = [];
	async function* source() {
		yield await Promise.resolve(Buffer.from(text));
	}
	for await (const block of rowBlocks(source())) {
		rows.push(...parseRows({ ...block, firstRow: 10 }, width));
	}
	return rows;
}

describe('rows', () => {
	it('are read with quotes, commas, quoted line breaks and characters of several bytes', async () => {
		expect(await parse('1,"a, ""b""","two\nlines"\n2,Zoë 東京 🗺,\n', 3)).toEqual([
			['1', 'a, "b"', 'two\nlines'],
			['2', 'Zoë 東京 🗺', ''],
		]);
	});

	it.each([
		['LF', '1,a\n2,b\n'],
		['CRLF', '1,a\r\n2,b\r\n'],
		['LF, then CRLF', '1,a\n2,b\r\n'],
		['CRLF, then LF', '1,a\r\n2,b\n'],
		['both, and quotes', '"1","a"\r\n"2","b"\n'],
		['blank lines', '1,a\n\r\n\n2,b\n\n'],
		['no last line end', '1,a\n2,b'],
		['half a last line end', '1,a\r\n2,b\r'],
	])('are the same with %s', async (_, text) => {
		expect(await parse(text)).toEqual([
			['1', 'a'],
			['2', 'b'],
		]);
	});

	it('keep line breaks in quotes as they are', async () => {
		expect(await parse('1,"a\r\nb\rc\nd"\r\n2,"\r\n"\n')).toEqual([
			['1', 'a\r\nb\rc\nd'],
			['2', '\r\n'],
		]);
	});

	it('keep carriage returns within a value', async () => {
		expect(await parse('a\rb,1\nc,2\n')).toEqual([
			['a\rb', '1'],
			['c', '2'],
		]);
		expect(readRow('a\rb,1\n')).toEqual(['a\rb', '1']);
	});

	it('keep spaces, and other separators than commas', async () => {
		expect(await parse('1, b;c\td|e \n')).toEqual([['1', ' b;c\td|e ']]);
	});

	it('may have spaces after a closing quote', async () => {
		expect(await parse('1,"a" \n"2" ,"b" \r\n')).toEqual([
			['1', 'a'],
			['2', 'b'],
		]);
	});

	it.each([
		['a value too few', '1,a\n2\n', 'Row 11 is malformed: 1 values for 2 columns'],
		['a value too many', '1,a\n\n1,a,b\n', 'Row 12 is malformed: 3 values for 2 columns'],
		[
			'a value too few after both line ends',
			'1,a\r\n2,b\n3\r\n',
			'Row 12 is malformed: 1 values for 2 columns',
		],
		['quotes alone', '1,a\n""\n', 'Row 11 is malformed: 1 values for 2 columns'],
		['text after a closing quote', '1,"a"b\n2,"c"\n', /^Row 10 is malformed/],
		['the same two rows later', '1,a\n2,b\n3,"c"d\n4,"e"\n', /^Row 12 is malformed/],
	])('are refused with %s', async (_, text, message) => {
		await expect(parse(text)).rejects.toMatchObject({
			problem: 'malformed',
			message: expect.stringMatching(message),
		});
	});
});

describe('a row', () => {
	it('is not taken for a blank line because it begins with an empty value', async () => {
		await expect(parse('1,a,b\n,2\n3,c,d\n', 3)).rejects.toMatchObject({
			message: 'Row 11 is malformed: 2 values for 3 columns',
		});
	});

	it('is separated by commas alone', () => {
		expect(readRow('id;a;b\tc\td,"two\nlines"\r\n')).toEqual(['id;a;b\tc\td', 'two\nlines']);
		expect(readRow('id;name\n')).toEqual(['id;name']);
	});

	it('ends before its line end, also half of one', () => {
		expect(readRow('1,a\r')).toEqual(['1', 'a']);
		expect(readRow('\r\n')).toEqual(['']);
	});

	it('gives each value the name of its column', () => {
		expect(toRecord(['a', 'b'], ['1', ''])).toStrictEqual({ a: '1', b: '' });
	});
});
