import { parseRows } from '../../../../nodes/Wherobots/transport/auditExport/csv';
import { rowBlocks } from '../../../../nodes/Wherobots/transport/auditExport/rowBlocks';

async function* inChunks(bytes: Buffer): AsyncGenerator<Uint8Array> {
	for (let at = 0; at < bytes.length; at += 65_536) {
		yield await Promise.resolve(bytes.subarray(at, at + 65_536));
	}
}

it('one value of many megabytes, line breaks included, is read in linear time', async () => {
	const text = 'line "quoted"\n'.repeat(1_500_000);
	const bytes = Buffer.from(`id,text\n1,"${text.replaceAll('"', '""')}"\n`);
	const rows: string[][] = [];
	for await (const block of rowBlocks(inChunks(bytes))) rows.push(...parseRows(block, 2));
	expect(rows[1][1] === text).toBe(true);
});

it.each(['\n', '\r\n'])('a megabyte of blank lines is read in linear time (%j)', async (end) => {
	const rows: string[][] = [];
	for await (const block of rowBlocks(inChunks(Buffer.from(`id,text\n${end.repeat(2 ** 20)}`)))) {
		rows.push(...parseRows(block, 2));
	}
	expect(rows).toEqual([['id', 'text']]);
});
