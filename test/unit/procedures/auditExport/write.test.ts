import { fileBytes, readTable } from '../../../../nodes/Wherobots/procedures/auditExport';
import { collected, inChunks } from '../../../support/chunks';

async function written(text: string, format: 'csv' | 'jsonLines', size = 64) {
	const table = await readTable(inChunks(Buffer.from(text), size));
	const options = { format, compress: false, removeDuplicates: true };
	const { output, tally } = fileBytes(table, options);
	return { text: Buffer.concat(await collected(output)).toString(), ...tally };
}

describe('events whose ID occurred before', () => {
	it.each([
		['the second', '1,x\n2,x\n1,y\n', '1,x\n2,x\n', 1],
		['several in a row', '1,x\n2,x\n1,y\n2,y\n1,z\n3,x\n', '1,x\n2,x\n3,x\n', 3],
		['all but one', '1,x\n1,y\n1,z\n', '1,x\n', 2],
		['one that is longer than its neighbour', 'ab,x\na,x\nab,y\n', 'ab,x\na,x\n', 1],
		['one in quotes', '1,x\n"1",y\n"2",x\n', '1,x\n"2",x\n', 1],
		['the last one without a line end', '1,x\n2,y\n1,z', '1,x\n2,y\n', 1],
		['one with CRLF', '1,x\r\n2,y\r\n1,z\r\n', '1,x\r\n2,y\r\n', 1],
		['none without an ID', ',x\n,y\n"",z\n', ',x\n,y\n"",z\n', 0],
	])('are left out of a file: %s', async (_, rows, kept, duplicates) => {
		const head = 'event_id,event_time\n';
		for (const size of [1, 3, 7, 64]) {
			const text = head + kept;
			const count = kept.trim().split('\n').length;
			expect(await written(head + rows, 'csv', size)).toEqual({ text, rows: count, duplicates });
			const lines = await written(head + rows, 'jsonLines', size);
			expect(lines).toMatchObject({ rows: count, duplicates });
			expect(lines.text.trim().split('\n')).toHaveLength(count);
		}
	});

	it('are looked for among two million; of more, the error says what to do', async () => {
		async function* endless(): AsyncGenerator<Uint8Array> {
			yield Buffer.from('event_id,event_time\n');
			for (let from = 0; ; from += 20_000) {
				const ids = Array.from({ length: 20_000 }, (_, at) => from + at);
				yield await Promise.resolve(Buffer.from(`${ids.join(',\n')},\n`));
			}
		}
		const options = { format: 'csv', compress: false, removeDuplicates: true } as const;
		const { output, tally } = fileBytes(await readTable(endless()), options);
		const reading = async () => {
			for await (const bytes of output) if (bytes.length === 0) return;
		};
		await expect(reading()).rejects.toThrow(
			'More than 2,000,000 events cannot be checked for duplicates: choose a shorter range, or split it into more files',
		);
		expect(tally).toEqual({ rows: 2_000_000, duplicates: 0 });
	}, 120_000);
});
