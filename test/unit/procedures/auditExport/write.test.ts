import { fileBytes, readTable } from '../../../../nodes/Wherobots/procedures/auditExport';

describe('events whose ID occurred before', () => {
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
