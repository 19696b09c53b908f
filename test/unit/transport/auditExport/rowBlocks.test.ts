import type { RowBlock } from '../../../../nodes/Wherobots/transport/auditExport/csv';
import { rowBlocks } from '../../../../nodes/Wherobots/transport/auditExport/rowBlocks';

const MIB = 2 ** 20;

async function* inChunks(text: string, size: number): AsyncGenerator<Uint8Array> {
	const bytes = Buffer.from(text);
	for (let at = 0; at < bytes.length; at += size) {
		yield await Promise.resolve(bytes.subarray(at, at + size));
	}
}

async function blocksOf(text: string, size = 64): Promise<RowBlock[]> {
	const blocks: RowBlock[] = [];
	for await (const block of rowBlocks(inChunks(text, size))) blocks.push(block);
	return blocks;
}

/** The rows of a text, the same however it arrives. */
async function rowsOf(text: string): Promise<string[]> {
	const results: string[][] = [];
	for (const size of [1, 2, 3, 7, 64]) {
		const blocks = await blocksOf(text, size);
		const rows = blocks.flatMap((block) =>
			block.ends.map((end, index) => block.text.slice(block.ends[index - 1] ?? 0, end)),
		);
		expect(blocks.at(-1)?.firstRow ?? 1).toBe(
			rows.length - (blocks.at(-1)?.ends.length ?? rows.length) + 1,
		);
		results.push(rows.map((row) => Buffer.from(row, 'latin1').toString()));
	}
	for (const result of results) expect(result).toEqual(results[0]);
	return results[0];
}

describe('rows', () => {
	it.each([
		['LF', ['a,b\n', '1,2\n']],
		['CRLF', ['a,b\r\n', '1,2\r\n']],
		['both', ['a,b\n', '1,2\r\n', '3,4\n']],
		['quoted line breaks', ['a,b\n', '1,"x\n""\r\n,"\n', '"\n",2\n']],
		['quotes amid a value', ['a,b\n', '1,5" of rain\n', 'x"y",2\n', '1,2\n']],
		['an empty value in quotes', ['a,b\n', '"","\n"\n', ',""\n']],
		['blank lines', ['a,b\n', '\n', '\r\n', '1,2\n', '\n']],
		['characters of several bytes', ['ä,東京\n', '🗺,"\nü"\n']],
		['no line end', ['a,b\n', '1,2']],
		['no line end after a quote amid a value', ['a,b\n', '1,5" of rain']],
		['no line end after quotes', ['a,b\n', '1,"2\n"']],
		['half a line end', ['a,b\r\n', '1,2\r\n', '3,4\r']],
		['half a line end after a blank line', ['a,b\r\n', '\r\n', '\r']],
		['a single line', ['a,b']],
	])('end where they do with %s', async (_, rows) => {
		expect(await rowsOf(rows.join(''))).toEqual(rows);
	});

	it('may be none', async () => {
		expect(await rowsOf('')).toEqual([]);
	});

	it.each([
		['inside quotes', 'a,b\n1,2\n3,"4', 3],
		['inside quotes, amid a quoted quote', 'a,b\n1,"2""', 2],
		['inside quotes that a later quote would not close', 'a,b\n1,"2\n3,4\n5,6""\n', 2],
		['inside quotes, after a value of several lines', 'a,b,c\n1,"2\n","3', 2],
		['without all their values', 'a,b\n1,2\n3', 3],
		['with an error instead', 'a,b\n1,2\n{"message":"x"}\n', 3],
		['with an error instead, and a blank line', 'a,b\n1,2\n{"message":"x"}\n\n', 3],
	])('are refused when the last one ends %s', async (_, text, row) => {
		for (const size of [1, 7, 64]) {
			await expect(blocksOf(text, size)).rejects.toMatchObject({
				name: 'TransferError',
				problem: 'incomplete',
				message: `Row ${row} is incomplete`,
			});
		}
	});

	it('may have a carriage return in quotes', async () => {
		const text = 'a,b\r\n1,"x\ry"\r\n';
		expect((await rowsOf(text)).join('')).toBe(text);
	});

	it('are refused when one is longer than 64 MiB', async () => {
		async function* endless(): AsyncGenerator<Uint8Array> {
			yield Buffer.from('a,b\n');
			for (;;) yield await Promise.resolve(Buffer.alloc(MIB, 'x'));
		}
		const reading = async () => {
			for await (const block of rowBlocks(endless())) expect(block.text).toBe('a,b\n');
		};
		await expect(reading()).rejects.toMatchObject({
			problem: 'malformed',
			message: 'Row 2 is malformed: it is longer than 64 MiB',
		});
	});
});

describe('blocks', () => {
	it('hold all the rows that have arrived', async () => {
		const blocks = await blocksOf(`a,b\n${'1,2\n'.repeat(40)}`, 64);
		expect(blocks.map(({ ends, firstRow }) => [firstRow, ends.length])).toEqual([
			[1, 16],
			[17, 16],
			[33, 9],
		]);
	});

	it('are read from the source one at a time', async () => {
		let given = 0;
		async function* source(): AsyncGenerator<Uint8Array> {
			for (; given < 100; given++) yield await Promise.resolve(Buffer.from('1,2\n'));
		}
		const blocks = rowBlocks(source());
		await blocks.next();
		await blocks.next();
		expect(given).toBeLessThan(3);
		await blocks.return(undefined);
	});
});
