import { AUDIT_COLUMNS } from '../../../../nodes/Wherobots/service/records/auditEvent';
import { parseTable } from '../../../../nodes/Wherobots/useCases/auditLog/auditExport';
import {
	writeFile,
	parseSelectedRows,
} from '../../../../nodes/Wherobots/useCases/auditLog/auditFiles';
import { collected, inChunks } from '../../../support/chunks';

/** How the bytes of an export arrive. */
const SIZES = [1, 2, 3, 5, 7, 11, 64, 1_000];
const header = `${AUDIT_COLUMNS.join(',')}\n`;
const tableOf = async (text: string, size = 64) =>
	await parseTable(inChunks(Buffer.from(text), size));

async function rowsOf(text: string, size?: number): Promise<string[][]> {
	const batches = parseSelectedRows(await tableOf(text, size)).output;
	return (await collected(batches)).flat();
}

async function copyOf(text: string, size?: number) {
	const options = { format: 'csv', compress: false, removeDuplicates: false } as const;
	const { output, tally } = writeFile(await tableOf(text, size), options);
	return { text: Buffer.concat(await collected(output)).toString(), rows: tally.rows };
}

describe('an export', () => {
	it.each([
		['both, and quotes', '"1","a"\r\n"2","b"\n', '1|a/2|b'],
		['blank lines', '1,a\n\r\n\n2,b\n\n', '1|a/2|b'],
		['half a last line end', '1,a\r\n2,b\r', '1|a/2|b'],
		['a quote amid a value', '1,5" of rain\nx"y",2\n', '1|5" of rain/x"y"|2'],
		['a brace before a colon', '"a{",":b"\n', 'a{|:b'],
		['empty values', '"",""\n,\n', '|/|'],
		['carriage returns in values', 'a\rb,1\nc,2\n', 'a\rb|1/c|2'],
		['spaces and other separators', '1, b;c\td e \n"2" ,"b" \n', '1| b;c\td e /2|b'],
		['no events', '', undefined],
	])(
		'with %s has these rows however it arrives, and is passed on as it is',
		async (_, body, shown) => {
			const rows = shown?.split('/').map((row) => row.split('|')) ?? [];
			for (const head of ['event_id,event_time\n', '\uFEFFevent_id,event_time\r\n']) {
				for (const size of SIZES) {
					expect(await rowsOf(head + body, size)).toEqual(rows);
					expect(await copyOf(head + body, size)).toEqual({ text: head + body, rows: rows.length });
				}
			}
		},
	);

	it.each([
		['a value too few', '1,a\n2\n3,b\n', /^Row 3 is malformed: 1 values for 2 columns/],
		['a value too many', '1,a\n\n1,a,b\n3,b\n', 'Row 4 is malformed: 3 values for 2 columns'],
		[
			'too few after both line ends',
			'1,a\r\n2\n3,b\n',
			/^Row 3 is malformed: 1 values for 2 columns/,
		],
		['quotes alone', '1,a\n""\n3,b\n', /^Row 3 is malformed: 1 values for 2 columns/],
		['text after a closing quote', '1,"a"b\n2,"c"\n', /^Row 2 is malformed/],
		['the same two rows later', '1,a\n2,b\n3,"c"d\n4,"e"\n', /^Row 4 is malformed/],
	])('is not parsed with %s', async (_, body, message) => {
		await expect(rowsOf(`event_id,event_time\n${body}`)).rejects.toMatchObject({
			problem: 'malformed',
			message: expect.stringMatching(message),
		});
	});

	it.each([
		['inside quotes', '1,2\n3,"4', 3],
		['inside quotes, amid a quoted quote', '1,"2""', 2],
		['inside quotes that a later quote would not close', '1,"2\n3,4\n5,6""\n', 2],
		['without all its values', '1,2\n3', 3],
		['with an error instead', '1,2\n{"message":"x"}\n', 3],
		['with an error instead, and a blank line', '1,2\n{"message":"x"}\n\n', 3],
		['in an error whose key is no word', '1,2\n{"a-b":"x,y"}', 3],
		['in an error whose key begins with a sign', '1,2\n{"@type":"x","b":1}\n', 3],
		['in an error with as many values', '1,2\n3{"code": "x", "message": "y"}', 3],
	])('is incomplete when its last row ends %s', async (_, body, row) => {
		for (const size of [1, 7, 64]) {
			await expect(copyOf(`event_id,event_time\n${body}`, size)).rejects.toMatchObject({
				problem: 'incomplete',
				message: `Row ${row} is incomplete.`,
			});
		}
	});

	it('may have values of many megabytes, but no row longer than 64 MiB', async () => {
		async function* endless(): AsyncGenerator<Uint8Array> {
			yield Buffer.from(header);
			for (;;) yield await Promise.resolve(Buffer.alloc(2 ** 20, 'x'));
		}
		const { blocks } = await parseTable(endless());
		await expect(collected(blocks)).rejects.toMatchObject({
			problem: 'malformed',
			message: 'Row 2 is malformed: it is longer than 64 MiB.',
		});
	});
});

describe('the header row', () => {
	it.each([
		['without a line end', header.trim()],
		['in quotes', `"${AUDIT_COLUMNS.join('","')}"\n`],
	])('may be all there is, %s', async (_, text) => {
		expect(await tableOf(text)).toMatchObject({ columns: AUDIT_COLUMNS });
		expect(await copyOf(text)).toEqual({ text, rows: 0 });
	});

	it.each([
		['a column twice', 'event_id,event_time,x,x\n', /repeats "x"\.$/m],
		[
			'its last column cut off',
			header.slice(0, header.lastIndexOf(',')),
			/lacks compute_region\.$/m,
		],
		['a blank line', '\n', /lacks event_id/],
		['an open quote', '"a,b', /lacks event_id, event_time, \w+ and others\.$/m],
	])('is not %s, of which the beginning is shown', async (_, text, message) => {
		await expect(tableOf(text)).rejects.toMatchObject({
			message: expect.stringMatching(message),
		});
	});
});

it('events whose ID occurred before are looked for among two million; of more, the error says what to do', async () => {
	async function* endless(): AsyncGenerator<Uint8Array> {
		yield Buffer.from('event_id,event_time\n');
		for (let from = 0; ; from += 20_000) {
			const ids = Array.from({ length: 20_000 }, (_, at) => from + at);
			yield await Promise.resolve(Buffer.from(`${ids.join(',\n')},\n`));
		}
	}
	const options = { format: 'csv', compress: false, removeDuplicates: true } as const;
	const { output, tally } = writeFile(await parseTable(endless()), options);
	const reading = async () => {
		for await (const bytes of output) if (bytes.length === 0) return;
	};
	await expect(reading()).rejects.toThrow(
		'At most 2,000,000 events can be checked for duplicates: choose a shorter range, or split it into more files',
	);
	expect(tally).toEqual({ rows: 2_000_000, duplicates: 0 });
}, 120_000);
