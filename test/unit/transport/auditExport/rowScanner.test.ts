import { RowScanner } from '../../../../nodes/Wherobots/transport/auditExport/rowScanner';

it('a row may be one character, and a blank line is no row', () => {
	const scanner = new RowScanner();
	scanner.scan(Buffer.from('a\nb\r\n\n\r\nc\n'));
	expect(scanner.rows).toBe(3);
});

it('a block may end with its memory, however it is aligned', () => {
	for (let from = 0; from < 8; from++) {
		for (let to = from + 1; to <= 32; to++) {
			const bytes = new Uint8Array(to).fill(0x78);
			bytes[to - 1] = 0x0a;
			const scanner = new RowScanner();
			scanner.scan(bytes.subarray(from));
			expect(scanner.ends).toEqual([to - from]);
		}
	}
});
