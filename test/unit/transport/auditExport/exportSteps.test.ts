import {
	fileBytes,
	parsedRows,
	unparsedRows,
} from '../../../../nodes/Wherobots/transport/auditExport/exportSteps';
import {
	readTable,
	type ExportTable,
} from '../../../../nodes/Wherobots/transport/auditExport/readExport';

/** How the bytes of an export arrive. */
const SIZES = [1, 2, 3, 5, 7, 11, 64];

async function tableOf(text: string, size = 64): Promise<ExportTable> {
	async function* chunks() {
		const bytes = Buffer.from(text);
		for (let at = 0; at < bytes.length; at += size) {
			yield await Promise.resolve(bytes.subarray(at, at + size));
		}
	}
	return await readTable(chunks());
}

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
	let text = '';
	for await (const block of bytes) text += Buffer.from(block).toString('latin1');
	return Buffer.from(text, 'latin1').toString();
}

/** An export that is not parsed, and its tally, the same however it arrives. */
async function through(text: string, removeDuplicates: boolean) {
	const results = await Promise.all(
		SIZES.map(async (size) => {
			const step = unparsedRows(await tableOf(text, size), removeDuplicates);
			return { text: await textOf(step.output), ...step.tally };
		}),
	);
	for (const result of results) expect(result).toEqual(results[0]);
	return results[0];
}

describe('an export that is not parsed', () => {
	it.each([
		['LF', 'event_id,event_time\n1,x\n1,y\n'],
		['CRLF', 'event_id,event_time\r\n1,x\r\n1,y\r\n'],
		['line breaks in quotes', 'event_id,event_time\n1,"x\n""\n"\n1,y\n'],
		['blank lines', 'event_id,event_time\n1,x\n\n\r\n1,y\n\n'],
		['a byte order mark', '\uFEFFevent_id,event_time\n1,x\n1,y\n'],
	])('stays as it is, its rows counted (%s)', async (_, text) => {
		expect(await through(text, false)).toEqual({ text, rows: 2, duplicates: 0 });
	});

	it('is written as CSV the way it came, and an empty one without a block', async () => {
		const options = { removeDuplicates: false, format: 'csv', compress: false } as const;
		const text = 'event_id,event_time\n"1",x\n';
		expect(await textOf(fileBytes(await tableOf(text), options).output)).toBe(text);
		for await (const block of fileBytes(await tableOf(''), options).output) {
			expect(block).toBeUndefined();
		}
	});

	it('counts a last row without a line end', async () => {
		const text = 'event_id,event_time\n1,x\n2,y';
		expect(await through(text, false)).toEqual({ text, rows: 2, duplicates: 0 });
		expect(await through(text, true)).toEqual({ text, rows: 2, duplicates: 0 });
	});

	it('may have no rows', async () => {
		expect(await through('event_id,event_time\n', true)).toMatchObject({ rows: 0, duplicates: 0 });
	});
});

describe('rows whose ID occurred before', () => {
	it.each([
		['the second', '1,x\n2,x\n1,y\n', '1,x\n2,x\n', 1],
		['the first of those that are left', '1,x\n1,y\n2,x\n', '1,x\n2,x\n', 1],
		['several in a row', '1,x\n2,x\n1,y\n2,y\n1,z\n3,x\n', '1,x\n2,x\n3,x\n', 3],
		['all but one', '1,x\n1,y\n1,z\n', '1,x\n', 2],
		['none', '1,x\n2,x\n', '1,x\n2,x\n', 0],
		['one in quotes', '1,x\n"1",y\n"2",x\n', '1,x\n"2",x\n', 1],
		['none without an ID', ',x\n,y\n"",z\n', ',x\n,y\n"",z\n', 0],
		['one with CRLF', '1,x\r\n2,y\r\n1,z\r\n', '1,x\r\n2,y\r\n', 1],
	])('are removed: %s', async (_, rows, kept, duplicates) => {
		const lines = kept.split('\n').length - 1;
		expect(await through(`event_id,event_time\n${rows}`, true)).toEqual({
			text: `event_id,event_time\n${kept}`,
			rows: lines,
			duplicates,
		});
	});

	it.each([
		['the last column', 'event_time,event_id\nx,1\ny,1\nz,2\n', 'event_time,event_id\nx,1\nz,2\n'],
		[
			'the last column, CRLF',
			'event_time,event_id\r\nx,1\r\ny,1\r\n',
			'event_time,event_id\r\nx,1\r\n',
		],
		[
			'behind quotes, commas and line breaks',
			'event_time,b,event_id\n"x,"",\n",,1\n"",y,1\n",",z,2\n',
			'event_time,b,event_id\n"x,"",\n",,1\n",",z,2\n',
		],
		[
			'longer than its neighbours',
			'event_id,event_time\nab,x\na,x\nab,y\n',
			'event_id,event_time\nab,x\na,x\n',
		],
	])('are found where the ID is %s', async (_, text, kept) => {
		expect(await through(text, true)).toMatchObject({ text: kept, duplicates: 1 });
	});

	it('are found by their ID alone, however short rows are', async () => {
		const table = { columns: ['event_id'], idColumn: 0, head: '' };
		const tallied = async (idColumn: number, ...rows: string[]) => {
			const ends = rows.map((_, at) => rows.slice(0, at + 1).join('').length);
			async function* blocks() {
				yield await Promise.resolve({ text: rows.join(''), ends, firstRow: 2 });
			}
			const step = unparsedRows({ ...table, idColumn, blocks: blocks() }, true);
			await textOf(step.output);
			return step.tally;
		};
		expect(await tallied(0, '1\n', ',x\n', '1,y\n')).toEqual({ rows: 2, duplicates: 1 });
		expect(await tallied(1, 'x\n', 'x\n')).toEqual({ rows: 2, duplicates: 0 });
	});

	it('leave one block of each, wherever rows begin', async () => {
		const rows = Array.from({ length: 100 }, (_, id) => `${id % 90},x\n`).join('');
		const size = 64;
		const table = await tableOf(`event_id,event_time\n${rows}`, size);
		const { output } = unparsedRows(table, true);
		const blocks = [];
		for await (const block of output) blocks.push(block);
		// The header is one as well.
		expect(blocks.length).toBeLessThanOrEqual(Math.ceil(rows.length / size) + 1);
	});

	it('are found at the end without a line end, too', async () => {
		expect(await through('event_id,event_time\n1,x\n2,y\n1,z', true)).toEqual({
			text: 'event_id,event_time\n1,x\n2,y\n',
			rows: 2,
			duplicates: 1,
		});
	});
});

describe('an export that is parsed', () => {
	const text = 'event_id,event_time\n1,"x\n"\n1,y\n2,\n';
	const parse = async (removeDuplicates: boolean, size = 5) => {
		const step = parsedRows(await tableOf(text, size), removeDuplicates);
		const rows: string[][] = [];
		for await (const batch of step.output) rows.push(...batch);
		return { rows, tally: step.tally };
	};

	it('returns its rows and counts them', async () => {
		expect(await parse(false)).toEqual({
			rows: [
				['1', 'x\n'],
				['1', 'y'],
				['2', ''],
			],
			tally: { rows: 3, duplicates: 0 },
		});
	});

	it('loses those whose ID occurred before, and counts them', async () => {
		expect(await parse(true)).toEqual({
			rows: [
				['1', 'x\n'],
				['2', ''],
			],
			tally: { rows: 2, duplicates: 1 },
		});
	});

	it('is refused with the number of the row that is malformed, whatever its line ends', async () => {
		const table = await tableOf('event_id,event_time\r\n1,x\r\n2\r\n3,y\r\n', 1_000);
		const batches = parsedRows(table, false).output[Symbol.asyncIterator]();
		await expect(batches.next()).rejects.toMatchObject({
			message: 'Row 3 is malformed: 1 values for 2 columns',
		});
	});

	const write = async (given: string, size = 64) => {
		const options = { removeDuplicates: true, format: 'jsonLines', compress: false } as const;
		const { output, tally } = fileBytes(await tableOf(given, size), options);
		const blocks: string[] = [];
		for await (const block of output) blocks.push(Buffer.from(block).toString());
		return { blocks, tally };
	};

	it('is written as one object per line', async () => {
		const { blocks, tally } = await write(text);
		expect(blocks.join('')).toBe(
			'{"event_id":"1","event_time":"x\\n"}\n{"event_id":"2","event_time":""}\n',
		);
		expect(tally).toEqual({ rows: 2, duplicates: 1 });
	});

	it('has no block for a batch without rows', async () => {
		const { blocks } = await write('event_id,event_time\n\n\n\n\n1,x\n', 2);
		expect(blocks).toHaveLength(1);
	});
});
