import fc from 'fast-check';

import { writeCsv } from '../../../../nodes/Wherobots/transport/auditExport/csv';
import { RepeatFilter } from '../../../../nodes/Wherobots/transport/auditExport/repeatFilter';
import { RowScanner } from '../../../../nodes/Wherobots/transport/auditExport/rowScanner';

/** IDs of all lengths around four bytes and sixteen, with what a row or a field could end at. */
const id = fc.oneof(
	fc.string({ unit: fc.constantFrom('a', 'B', '7', '-', '_'), minLength: 1, maxLength: 40 }),
	fc.constantFrom('', ' ', 'x,y', 'x\ny', 'x\r\ny', 'ä', '東京', '!', '(1)', '+', 'a'.repeat(37)),
);
const other = fc.constantFrom('', 'plain', 'a, b', 'two\nlines', '-');

test('rows come once for each ID, as they are, however they are cut and whatever column has the ID', () => {
	fc.assert(
		fc.property(
			fc.array(id, { minLength: 1, maxLength: 6 }),
			fc.array(fc.option(fc.tuple(fc.nat(), other, other), { freq: 9 }), { maxLength: 40 }),
			fc.integer({ min: 0, max: 2 }),
			fc.constantFrom('\n', '\r\n'),
			fc.integer({ min: 1, max: 90 }),
			fc.boolean(),
			(ids, picks, column, newline, size, isEnded) => {
				const rows = picks.map((pick) => {
					if (!pick) return undefined;
					const [index, ...others] = pick;
					const row: string[] = others;
					row.splice(column, 0, ids[index % ids.length]);
					return row;
				});
				// There may be blank lines, and the last row may lack its line end.
				const pieces = rows.map((row) => (row ? writeCsv([row], newline) : newline));
				if (!isEnded) pieces.push((pieces.pop() ?? '').replace(/\r?\n$/, ''));
				const seen = new Set<string>();
				const kept = pieces.filter((_, index) => {
					const key = rows[index]?.[column] ?? '';
					return key === '' || seen.size < seen.add(key).size;
				});

				const bytes = Buffer.from(pieces.join(''));
				const scanner = new RowScanner();
				const filter = new RepeatFilter(column);
				const given: Uint8Array[] = [];
				for (let at = 0; at < bytes.length; at += size) {
					const block = bytes.subarray(at, at + size);
					scanner.scan(block);
					given.push(...filter.pass(block, scanner));
				}
				if (scanner.openRow.length > 0) given.push(...filter.passRow(scanner.openRow));
				expect(Buffer.concat(given).toString()).toBe(kept.join(''));
				expect(given.every((part) => part.length > 0)).toBe(true);
				expect(filter.repeats).toBe(pieces.length - kept.length);
			},
		),
		{ numRuns: 500 },
	);
});
